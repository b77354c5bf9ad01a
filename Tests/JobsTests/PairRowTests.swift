import Foundation
import Results
import TestMaps
import Testing

import Jobs

/// Tables of pairs are read row by row as `CSVReader`, which has the whole file in memory, reads them.
struct PairRowTests {
  private struct Outcome: Equatable {
    var ids: [Identifier] = []
    var rejected: [RejectedRow] = []
  }

  /// What a table with a header of five columns should say.
  private func expected(_ bytes: [UInt8], file: String) -> Outcome {
    var outcome = Outcome()
    let names = ["o_lon", "o_lat", "d_lon", "d_lat"]
    for row in CSVReader(bytes).dropFirst() {
      let problem: String? =
        row.fields.count == 5
        ? zip(names, row.fields).lazy.compactMap(problem).first ?? place(row.fields)
        : "got \(row.fields.count) fields, expected 5 as in the header"
      if let problem {
        outcome.rejected.append(RejectedRow(file: file, line: row.line, text: row.text, reason: problem))
      } else {
        let number = Identifier.number(Int64(outcome.ids.count + outcome.rejected.count + 1))
        let id = row.fields[4].isEmpty ? number : Identifier(row.fields[4])
        if outcome.ids.contains(id) {
          outcome.rejected.append(RejectedRow(file: file, line: row.line, text: row.text, reason: ""))
        } else {
          outcome.ids.append(id)
        }
      }
    }
    if !outcome.ids.allSatisfy(\.isNumber) { outcome.ids = outcome.ids.map { .text("\($0)") } }
    return outcome
  }

  private func problem(_ column: String, _ field: String) -> String? {
    guard Double(field) == nil else { return nil }
    guard !field.isEmpty else { return "\(column) is empty" }
    return "\(column) \"\(field)\" is no number" + (field.contains(",") ? "; decimals are written with a point" : "")
  }

  /// Coordinates that are numbers, and no place: the sentence is another test's.
  private func place(_ fields: [String]) -> String? {
    let numbers = fields.prefix(4).compactMap(Double.init)
    return zip(numbers, [180.0, 90, 180, 90]).allSatisfy { abs($0) <= $1 } ? nil : ""
  }

  private func check(_ body: [UInt8], separator: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let header = ["o_lon", "o_lat", "d_lon", "d_lat", "id"].joined(separator: separator) + "\n"
    let bytes = Array(header.utf8) + body
    let path = scratch.path("pairs.csv")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let expected = expected(bytes, file: path)
    do {
      let table = try PairTable(path: path, area: .earth, transportType: .walking)
      var found = Outcome(ids: table.pairs.map(\.id), rejected: table.rejected)
      for (index, row) in found.rejected.enumerated()
      where row.reason.contains("lies outside -") || row.reason.contains("not finite")
        || row.reason.contains("is that of line")
      {
        found.rejected[index].reason = ""
      }
      #expect(found == expected)
    } catch let error as InputError {
      #expect(expected.ids.isEmpty, "\(error)")
      #expect(error.line == expected.rejected.first?.line)
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func rowsOfAnyTextAreReadAlike(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let separator = [",", ";", "\t"].randomElement(using: &random)!
    let pieces = [
      "1", "0", "-0", "7.5", "1e1", "12", "007", "x", "", " ", "\"", "\"\"", "\r", "\n", "\r\n", "é", "a\"b", separator,
      ",", ";", "1\(separator)2\(separator)3\(separator)4\(separator)",
      "\n1\(separator)2\(separator)3\(separator)4\(separator)9\n",
      "\"1\"\(separator)\"2\"\(separator)3\(separator) 4 \(separator)\"a\nb\"\n",
    ]
    for _ in 0..<10 {
      var body: [UInt8] = []
      for _ in 0..<Int.random(in: 1...40, using: &random) { body += pieces.randomElement(using: &random)!.utf8 }
      // A byte that is not UTF-8, now and then.
      if Int.random(in: 0..<4, using: &random) == 0 { body.insert(0xFF, at: body.count / 2) }
      try check(body, separator: separator)
    }
  }

  @Test(arguments: [
    "7", "-7", "0", "-0", "007", "+7", "7.0", "999999999999999999", "9223372036854775807", "9223372036854775808", "1_0",
  ])
  func idsAreNumbersAsTheirTextsSay(id: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n\(id),1,2,3,4\n", to: "pairs.csv")
    #expect(try PairTable(path: path, area: .earth, transportType: .walking).pairs[0].id == Identifier(id))
  }

  @Test func refusesMoreColumnsThanARowIsKeptOf() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let header = "o_lon,o_lat,d_lon,d_lat," + (0..<2045).map { "c\($0)" }.joined(separator: ",")
    let path = try scratch.write(header + "\n1,2,3,4\n", to: "pairs.csv")
    let error = #expect(throws: InputError.self) {
      try PairTable(path: path, area: .earth, transportType: .walking)
    }
    #expect(error?.description == "\(path):1: got 2049 columns, expected at most 2048")
  }
}
