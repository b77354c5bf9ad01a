import Geography
import TestMaps
import Testing

struct TextBufferTests {
  @Test(arguments: [
    (0, 2, "0"), (5, 2, "0.05"), (-5, 2, "-0.05"), (100, 2, "1"), (12_340, 3, "12.34"), (-7, 0, "-7"),
    (Int64.max, 0, "9223372036854775807"), (Int64.min, 7, "-922337203685.4775808"), (10, 7, "0.000001"),
  ])
  func decimalsHaveNoTrailingZeros(value: Int64, places: Int, expected: String) {
    var text = TextBuffer()
    text.append(decimal: value, places: places)
    #expect(text.string() == expected)
  }

  @Test func writesLongitudeBeforeLatitude() {
    var text = TextBuffer()
    let points = [(249_384_000, 601_700_001), (-1_800_000_000, 0), (-5, -900_000_000)].map {
      FixedCoordinate(longitude: $0.0, latitude: $0.1)
    }
    text.append(positions: points[...])
    #expect(text.string() == "[24.9384,60.1700001],[-180,0],[-0.0000005,-90]")
  }

  @Test func roundTripsRandomPositions() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<10_000 {
      let point = FixedCoordinate(
        longitude: .random(in: -1_800_000_000...1_800_000_000, using: &random),
        latitude: .random(in: -900_000_000...900_000_000, using: &random))
      var text = TextBuffer()
      text.append(positions: [point])
      let numbers = text.string().dropFirst().dropLast().split(separator: ",").map { Double($0)! }
      #expect(FixedCoordinate(Coordinate(latitude: numbers[1], longitude: numbers[0])) == point)
    }
  }

  @Test func escapesJSONStrings() {
    var text = TextBuffer()
    text.append(jsonString: "a\"b\\c\nd\u{1}\u{1F}é</script>")
    #expect(text.string() == #""a\"b\\c\nd\u0001\u001fé</script>""#)
  }

  @Test func escapesTerminalControlCharacters() {
    var text = TextBuffer()
    text.append(jsonString: "é\u{7F}\u{9B}–\u{202E}\u{2069}x→")
    #expect(text.string() == "\"é\\u007f\\u009b–\\u202e\\u2069x→\"")
  }

  @Test func growsForLongTexts() {
    var text = TextBuffer(capacity: 1)
    for number in 0..<10_000 { text.append(integer: number) }
    #expect(text.string().count == 38_890)
  }

  @Test func separatesJSONMembersWithCommas() {
    var text = TextBuffer()
    text.append("{")
    text.member("name", "a \"b\"")
    text.member("none", nil as String?)
    text.member("null", orNull: nil)
    text.member("yes", true)
    text.member("count", 3)
    text.member("metres", 1.25, places: 1)
    text.key("list")
    text.list([[1, 2], []]) { $0.list($1) { $0.append(integer: $1) } }
    text.append("}")
    #expect(text.string() == #"{"name":"a \"b\"","null":null,"yes":true,"count":3,"metres":1.3,"list":[[1,2],[]]}"#)
  }
}
