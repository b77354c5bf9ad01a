/// How a trip is made. Raw values are the names in job files, tables and profiles.
public enum TransportType: String, Sendable, Hashable, CaseIterable, Codable {
  /// By car.
  case automobile
  /// On foot.
  case walking
  /// By bicycle, pushed where riding is forbidden.
  case cycling
}
