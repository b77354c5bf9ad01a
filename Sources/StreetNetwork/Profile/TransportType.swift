/// How a traveller gets along. The names are those of job files, tables and profiles.
public enum TransportType: String, Sendable, Hashable, CaseIterable {
  case automobile
  case walking
  case cycling
}
