import StreetNetwork
import Tables

/// The text form of avoidances in links and tables: "tolls,highways".
extension Profile.Avoidance {
  private static let names: [(name: String, avoidance: Profile.Avoidance)] = [
    ("tolls", .tolls), ("highways", .highways),
  ]

  package var text: String { Self.names.filter { contains($0.avoidance) }.map(\.name).joined(separator: ",") }

  package init(text: String) {
    let names = text.split(separator: ",")
    self = Self.names.reduce(into: []) { if names.contains(Substring($1.name)) { $0.insert($1.avoidance) } }
  }
}
