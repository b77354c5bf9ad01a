import Jobs
import Tables
import TestMaps
import Testing

/// Table `travel_time_grid`, from which pages draw areas for any time limit.
struct TravelTimeGridTests {
  private let map = TestMap(
    """
    a-b-c-d-e
        |
        f
    """
  ).way("abcde").way("cf")

  private func scene(_ keys: String = "") throws -> JobScene {
    try JobScene(
      map,
      ["places.csv": map.list("c"), "city.json5": "{ classes: { residential: { 'Mo 07:00-08:00': 2 } } }"],
      "kind: 'isochrones', origins: 'places.csv', thresholds: [1, 2], buffer: 20, \(keys)")
  }

  /// Returns one character per cell: the number of half minutes within which it is reached.
  private func drawn(_ scene: JobScene) throws -> [String] {
    let grid = try #require(try ResultsDatabase(path: scene.scratch.path("out/results.sqlite")).grids().first)
    // The last bytes are the empty block that ends the stream.
    let inflated = try #require(
      DeflatedBlock.inflated(grid.bytes.dropLast(2), length: grid.columns * grid.rows))
    var last: UInt8 = 255
    let letters = inflated.map { byte -> String in
      last = last &+ byte
      return last == 255 ? "." : "\(last)"
    }
    let columns = grid.columns
    #expect(letters.count == columns * grid.rows && grid.step == 30)
    return stride(from: 0, to: letters.count, by: columns).map {
      letters[$0..<$0 + columns].joined()
    }
  }

  /// Walking 100 m takes 72 seconds, and a cell of 25 m about 18 seconds.
  @Test func timesGrowAwayFromThePlace() throws {
    let scene = try scene()
    defer { scene.remove() }
    let rows = try drawn(scene)
    let street = try #require(rows.first { $0.contains("1") && $0.contains("4") && $0.filter { $0 != "." }.count > 8 })
    let cells = street.filter { $0 != "." }
    let (before, behind) = (cells.prefix { $0 != "0" }, cells.drop { $0 != "0" })
    #expect(before.sorted(by: >) == Array(before) && behind.sorted() == Array(behind), "\(rows)")
    #expect(cells.first == "4" && cells.last == "4" && Set(cells) == ["0", "1", "2", "3", "4"], "\(rows)")
    // The street to the south.
    #expect(rows.last { $0.contains("4") }!.filter { $0 != "." }.count <= 3, "\(rows)")
  }

  @Test func hoursHaveTheirOwnGrids() throws {
    let scene = try scene(
      "traffic: 'city.json5', departures: ['06:30', '07:30'], week: ['Mo'], timeZone: 'Europe/Lisbon'")
    defer { scene.remove() }
    try scene.expect("SELECT departure, columns > 5, step FROM travel_time_grid", "1|1|30\n2|1|30\n")
    // At half the speed, the area extends half as far.
    try scene.expect(
      "SELECT early.columns > late.columns + 4 FROM travel_time_grid AS early, travel_time_grid AS late "
        + "WHERE early.departure = 1 AND late.departure = 2", "1\n")
  }

  /// Hours with normal speeds give the same result as no hours.
  @Test func hoursAtNormalSpeedEqualNoHours() throws {
    let (plain, hourly) = (try scene(), try scene("departures: ['07:30'], date: '2026-11-27'"))
    defer {
      plain.remove()
      hourly.remove()
    }
    let query = "SELECT columns, rows, hex(times) FROM travel_time_grid"
    try hourly.expect(query, try plain.sql(query))
  }

  @Test func areasToAPlaceHaveGrids() throws {
    let (from, to) = (try scene(), try scene("direction: 'to'"))
    defer {
      from.remove()
      to.remove()
    }
    // There are no one-way streets, so both areas are the same.
    #expect(try drawn(from) == drawn(to))
  }
}
