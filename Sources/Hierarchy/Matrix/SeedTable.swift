/// The seeds of many points: where searches start for each of the sources, or end for each of the targets, of a matrix.
///
/// A point may have several seeds (a place within a street can be left both ways), or none (a place off all streets).
public struct SeedTable: Sendable {
  /// `count + 1` offsets into `seeds`.
  public let first: [UInt32]
  public let seeds: [Seed]

  public var count: Int { first.count - 1 }

  public init(_ points: some Sequence<[Seed]>) {
    var (first, seeds): ([UInt32], [Seed]) = ([0], [])
    for point in points {
      seeds += point
      first.append(UInt32(seeds.count))
    }
    (self.first, self.seeds) = (first, seeds)
  }

  /// A seed of no weight for each of `states`.
  public init(states: some Sequence<StateID>) { self.init(states.lazy.map { [Seed($0)] }) }

  /// The seeds of a point.
  public subscript(point: Int) -> ArraySlice<Seed> { seeds[Int(first[point])..<Int(first[point + 1])] }
}
