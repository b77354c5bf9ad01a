import Foundation
import Reports
import Tables
import TestMaps
import Testing

/// Numbers and text as formatted on pages.
struct FormatTests {
  @Test(
    arguments: [
      (0, 0, "0"), (1234, 0, "1234"), (12345, 0, "12\u{202F}345"), (1_234_567.8, 0, "1\u{202F}234\u{202F}568"),
      (-3, 0, "−3"), (2.345, 2, "2.35"), (2.05, 1, "2.1"), (0.004, 2, "0.00"), (-0.004, 2, "0.00"), (7, 3, "7.000"),
      (.infinity, 0, "–"), (.nan, 2, "–"), (1e16, 0, "–"),
    ] as [(Double, Int, String)])
  func writesDecimals(value: Double, places: Int, expected: String) {
    #expect(Format.decimal(value, places) == expected)
  }

  private static let shares: [(Double, String)] = [
    (0.5, "50 %"), (1, "100 %"), (0.0764, "7.6 %"), (0.0997, "10 %"), (0.005, "0.5 %"), (0.0001, "under 0.1 %"),
    (0, "none"), (0.9999, "over 99 %"), (-0.16, "−16 %"),
  ]
  private static let times: [(Double, String)] = [
    (42, "42 s"), (59.6, "1 min"), (450, "7.5 min"), (600, "10 min"), (598, "10 min"), (2280, "38 min"),
    (3599, "1 h"), (5820, "1 h 37 min"), (0, "0 s"), (-1, "–"), (36_000_000, "10\u{202F}000 h"),
  ]
  private static let lengths: [(Double, String)] = [
    (850, "850 m"), (999.7, "1 km"), (4210, "4.2 km"), (40_870, "41 km"), (9960, "10 km"),
  ]
  private static let areas: [(Double, String)] = [
    (72_300_000, "72 km²"), (850_000, "0.85 km²"), (2_440_000, "2.4 km²"), (23_000, "0.023 km²"), (900, "900 m²"),
  ]

  private static let moments: [(String, String)] = [
    ("2019-05-13T14:00:30+02:00", "Mon 13 May 2019, 14:00"), ("2024-02-29T00:05:00Z", "Thu 29 Feb 2024, 00:05"),
    ("1999-12-31T23:59:59Z", "Fri 31 Dec 1999, 23:59"), ("2026-11-01T08:00:00-03:00", "Sun 1 Nov 2026, 08:00"),
    ("Mo 07:00", "Mo 07:00"), ("percentile 50", "percentile 50"), ("–", "–"),
  ]

  @Test(arguments: shares) func writesShares(share: Double, expected: String) {
    #expect(Format.percent(share) == expected)
  }

  @Test(arguments: times) func writesTimes(seconds: Double, expected: String) {
    #expect(Format.duration(seconds) == expected)
  }

  @Test(arguments: lengths) func writesLengths(metres: Double, expected: String) {
    #expect(Format.length(metres) == expected)
  }

  @Test(arguments: areas) func writesAreas(squareMetres: Double, expected: String) {
    #expect(Format.area(squareMetres) == expected)
  }

  private static let node = "/usr/bin/node"

  /// The page's script writes the same text, but with no-break spaces.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: node), "node is not installed"))
  func scriptFormatsNumbersIdentically() throws {
    let all: [(name: String, cases: [(Double, String)])] = [
      ("percent", FormatTests.shares), ("duration", FormatTests.times), ("length", FormatTests.lengths),
      ("area", FormatTests.areas),
    ]
    let calls =
      all.flatMap { list in list.cases.map { "console.log(\(list.name)(\($0.0)));" } }
      + FormatTests.moments.map { "console.log(moment('\($0.0)'));" }
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(
      String(contentsOfFile: Project.path("Sources/Reports/Page/base.js"), encoding: .utf8)
        + calls.joined(separator: "\n"), to: "format.js")
    let run = try Run(FormatTests.node, ["format.js"], in: scratch.folder)
    let output = run.output.replacing("\u{A0}", with: " ")
    #expect(run.output.contains("\n1\u{A0}h\u{A0}37\u{A0}min\n"))
    let expected = all.flatMap { $0.cases.map(\.1) } + FormatTests.moments.map(\.1)
    #expect(output.split(separator: "\n").map(String.init) == expected, "\(run.error)")
  }

  @Test func smallSumsOfWeightsHaveDecimals() {
    let sums = [0.099, 0.5, 2.25, 7, 9.96, 61_496.4]
    #expect(sums.map(Format.weight) == ["0.099", "0.50", "2.3", "7", "10", "61\u{202F}496"])
  }

  /// The small area is listed between the large one and its hole; another hole has no area.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: node), "node is not installed"))
  func scriptPutsHolesIntoTheAreasAroundThem() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let files = try ["base", "take"].map {
      try String(contentsOfFile: Project.path("Sources/Reports/Page/\($0).js"), encoding: .utf8)
    }
    let script = """
      const L = { latLng: (lat, lng) => ({ lat, lng }) };
      const square = (x, y, size, isHole) => {
        const corners = [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]];
        return Float64Array.from((isHole ? corners.reverse() : corners).flatMap(([x, y]) => world(y, x)));
      };
      const rings = [square(0, 0, 9), square(20, 0, 1), square(1, 1, 2, true), square(40, 0, 1, true)];
      console.log(areaGeometry(rings).coordinates.map((parts) => parts.map((ring) => ring[0][0]).join()).join(" "));
      """
    try scratch.write((files + [script]).joined(separator: "\n"), to: "holes.js")
    let run = try Run(FormatTests.node, ["holes.js"], in: scratch.folder)
    #expect(run.output == "0,1 20\n", "\(run)")
  }

  @Test(arguments: moments) func writesMoments(text: String, expected: String) {
    #expect(Format.moment(text) == expected)
  }

  @Test(arguments: [("2016-11-23", "23 Nov 2016"), ("2016-03-05T00:26:02Z", "5 Mar 2016"), ("", "")])
  func writesDays(text: String, expected: String) { #expect(Format.day(text) == expected) }

  @Test(arguments: [(900, "15"), (90, "1.5"), (0, "0"), (100, "1.7")])
  func writesSecondsAsMinutes(seconds: Double, expected: String) { #expect(Format.minutes(seconds) == expected) }

  @Test(arguments: [
    ("a & b", "a &amp; b"), ("<script>", "&lt;script&gt;"), ("\"'", "&quot;&#39;"), ("ä\r\n\t", "ä\r\n\t"),
    ("\u{0}\u{1B}", "\u{FFFD}\u{FFFD}"), ("&amp;", "&amp;amp;"),
  ])
  func escapesText(text: String, expected: String) { #expect(HTML.escaped(text) == expected) }
}
