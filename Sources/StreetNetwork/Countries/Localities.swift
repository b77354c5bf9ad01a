import Geography

/// Where each way of a map lies.
struct Localities {
  private var finder: CountryFinder
  private let builtUp: BuiltUpAreas
  private let wayNodes: [UInt32]
  private let points: [FixedCoordinate?]

  init(_ raw: RawWays, wayNodes: [UInt32], points: [FixedCoordinate?], territories: [Territory]) {
    self.wayNodes = wayNodes
    self.points = points
    let box = BoundingBox(around: points.lazy.compactMap(\.self))
    finder = CountryFinder(territories, table: .stock, box: box)
    var streets = BuiltUpAreas.Builder(box)
    raw.forEach { way, tags in
      guard BuiltUpAreas.counts(tags) else { return }
      streets.add(wayNodes[way.nodes].lazy.compactMap { points[Int($0)] })
    }
    builtUp = streets.areas
  }

  mutating func locality(of way: RawWays.Way) -> Locality {
    let line = wayNodes[way.nodes].compactMap { points[Int($0)] }
    guard !line.isEmpty else { return Locality() }
    let answer = finder.answer(at: line[line.count / 2])
    return Locality(
      country: answer.country, drivesOnLeft: answer.drivesOnLeft, isBuiltUp: builtUp.containsMost(of: line))
  }
}
