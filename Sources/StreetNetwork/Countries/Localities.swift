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

  /// Countries at the middle of each way, one after the other: where a country is the nearest one, the first answer in a
  /// cell counts for all of it.
  mutating func answers(for ways: [RawWays.Way]) -> [CountryFinder.Answer] {
    ways.map { way in
      let count = wayNodes[way.nodes].count { points[Int($0)] != nil }
      var rest = count / 2
      for node in wayNodes[way.nodes] {
        guard let point = points[Int(node)] else { continue }
        if rest == 0 { return finder.answer(at: point) }
        rest -= 1
      }
      return CountryFinder.Answer()
    }
  }

  func locality(of way: RawWays.Way, _ answer: CountryFinder.Answer) -> Locality {
    let isKnown = wayNodes[way.nodes].contains { points[Int($0)] != nil }
    let line = wayNodes[way.nodes].lazy.compactMap { points[Int($0)] }
    return Locality(
      country: answer.country, drivesOnLeft: answer.drivesOnLeft, isBuiltUp: isKnown && builtUp.containsMost(of: line))
  }
}
