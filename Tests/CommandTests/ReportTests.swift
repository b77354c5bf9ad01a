import Foundation
import TestMaps
import Testing

/// Reports as shown by a browser, on a wide screen and on a phone, compared with the database.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct ReportTests {
  private let map = TestMap(
    """
    a-b-c-d-e
      | | |
      f-g-h         9
    """
  ).way("abcde").way("bf").way("cg").way("dh").way("fgh")

  private static let jobs = [
    "routes": "pairs: 'pairs.csv'", "etas": "pairs: 'pairs.csv'",
    "matrix": "origins: 'origins.csv', destinations: 'stations.csv', summary: ['nearest', 'mean'], format: ['sqlite']",
    "access": "origins: 'origins.csv', stations: 'stations.csv', thresholds: [1, 2, 3], nearest: 2",
    "isochrones": "origins: 'stations.csv', thresholds: [1, 2, 3]",
    "traces": "traces: 'traces.csv'",
  ]

  /// Every destination is an origin.
  private static let square = "origins: 'origins.csv', summary: ['nearest', 'mean'], format: ['sqlite']"

  /// Two departure times, between which streets become faster.
  private static let hourly = [
    "routes": "pairs: 'pairs.csv'", "etas": "pairs: 'pairs.csv'",
    "matrix": "origins: 'origins.csv', destinations: 'stations.csv'",
    "access": "origins: 'origins.csv', stations: 'stations.csv', thresholds: [1, 2, 3]",
    "isochrones": "origins: 'stations.csv', thresholds: [1, 2, 3]",
  ].mapValues {
    "\($0), traffic: 'city.json5', departures: ['07:00', '08:00'], week: ['Mo'], timeZone: 'Europe/Lisbon'"
  }

  /// Text that would end an element, an attribute or a string if it were not escaped.
  private static let odd = #"</script><!-- 'h' \ 🚲"#

  /// Creates a finished job of a kind in the folder `out`.
  private func scratch(_ kind: String, isHourly: Bool = false, isSquare: Bool = false) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    func list(_ letters: String) -> [String] {
      letters.map {
        "\($0),\($0 == "h" ? ReportTests.odd : "<b>\($0) & co</b>"),\(map[$0].longitude),\(map[$0].latitude)"
      }
    }
    let origins = zip(list("abcdefgh9"), 1...).map { "\($0),\($1 * 10),\($1)\n" }.joined()
    try scratch.write("id,name,lon,lat,population,jobs\n\(origins)x,,500,0,1,1\n", to: "origins.csv")
    try scratch.write("id,name,lon,lat\n" + list("bh").joined(separator: "\n") + "\n", to: "stations.csv")
    try scratch.write("{ classes: { residential: { 'Mo 07:00-08:00': 2 } } }", to: "city.json5")
    let traces = ["dhgf", "edc", "fgh", "99"].enumerated().map { index, letters in
      map.fixes(
        index == 1 ? ReportTests.odd : "<b>\(index)</b>", along: letters, at: TestMap.monday + Double(index) * 3600)
    }
    // From a to d, with a stop of eight minutes there.
    let standing = (1...16).map {
      "<b>0</b>,\(TestMap.monday - 510 + Double($0) * 30),\(map["d"].longitude),\(map["d"].latitude)\n"
    }
    let first = map.fixes("<b>0</b>", along: "abcd", at: TestMap.monday - 570) + standing.joined()
    try scratch.write(map.traces([first] + traces), to: "traces.csv")
    let pairs = zip("abcd9a", "hgfeaa").enumerated().map { index, ends in
      let (from, to) = ends
      let names = index == 2 ? ("דרך", "רחוב 5") : ("\(from)", "\(to)")
      return
        "\(index == 1 ? ReportTests.odd : "p\(index)"),\(names.0),\(map[from].longitude),\(map[from].latitude),\(names.1),\(map[to].longitude),\(map[to].latitude)\n"
    }
    try scratch.write("id,origin_id,o_lon,o_lat,destination_id,d_lon,d_lat\n" + pairs.joined(), to: "pairs.csv")
    try scratch.write(
      "{ kind: '\(kind)', map: 'map.opl', transportType: 'walking', output: 'out', "
        + (kind == "traces" ? "" : "snapLimit: 200, ")
        + "\(isSquare ? ReportTests.square : (isHourly ? ReportTests.hourly : ReportTests.jobs)[kind]!) }",
      to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    return scratch
  }

  private func rows(_ scratch: Scratch, _ statement: String) throws -> [[String]] {
    let output = try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", statement], in: scratch.folder).output
    return output.split(separator: "\n").map {
      $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test(arguments: jobs.keys.sorted())
  func pageIsSelfContainedAndReproducible(kind: String) throws {
    let scratch = try scratch(kind)
    defer { scratch.remove() }
    let page = scratch.text("out/report.html")
    // In addition, `measure.js` checks that a browser loads no other files.
    let text = page.replacing(/<script>.*?<\/script>/.dotMatchesNewlines()) { _ in "" }
    for foreign in [" src=", "<link", "@import", "url(", "<b>a", "<script src"] {
      #expect(!text.contains(foreign), "found \(foreign)")
    }
    #expect(page.contains("default-src &#39;none&#39;"))
    // Lists of pairs and traces contain no names.
    #expect(page.contains("&lt;b&gt;b &amp; co&lt;/b&gt;") == !["routes", "etas", "traces"].contains(kind))
    let again = try Run(odometer: "report", "out/results.sqlite", "--output", "again.html", in: scratch.folder)
    #expect(again.status == 0 && again.output == "again.html\n")
    #expect(scratch.text("again.html") == page)
  }

  /// A browser's measurements of a page, taken by `measure.js`.
  private struct Measured: Decodable {
    var width: Double
    var overflow: Double
    var figures: Int
    var complaints: [String]
    /// The rows' values, and the text of empty cells, by caption.
    var tables: [String: [[String]]]
    var sorted: [Bool]
  }

  @Test(
    .enabled(if: KindsOfResults.hasBrowser, "chromium-headless-shell is not installed"), arguments: jobs.keys.sorted())
  func nothingOverflowsAndNumbersMatchTheDatabase(kind: String) throws {
    let scratch = try scratch(kind)
    defer { scratch.remove() }
    let script = String(
      decoding: FileManager.default.contents(atPath: Project.path("Tests/CommandTests/measure.js"))!, as: UTF8.self)
    try scratch.write(
      """
      <!DOCTYPE html><body style="margin:0"><iframe src="out/report.html" width="1200" height="3000"></iframe>
      <iframe src="out/report.html" width="390" height="3000"></iframe><pre id="measured"></pre><script>\(script)</script>
      """, to: "measure.html")
    let flags = [
      "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files",
      "--virtual-time-budget=5000",
    ]
    let dom = try Run(
      KindsOfResults.browser, flags + ["--dump-dom", "file://\(scratch.path("measure.html"))"], in: scratch.folder)
    let text = try #require(dom.output.split(separator: "<pre id=\"measured\">").last?.split(separator: "</pre>").first)
    let json = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    let views = try JSONDecoder().decode([Measured].self, from: Data(json.utf8))
    #expect(views.map(\.width) == [1200, 390])
    for view in views {
      #expect(view.overflow <= 0, "\(view.width): \(view.overflow) pixels too wide")
      #expect(view.complaints.isEmpty, "\(view.width): \(view.complaints)")
      #expect(view.figures >= (kind == "isochrones" ? 4 : 3) && view.sorted.allSatisfy(\.self) && !view.sorted.isEmpty)
    }
    try expectDatabaseNumbers(kind, scratch, views[0].tables)
    for (name, size) in [("wide", "1200,1600"), ("phone", "500,1600")] {
      let picture = scratch.path("\(name).png")
      try Run(
        KindsOfResults.browser,
        flags + ["--window-size=\(size)", "--screenshot=\(picture)", "file://\(scratch.path("out/report.html"))"],
        in: scratch.folder)
      #expect(scratch.bytes("\(name).png").count > 20_000)
    }
  }

  /// Runs `explore.py`, which selects, sorts, searches and moves the map as a user would.
  @Test(
    .enabled(if: KindsOfResults.hasDriver, "chromedriver is not installed"),
    arguments: jobs.keys.sorted() + hourly.keys.map { "\($0) by hour" }.sorted() + ["matrix between places"])
  func pageRespondsToTheUser(kind: String) throws {
    let words = kind.split(separator: " ", maxSplits: 1)
    let scratch = try scratch(
      String(words[0]), isHourly: kind.hasSuffix("by hour"), isSquare: kind.hasSuffix("between places"))
    defer { scratch.remove() }
    for words in [["--embed", "out/embed.html"], ["--card", "out/card.svg"]] {
      let run = try Run(Project.binary, ["report", "out"] + words, in: scratch.folder)
      #expect(run.status == 0 && run.output == "\(words[1])\n", "\(run.error)")
    }
    let run = try Run(
      "/usr/bin/python3", [Project.path("Tests/CommandTests/explore.py"), scratch.path("out")], in: scratch.folder)
    #expect(run.output.isEmpty && run.status == 0, "\(run.output)\(run.error)")
  }

  private func expectDatabaseNumbers(_ kind: String, _ scratch: Scratch, _ tables: [String: [[String]]]) throws {
    let scale = ["distance": 1000, "speed": 1 / 3.6, "expected_travel_time": 60, "area": 1_000_000, "dwell_time": 60]
    let spread = try #require(tables["Distribution of each measure table statistic"])
    let statistics = try rows(
      scratch,
      "SELECT measure, count, min, p05, p25, median, mean, p75, p95, max FROM statistic WHERE scope NOT LIKE 'hour:%'")
    #expect(spread.count == statistics.count)
    for statistic in statistics {
      let scale = scale[statistic[0]] ?? 1
      let expected = [Double(statistic[1])!] + statistic[2...].map { Double($0)! / scale }
      #expect(
        spread.contains { row in zip(row[2...].map { Double($0)! }, expected).allSatisfy { abs($0 - $1) < 1e-6 } },
        "\(statistic) is not on the page")
    }
    switch kind {
    case "access":
      let shares = try #require(tables["Within each threshold table access_share"])
      let right = try rows(scratch, "SELECT measure, threshold / 60.0, value, total, share FROM access_share")
      #expect(shares.count == right.count)
      for row in right {
        #expect(
          shares.contains { found in
            found[0] == row[0] && zip(found[1...], row[1...]).allSatisfy { abs(Double($0)! - Double($1)!) < 1e-9 }
          }, "\(row) is not on the page")
      }
      #expect(tables["Catchments of stations, residents table station_service"]?.count == 2)
      #expect(
        tables["Origins without a station, the largest population first table access"]?.map { $0[1] } == [
          "outside the map"
        ])
      #expect(tables["Rejected input rows table rejected"]?.count == 1)
    case "routes", "etas":
      #expect(tables["Longest travel times table route"]?.count == 5)
      #expect(
        tables["Pairs without an answer table route"]?.map { $0[3] } == ["origin outside the map"])
    case "matrix":
      #expect(tables["Origins with the fewest destinations or longest times table origin_summary"]?.count == 9)
    case "traces":
      #expect(tables["Slowest compared with the profile table trace"]?.count == 3)
      #expect(
        tables["Traces by the hour in which they begin table statistic, scope hour:00 to hour:23"]?.map { $0[0] } == [
          "07:00", "09:00", "10:00",
        ])
      #expect(tables["Unmatched or doubtful table trace"]?.map { $0[1] } == ["too_short"])
    default: #expect(tables["Within 3 minutes table isochrone"]?.count == 2)
    }
  }

  @Test(arguments: [
    ("none.sqlite", "none.sqlite: no such file; expected a results.sqlite or its folder"),
    ("job.json5", "job.json5: not a results database: file is not a database"),
  ])
  func rejectsOtherFiles(file: String, message: String) throws {
    let scratch = try scratch("etas")
    defer { scratch.remove() }
    let run = try Run(odometer: "report", file, in: scratch.folder)
    #expect(run.status == 3 && run.error == "odometer: \(message)\n")
  }

  @Test(.enabled(if: Project.hasHelsinki, "the sample map is missing: make sample"))
  func hundredThousandOriginsStayUnderFiveMegabytes() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var random = SeededGenerator(seed: 4)
    let origins = (0..<100_000).map { number in
      "\(number),\(Double.random(in: 24.925...24.958, using: &random)),\(Double.random(in: 60.160...60.178, using: &random)),1\n"
    }
    try scratch.write("id,lon,lat,population\n" + origins.joined(), to: "origins.csv")
    try scratch.write(
      """
      { kind: 'access', map: '\(Project.helsinki)', transportType: 'walking', origins: 'origins.csv',
        stations: 'osm:railway=station,subway_entrance,tram_stop', output: 'out' }
      """, to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", "--quiet", "--cache", "cache", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    let size = scratch.bytes("out/report.html").count
    #expect(size > 300_000 && size < 5_000_000, "\(size) bytes")
  }
}
