/// A means of transport. Raw values are the names in job files, tables and profiles.
public enum TransportType: String, Sendable, Hashable, CaseIterable, Codable {
  /// By car.
  case automobile
  /// On foot.
  case walking
  /// By bicycle, pushed where riding is forbidden.
  case cycling
  /// By public transport, and on foot to and from stops.
  case transit

  /// The types that use only streets; each network is built for one of them.
  public static let allCases: [TransportType] = [.automobile, .walking, .cycling]
}
