import TestMaps
import Testing

/// Sentences on terminals.
struct WrappingTests {
  /// A line break within a name would end its right-to-left direction.
  @Test(arguments: [nil, 25]) func keepsRightToLeftNamesOnOneLine(width: Int?) throws {
    let map = TestMap("a-b").way("ab")
    let (name, a) = ("\u{627}\u{628} \u{62A}\u{62B} \u{62C}\u{62D} \u{62E}\u{62F}", map["a"])
    let scratch = try Scratch()
    defer { scratch.remove() }
    let file = try scratch.write(map.opl, to: "map.opl")
    let places = try scratch.write("id,name,lon,lat\n1,\(name),\(a.longitude),\(a.latitude)\n", to: "places.csv")
    let job = try scratch.write(
      "{ kind: 'isochrones', map: '\(file)', transportType: 'walking', origins: '\(places)', thresholds: [1] }",
      to: "job.json5")
    let printed = Printed(["run", job, "--output", scratch.path("out"), "--workers", "1"], width: width)
    let lines = printed.output.split(separator: "\n").prefix { !$0.hasSuffix("results.sqlite") }
    #expect(lines.filter { $0.contains("\u{2068}\(name)\u{2069}") }.count == 1, "\(printed)")
    #expect(width == nil ? lines.count == 1 : lines.count > 1 && lines.allSatisfy { $0.count < 25 }, "\(printed)")
  }
}
