import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Cases that the matrix engine does not handle itself: streets with two ends, places without a street, dates.
struct TripMatrixTests {
  /// Returns seconds by row and column, "-" if there is no route.
  private func seconds(
    _ map: TestMap, _ origins: String, _ destinations: String, by type: TransportType = .walking, at time: String? = nil
  ) throws -> [String] {
    let network = try map.network(profile: .stock(type.rawValue))
    let router = Router(network, map.options)
    func ends(_ letters: String) -> [TripEnd?] { letters.map { router.end(at: map[$0]) } }
    let local = time.flatMap { Timestamp($0) }?.localTime
    let trips = TripMatrix(network, from: ends(origins), to: ends(destinations), distances: true, at: local)
    let fill = trips.makeFill()
    return trips.blocks.flatMap { rows in
      let block = fill(rows)
      return rows.map { row in
        (0..<destinations.count).map { column in
          let weight = block.weight(row: row - rows.lowerBound, column: column)
          return weight.isFinite ? String((weight.milliseconds + 500) / 1000) : "-"
        }.joined(separator: " ")
      }
    }
  }

  @Test func coversTripsAlongOneStreetAndToTheSamePlace() throws {
    // 100 m take 72 s; 1, 2 and 3 are on the street ad.
    let map = TestMap("a 1 2 3 d").way("ad")
    #expect(try seconds(map, "123", "123") == ["0 72 144", "72 0 72", "144 72 0"])
  }

  @Test func respectsOneWaysAroundTheBlock() throws {
    let map = TestMap(
      """
      a 1 2 b
      |     |
      c-----d
      """
    ).way("ab", ["oneway": "yes"]).way("bd").way("dc").way("ca")
    let rows = try seconds(map, "12", "12", by: .automobile)
    #expect(rows[0].hasPrefix("0 "))
    let numbers = rows.map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(numbers[0][1] < 30 && numbers[1][0] > 60)
  }

  @Test func placesNotOnAStreetHaveNoTrips() throws {
    let map = TestMap("a-b-c       9").way("abc").snapLimit(200)
    #expect(try seconds(map, "a9", "9b9") == ["- 72 -", "- - -"])
  }

  @Test func appliesTurnRestrictionsOfTheDate() throws {
    let map = TestMap(
      """
      a-b-c
      | | |
      d-e-f
      """
    ).way("ab").way("bc").way("ad").way("de").way("ef").way("cf").way("be")
      .restriction(
        "no_straight_on", from: "ab", via: "b", to: "bc",
        [
          "restriction": "", "restriction:conditional": "no_straight_on @ (Mo-Fr 07:00-19:00)",
        ])
    for time in ["2026-11-23T08:00:00+00:00", "2026-11-23T22:00:00+00:00"] {
      let router = Router(try map.network(profile: .stock("automobile")), map.options)
      let alone = router.weight(
        from: router.end(at: map["a"])!, to: router.end(at: map["c"])!, at: TripTime(Timestamp(time)!))!
      #expect(
        try seconds(map, "a", "c", by: .automobile, at: time) == ["\((alone.milliseconds + 500) / 1000)"], "\(time)")
    }
    #expect(
      try seconds(map, "a", "c", by: .automobile, at: "2026-11-23T08:00:00+00:00")
        != seconds(map, "a", "c", by: .automobile, at: "2026-11-23T22:00:00+00:00"))
  }
}
