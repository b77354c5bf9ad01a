import Foundation
import Geography
import Input
import Jobs
import Tables
import TestMaps
import Testing

/// Encodings, separators and numbers as written by other programs.
struct OddTextTests {
  @Test func rejectsFeaturesThatAreNotUTF8() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let feature = "{\"type\":\"Feature\",\"id\":\"caf?\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}"
    let bytes = Data("{\"type\":\"FeatureCollection\",\"features\":[\(feature)]}".utf8).map {
      $0 == UInt8(ascii: "?") ? 0xE9 : $0
    }
    try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("a.geojson")))
    let error = #expect(throws: OdometerError.self) { try PlaceTable(path: scratch.path("a.geojson"), role: .origin) }
    #expect(error?.problem.hasSuffix("the first one: not UTF-8 text") == true)
  }

  /// The JSON decoder drops strings with lone surrogates.
  @Test(arguments: [
    (#""\ud800""#, #"\ud800"#), (#""a\uDE00b""#, #"\uDE00"#), (#""\ud83d\ud83d\ude00""#, #"\ud83d"#),
    (#""\ud83dx""#, #"\ud83d"#), (#""\ud83d\ude00 \\ud800 \u00e9""#, ""),
  ])
  func rejectsFeaturesWithLoneSurrogates(name: String, half: String) throws {
    func feature(_ id: Int, _ name: String) -> String {
      #"{"type":"Feature","id":\#(id),"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":\#(name)}}"#
    }
    let features = "\(feature(7, name)),\(feature(8, "null"))"
    let table = try table(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8)
    #expect(table.places.map(\.id) == (half.isEmpty ? [.number(7), .number(8)] : [.number(8)]))
    #expect(
      table.rejected.map(\.reason)
        == (half.isEmpty ? [] : ["got half of a character, \(half), expected both surrogates, the high one first"]))
  }

  @Test(
    arguments: [#""id":"#, #""properties":{"GEOID":"#], [#""B 7""#, "9223372036854775809", "11111111111111111169"])
  func rejectedFeaturesHaveTheirIDs(member: String, id: String) throws {
    func feature(_ id: String, _ longitude: String) -> String {
      #"{"type":"Feature",\#(member)\#(id)\#(member.contains("{") ? "}" : ""),"geometry":"#
        + #"{"type":"Point","coordinates":[\#(longitude),2]}}"#
    }
    let features = "\(feature(#""A""#, "1")),\(feature(id, #""x""#))"
    let table = try table(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8)
    #expect(table.rejected.map(\.id) == [id.replacing("\"", with: "")])
  }

  @Test func rejectsFeaturesWithNUL() throws {
    let feature = #"{"type":"Feature","id":"a\u0000b","geometry":{"type":"Point","coordinates":[1,2]}}"#
    let features = "\(feature),\(feature.replacing("\\u0000", with: "\\\\u0000"))"
    let table = try table(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8)
    #expect(table.places.map(\.id) == [.text(#"a\u0000b"#)])
    #expect(table.rejected.map(\.reason) == [#"got a NUL, \u0000, expected text"#])
  }

  @Test(arguments: [("1e400", "inf"), ("[5]", "[…]"), ("{}", "{…}")])
  func weightsOfFeaturesMustBeNumbers(weight: String, shown: String) throws {
    func feature(_ weight: String) -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"population":\#(weight)}}"#
    }
    let features = "\(feature("7")),\(feature(weight))"
    let table = try table(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8)
    #expect(table.weights.isEmpty)
    #expect(
      table.notes.map { $0.hasSuffix("population is not a weight: 1 of 2 are not numbers (feature 2 \"\(shown)\")") }
        == [true])
  }

  @Test(arguments: [#""id":"#, #""properties":{"GEOID":"#])
  func numbersOfAnyLengthKeepTheirDigitsAsIDs(member: String) throws {
    let features = ["9007199254740993", "11111111111111111169", "11111111111111111170"].map { id in
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},\#(member)\#(id)"#
        + (member.contains("{") ? "}}" : "}")
    }
    let table = try table(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
    #expect(
      table.places.map(\.id.description) == ["9007199254740993", "11111111111111111169", "11111111111111111170"])
  }

  /// Databases pad fields of type char(n).
  @Test func spacesAroundIDsAndNumbersOfFeaturesAreIgnored() throws {
    let features = ["2", "2 ", "\\tx y "].enumerated().map { index, id in
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"id":"\#(id)","jobs":" \#(index)"}}"#
    }
    let table = try table(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
    #expect(table.places.map(\.id.description) == ["2", "x y"] && table.places.map(\.weight) == [0, 2])
    #expect(table.rejected.map(\.line) == [2])
  }

  @Test(arguments: ["[5]", "{}"])
  func listsAndObjectsAreNeitherIDsNorNames(value: String) throws {
    let feature =
      #"{"type":"Feature","id":\#(value),"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":\#(value)}}"#
    let table = try table(#"{"type":"FeatureCollection","features":[\#(feature),\#(feature)]}"#.utf8)
    #expect(table.places.map(\.id) == [.number(1), .number(2)] && table.places.allSatisfy { $0.name == nil })
    #expect(table.columns.hasPrefix("id: row number;"))
  }

  @Test(arguments: [("", 1), ("sep=;\n", 2), ("\n\n", 3)])
  func missingColumnsAreReportedAtTheHeader(above: String, line: Int) {
    let error = #expect(throws: OdometerError.self) { try table("\(above)id;lon\n1;2\n".utf8) }
    #expect(error?.line == line && error?.problem.hasPrefix("the header has no column for the latitude") == true)
  }

  @Test func refusesZipFilesOfPairs() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try storedZip([("pairs.csv", Data("id\n".utf8))]).write(to: URL(fileURLWithPath: scratch.path("pairs.zip")))
    let error = #expect(throws: OdometerError.self) {
      try PairTable(path: scratch.path("pairs.zip"), area: .earth, transportType: .walking)
    }
    #expect(error?.problem.hasPrefix("got a zip file, expected text such as CSV or GeoJSON; unpack it") == true)
  }

  /// Excel reads and writes such a line.
  @Test(arguments: ["sep=;\n", "\"sep=;\"\r\n", "\u{FEFF}SEP=;\n", "sep=; \n", "sep=;;;;\r\n"])
  func firstLineMayNameTheSeparator(line: String) throws {
    let table = try table("\(line)id;lon;lat;name\nx;1,5;2;a,b,c,d,e\n".utf8)
    #expect(table.places.map(\.id) == [.text("x")] && table.places.map(\.line) == [3])
    #expect(table.places.map(\.name) == ["a,b,c,d,e"])
    #expect(error("sep=|\nid|lon|lat\n1|1|1\n".utf8).contains("separated by |"))
  }

  @Test func messagesShowTheBeginningsOfLongNames() {
    let name = String(repeating: "x", count: 10_000)
    #expect(error("id,\(name),lat\n1,2,3\n".utf8).contains(": got id, \(name.prefix(60))…, lat, expected one of"))
  }

  private func table(_ bytes: some Sequence<UInt8>) throws -> PlaceTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("places")))
    return try PlaceTable(path: scratch.path("places"), role: .origin)
  }

  private func error(_ bytes: some Sequence<UInt8>) -> String {
    let error = #expect(throws: OdometerError.self) { try table(bytes) }
    return error?.problem ?? ""
  }

  @Test func readsLettersOfWindows1252() throws {
    let name: [UInt8] = [0x4B, 0xE4, 0x70, 0x80, 0xFC]
    let table = try table(Array("id,lon,lat,name\n1,1,1,".utf8) + name + Array("\n".utf8))
    #expect(table.places.map(\.name) == ["Käp€ü"])
  }

  @Test func readsWindows1252InPairs() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try Data(Array("id,fx,fy,tx,ty\n".utf8) + [0xC4, 0x31] + Array(",1,1,2,2\n".utf8)).write(
      to: URL(fileURLWithPath: scratch.path("pairs.csv")))
    let pairs = try PairTable(path: scratch.path("pairs.csv"), area: .earth, transportType: .walking).pairs
    #expect(pairs.map(\.id) == [.text("Ä1")])
  }

  @Test func reportsUTF16AndInvalidUTF8InJSON() throws {
    #expect(error([0xFF, 0xFE, 0x69, 0x00]).contains("UTF-16"))
    let json = #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":""#
    #expect(error(Array(json.utf8) + [0xE4] + Array(#""}}]}"#.utf8)).contains("not UTF-8"))
  }

  @Test(arguments: [
    ("id|lon|lat\n1|1|1\n", "separated by |"), ("# made today\nid,lon,lat\n1,1,1\n", "begins with #"),
    ("id,lon,lat\r1,1,1\r2,2,2\r", "carriage return alone"),
  ])
  func namesUnsupportedSeparatorsAndLineEnds(text: String, problem: String) {
    #expect(error(text.utf8).contains(problem))
  }

  @Test(arguments: [
    ("id,lon,lat,jobs\n1,1,1,\"1,234\"\n2,1,1,7\n", [1234, 7]),
    ("id,lon,lat,jobs\n1,1,1,\"1,234,567.5\"\n2,1,1,n/a\n", [1_234_567.5, nil]),
    ("id;lon;lat;jobs\n1;1;1;1,5\n2;1;1;2\n", [1.5, 2]), ("id;lon;lat;jobs\n1;1;1;1.234,5\n", [1234.5]),
    ("id;lon;lat;jobs\n1;1,5;1,5;1.5\n2;1;1;7\n", [1.5, 7]), ("id,lon,lat,jobs\n1,1,1,\"60.1,24.9\"\n", [nil]),
    ("id,lon,lat,latitude\n1,1,1,1\n", [nil]),
  ])
  func readsNumbersInCommonNotations(text: String, weights: [Double?]) throws {
    #expect(try table(text.utf8).places.map(\.weight) == weights)
  }

  @Test(arguments: [
    (
      "id,lon,lat,jobs\n1,1,1,\"1,5\"\n2,1,1,\"1,234\"\n3,1,1,\"2,75\"\n",
      "line 2 \"1,5\", line 4 \"2,75\", expected num"
    ),
    ("id,lon,lat,jobs\n1,1,1,\"0,125\"\n", "line 2 \"0,125\", expected num"),
    ("id;lon;lat;jobs\n1;1;1;1.234\n2;1;1;1,5\n", "line 2 \"1.234\", expected one notation"),
  ])
  func refusesColumnsWithAmbiguousCommas(text: String, problem: String) throws {
    #expect(error(text.utf8).hasPrefix("column jobs: got \(problem)"))
    #expect(try table(text.replacing("jobs", with: "height").utf8).weights.isEmpty)
  }

  @Test func reportsTheNumberOfMissingValues() throws {
    let table = try table("id,lon,lat,jobs,flats\n1,1,1,n/a,3\n2,1,1,,4\n3,1,1,5,many\n".utf8)
    #expect(table.weights.map(\.name) == ["jobs"])
    #expect(
      table.notes.map { String($0.split(separator: ": ", maxSplits: 1)[1]) } == [
        "column jobs: 2 of 3 have no value (line 2 \"n/a\", line 3 \"\")",
        "column flats is not a weight: 1 of 3 are not numbers (line 4 \"many\")",
      ])
  }

  @Test func reportsWindows1252() throws {
    let notes = try table(Array("id,lon,lat,name\n1,1,1,".utf8) + [0xE4, 0x0A]).notes
    #expect(notes.count == 1 && notes[0].hasSuffix("not UTF-8, read as Windows-1252"))
  }

  @Test func rejectsARowWithTextAfterAQuote() throws {
    let table = try table("id,lon,lat\n\"1\" a,1,1\n2,2,2\n".utf8)
    #expect(table.places.map(\.line) == [3])
    #expect(
      table.rejected.map(\.reason.description) == [
        "got text after a closing quote, expected a separator; quotes within a field are doubled"
      ])
  }

  @Test func refusesAQuoteThatHidesRows() {
    let problem = error("id,name,lon,lat\n1,\"a,1,1\n2,b,2,2\n3,c\"d,3,3\n".utf8)
    #expect(problem == "a quote is opened here and closed in line 4, where no separator follows it")
  }

  @Test(arguments: ["[,F]", "[F,]", "[F F]", "[F,,F]"])
  func refusesFeaturesWithoutExactlyOneCommaBetween(list: String) {
    let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}"#
    let text = #"{"type":"FeatureCollection","features":\#(list.replacing("F", with: point))}"#
    #expect(error(text.utf8).contains("comma"))
  }

  @Test func readsOnlyTheCollectionsOwnFeatures() throws {
    func features(_ longitude: Int) -> String {
      let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),2]}}"#
      return "\"features\" :[\(point)]"
    }
    let text = "{\"layers\":[{\(features(1))}],\"type\":\"features\",\(features(3)),\"more\":{\(features(4))}}"
    #expect(try table(text.utf8).places.map(\.coordinate.coordinate.longitude) == [3])
    #expect(error("{\(features(1)),\(features(3))}".utf8) == "got a second list of features, expected one")
    #expect(error("[ {\(features(1))}]".utf8) == "got a JSON list, expected a GeoJSON FeatureCollection")
    #expect(
      error("{\"type\":\"Job\",\"a\":{\"data\":{\"type\":\"FeatureCollection\",\(features(1))}}}".utf8)
        == "the FeatureCollection is within another object, at a.data; expected it alone, as jq can write it")
    #expect(error(#"{"features":{}}"#.utf8) == "features is not a list, expected a GeoJSON FeatureCollection")
  }

  @Test func keepsWeightsOfLines() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    func line(_ volume: String) -> String {
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]},"properties":{"Volume":\#(volume)}}"#
    }
    let text = #"{"type":"FeatureCollection","features":[\#(line("7")),\#(line(#""1,234""#)),\#(line("null"))]}"#
    let table = try PairTable(path: scratch.write(text, to: "p.geojson"), area: .earth, transportType: .walking)
    #expect(table.pairs.map(\.weight.description) == ["7.0", "1234.0", "nan"])
    #expect(table.notes.count == 1)
    #expect(table.notes[0].hasSuffix("p.geojson: column Volume: 1 of 3 have no value (feature 3 \"\")"))
  }

  @Test(arguments: [("2776000,8437000", "EPSG:3857"), ("385000,6672000", "UTM or national-grid metres")])
  func namesProjectedCoordinates(position: String, system: String) throws {
    #expect(error("id,lon,lat\n1,\(position)\n".utf8).contains("look like \(system)"))
  }

  @Test func rejectsInvalidFeaturesByIndex() throws {
    let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}"#
    let text = #"{"type":"Feature","geometry":{"type":"Point","coordinates":["1","2"]}}"#
    let bare = #"{"type":"Point","coordinates":[1,2]}"#
    let none = #"{"type":"Feature","geometry":null,"properties":{}}"#
    let broken = #"{"type":"Feature" 5}"#
    let items = [point, "5", #""a,]{""#, "[1,[2]]", "null", text, bare, none, broken, point]
    let table = try table(#"{"type":"FeatureCollection","features":[\#(items.joined(separator: ","))]}"#.utf8)
    #expect(table.places.map(\.line) == [1, 10])
    #expect(table.rejected.map(\.line) == Array(2...9))
    #expect(
      table.rejected.map(\.reason) == [
        "got 5 among the features, expected a Feature", #"got "a,]{" among the features, expected a Feature"#,
        "got [1,[2]] among the features, expected a Feature", "got null among the features, expected a Feature",
        #"coordinates: got "1", expected numbers, longitude first, as in a "Point""#,
        #"got an object of type "Point" among the features, expected a Feature"#, "the feature has no geometry",
        #"invalid JSON: {"type":"Feature" 5}"#,
      ])
  }
}
