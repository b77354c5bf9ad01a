/// Which properties of a file of features say something of pairs.
struct PairProperties {
  /// Nil if no property is an id.
  let id: String?
  let weight: String?
  /// Those that say nothing that the program knows, in the file's order.
  let unused: [String]

  /// - Parameter names: All properties, in the file's order.
  init(_ names: [String]) {
    let plain = names.map(EndNames.plain)
    func first(of expected: [String]) -> String? {
      expected.lazy.compactMap { word in plain.firstIndex(of: word) }.first.map { names[$0] }
    }
    id = first(of: PairColumns.ids)
    let weight = first(of: PairColumns.weights)
    self.weight = weight
    let known = Set(
      PairColumns.ids + PairColumns.groups + PairColumns.departures + PairColumns.arrivals + PairColumns.transportTypes
        + PairColumns.avoids + EndNames.allCases.flatMap { $0.ids(in: plain) + $0.names })
    unused = zip(names, plain).filter { !known.contains($1) && $0 != weight && !$0.isEmpty }.map(\.0)
  }
}
