import Foundation
import TestMaps
import Testing

/// `odometer report --pair`: the page of one pair, from stored results or recomputed.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct PairPageTests {
  private static let map = TestMap(
    """
    a-b-c-d
    |     |
    e-f-g-h   i
    """
  ).way("abcd", ["name": "High Street"]).way("efgh", ["name": "Low Street"]).way("ae").way("dh")

  private func scratch(_ keys: String) throws -> Scratch {
    let map = PairPageTests.map
    let rows = zip("abi", "gha").map { from, to in
      "\(from) → \(to),\(map[from].longitude),\(map[from].latitude),\(map[to].longitude),\(map[to].latitude)\n"
    }
    let scratch = try Scratch(
      map,
      [
        "pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined(),
        "city.json5": "{ classes: { residential: { 'Mo 07:00-08:00': 2 } } }",
      ],
      job: "pairs: 'pairs.csv', snapLimit: 50, \(keys)")
    let run = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    return scratch
  }

  private func report(_ words: String..., in scratch: Scratch) throws -> Run {
    try Run(Project.binary, ["report", "out"] + words, in: scratch.folder)
  }

  /// Returns the figures and the table of steps of a page.
  private func figuresAndSteps(_ page: String) -> [String] {
    let figures = page.matches(of: /<div><b>([^<]*)<\/b>/).map { String($0.1) }
    return figures
      + page.matches(of: /<td class="n" data-value="([^"]*)">|<td>([^<]*)<\/td>/).map { String($0.1 ?? $0.2 ?? "") }
  }

  @Test func pageIsTheSameForStoredAndRecomputedRoutes() throws {
    let jobs = ["kind: 'routes'", "kind: 'routes', shapes: false", "kind: 'etas'"]
    let pages = try jobs.map { job in
      let scratch = try scratch(job)
      defer { scratch.remove() }
      let run = try report("--pair", "a → g", "--output", "pair.html", in: scratch)
      #expect(run.status == 0 && run.output == "pair.html\n", "\(run)")
      return figuresAndSteps(scratch.text("pair.html"))
    }
    #expect(pages[0].count > 6 && pages[0].contains { $0.contains("Low Street") }, "\(pages[0])")
    #expect(pages[1] == pages[0] && pages[2] == pages[0])
  }

  /// The upper way has a toll; the gate on the lower way is closed from 8:00 to 20:00.
  @Test func recomputedRoutesUseTheOptionsOfTheirRow() throws {
    let map = TestMap(
      """
      a-b-c-d
      |     |
      e     h
      |     |
      i-----l
      """
    ).way("abcd", ["toll": "yes"]).way("aeil").way("lhd")
      .node("e", ["barrier": "gate", "access:conditional": "no @ (08:00-20:00)"])
    let ends = "\(map["a"].longitude),\(map["a"].latitude),\(map["d"].longitude),\(map["d"].latitude)"
    let scratch = try Scratch(
      map, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat,avoid,arrival_time\nx,\(ends),tolls,2026-11-23T07:30:00Z\n"],
      job: "pairs: 'pairs.csv', kind: 'etas', timeZone: 'Etc/UTC'")
    defer { scratch.remove() }
    try scratch.write(scratch.text("job.json5").replacing("'walking'", with: "'automobile'"), to: "job.json5")
    let job = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(job.status == 0, "\(job.error)")
    let run = try report("--pair", "x", "--output", "pair.html", in: scratch)
    #expect(run.status == 0, "\(run.error)")
  }

  @Test func recomputesTheRouteOfEachHour() throws {
    let map = PairPageTests.map
    let ends = "\(map["a"].longitude),\(map["a"].latitude),\(map["g"].longitude),\(map["g"].latitude)"
    let pages = try ["routes", "etas"].map { kind in
      let scratch = try Scratch(
        map,
        [
          "pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\nx,\(ends)\n",
          "city.json5": "{ classes: { residential: { 'Mo 07:00-08:00': 2 } } }",
        ],
        job: "pairs: 'pairs.csv', kind: '\(kind)', traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo']")
      defer { scratch.remove() }
      try scratch.write(scratch.text("job.json5").replacing("'walking'", with: "'automobile'"), to: "job.json5")
      let job = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
      #expect(job.status == 0, "\(job.error)")
      let run = try report("--pair", "x", "--output", "pair.html", in: scratch)
      #expect(run.status == 0, "\(run.error)")
      return figuresAndSteps(scratch.text("pair.html"))
    }
    #expect(!pages[0].isEmpty && pages[1] == pages[0])
  }

  @Test func reportsChangedTraffic() throws {
    let scratch = try scratch("kind: 'etas', traffic: 'city.json5', departureDate: '2026-11-23T07:00:00Z'")
    defer { scratch.remove() }
    try scratch.write("{ classes: { residential: { 'Mo 07:00-08:00': 3 } } }", to: "city.json5")
    let run = try report("--pair", "a → g", "--output", "pair.html", in: scratch)
    #expect(run.status == 3 && run.error.contains("no longer names the speeds of these results"), "\(run)")
  }

  /// Returns the page of a trip from `a` to `d` via `c`, slower from 7:00 to 8:00.
  private func pageOfTwoLegs(_ hours: String) throws -> String {
    let points = "acd".map { "\(PairPageTests.map[$0].latitude),\(PairPageTests.map[$0].longitude)" }
    let scratch = try Scratch(
      PairPageTests.map,
      [
        "links.txt":
          "https://maps.apple.com/directions?source=\(points[0])&waypoint=\(points[1])&destination=\(points[2])\n",
        "city.json5": "{ classes: { residential: { 'Mo 07:00-08:00': 2 } } }",
      ],
      job: "pairs: 'links.txt', kind: 'etas', traffic: 'city.json5', \(hours): ['06:00', '07:00'], "
        + "date: '2026-11-23'")
    defer { scratch.remove() }
    try scratch.write(scratch.text("job.json5").replacing("'walking'", with: "'automobile'"), to: "job.json5")
    let job = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(job.status == 0, "\(job.error)")
    let run = try report("--pair", "1", "--output", "pair.html", in: scratch)
    #expect(run.status == 0, "\(run.error)")
    return scratch.text("pair.html").replacing("\u{A0}", with: " ")
  }

  @Test func headlineHasTheSumOfAllLegs() throws {
    #expect(try pageOfTwoLegs("departures").contains("43 s, 300 m, by car, "))
  }

  @Test(arguments: ["departures", "arrivals"])
  func headlineAndStepsNameTheHour(hours: String) throws {
    let page = try pageOfTwoLegs(hours)
    #expect(page.contains("300 m, by car, Mon 23 Nov 2026, 06:00."))
    #expect(page.contains("leg 2, Mon 23 Nov 2026, 06:00, ") && page.contains("leg 1, Mon 23 Nov 2026, 07:00, "))
  }

  @Test func pageExplainsWhyAPairHasNoRoute() throws {
    let scratch = try scratch("kind: 'etas'")
    defer { scratch.remove() }
    #expect(try report("--pair", "i → a", "--output", "pair.html", in: scratch).status == 0)
    #expect(scratch.text("pair.html").contains("origin outside the map"))
  }

  @Test(arguments: [
    (["--pair", "z", "--output", "p.html"], 3, "--pair: no pair has the id z"),
    (["--pair", "a → g"], 2, "--pair needs --output FILE"),
    (["--pair", "a → g", "--output", "none/p.html"], 4, "none/p.html: the report cannot be written"),
    (["--tiles", "tiles.example.org"], 2, "--tiles: got tiles.example.org, expected an address such as"),
    (["--tiles", "https://a.org/{z}/{x}"], 2, "--tiles: got https://a.org/{z}/{x}"),
  ])
  func rejectsInvalidArguments(words: [String], status: Int32, sentence: String) throws {
    let scratch = try scratch("kind: 'etas'")
    defer { scratch.remove() }
    let run = try Run(Project.binary, ["report", "out"] + words, in: scratch.folder)
    #expect(run.status == status && run.error.contains(sentence), "\(run)")
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test func pagesMayLoadOnlyTiles() throws {
    let scratch = try scratch("kind: 'etas'")
    defer { scratch.remove() }
    #expect(try report("--tiles", "https://{s}.example.org/{z}/{x}/{y}.png", in: scratch).status == 0)
    let page = scratch.text("out/report.html")
    #expect(
      page.contains("img-src data: https://*.example.org&quot;")
        || page.contains("img-src data: https://*.example.org\""))
  }
}
