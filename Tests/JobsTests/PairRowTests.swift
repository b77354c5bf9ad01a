import Foundation
import Geography
import Input
import Tables
import TestMaps
import Testing

import Jobs

/// Tables of pairs are read row by row, with the same result as by `CSVReader`, which keeps the whole file in memory.
struct PairRowTests {
  private struct Outcome: Equatable {
    var ids: [Identifier] = []
    var rejected: [RejectedRow] = []
  }

  /// Returns the expected rows of a table with a header of five columns.
  private func expected(_ bytes: [UInt8], separator: String, file: String) -> Outcome {
    var outcome = Outcome()
    var missing: [(index: Int, row: Int)] = []
    // If semicolons are the separators, a comma is a decimal separator.
    func number(_ field: String) -> Double? {
      let isDecimal = separator == ";" && !field.contains(".") && field.count(where: { $0 == "," }) == 1
      return Double(decimal: isDecimal ? field.replacing(",", with: ".") : field)
    }
    func problem(_ column: String, _ field: String) -> String? {
      guard number(field) == nil else { return nil }
      guard !field.isEmpty else { return "\(column) is empty" }
      let advice = separator == ";" ? " of degrees" : "; decimals are written with a point"
      return "\(column) \"\(field)\" is not a number" + (field.contains(",") ? advice : "")
    }
    // Invalid coordinates, whose message is covered by another test.
    func place(_ fields: [String]) -> String? {
      zip(fields.prefix(4).compactMap(number), [180.0, 90, 180, 90]).allSatisfy { abs($0) <= $1 } ? nil : ""
    }
    let names = ["o_lon", "o_lat", "d_lon", "d_lat"]
    for row in CSVReader(bytes).dropFirst() {
      let problem: String? =
        row.hasOddQuote
        ? "got text after a closing quote, expected a separator; quotes within a field are doubled"
        : row.fields.count == 5
          ? zip(names, row.fields).lazy.compactMap(problem).first ?? place(row.fields)
          : "got \(row.fields.count) fields, expected 5 as in the header"
      let given = row.fields.count > 4 && !row.fields[4].isEmpty ? row.fields[4] : nil
      if let problem {
        outcome.rejected.append(RejectedRow(file: file, line: row.line, id: given, text: row.text, reason: problem))
      } else {
        let number = outcome.ids.count + outcome.rejected.count + 1
        let id = given.map(Identifier.init)
        if let id, outcome.ids.contains(id) {
          outcome.rejected.append(RejectedRow(file: file, line: row.line, id: given, text: row.text, reason: ""))
        } else {
          if id == nil { missing.append((outcome.ids.count, number)) }
          outcome.ids.append(id ?? .number(-1))
        }
      }
    }
    // Rows without an id get numbers above all existing ids.
    let largest = outcome.ids.reduce(Int64(0)) { if case .number(let number) = $1 { max($0, number) } else { $0 } }
    for (index, row) in missing { outcome.ids[index] = .number(Int64(row) + largest) }
    if !outcome.ids.allSatisfy(\.isNumber) { outcome.ids = outcome.ids.map { .text("\($0)") } }
    return outcome
  }

  private func check(_ body: [UInt8], separator: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let header = ["o_lon", "o_lat", "d_lon", "d_lat", "id"].joined(separator: separator) + "\n"
    let bytes = Array(header.utf8) + body
    let path = scratch.path("pairs.csv")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let expected = expected(bytes, separator: separator, file: path)
    do {
      let table = try PairTable(path: path, area: .earth, transportType: .walking)
      var found = Outcome(ids: table.pairs.map(\.id), rejected: table.rejected)
      for (index, row) in found.rejected.enumerated()
      where row.reason.contains("lies outside -") || row.reason.contains("not finite")
        || row.reason.contains("is already used by line") || row.reason.contains("expected degrees")
      {
        found.rejected[index].reason = ""
        found.rejected[index].points = []
      }
      #expect(found == expected)
      #expect(CSVReader.problem(of: bytes) == nil)
    } catch let error as OdometerError {
      if let problem = CSVReader.problem(of: bytes) {
        #expect("\(error)" == "\(path):\(problem.line): \(problem.sentence)")
        return
      }
      #expect(expected.ids.isEmpty, "\(error)")
      #expect(error.line == expected.rejected.first?.line)
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func rowsOfAnyTextEqualTheReference(seed: UInt64) throws {
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
      // Sometimes inserts a byte that is not valid UTF-8.
      if Int.random(in: 0..<4, using: &random) == 0 { body.insert(0xFF, at: body.count / 2) }
      try check(body, separator: separator)
    }
  }

  @Test(arguments: [
    "7", "-7", "0", "-0", "007", "+7", "7.0", "999999999999999999", "9223372036854775807", "9223372036854775808", "1_0",
  ])
  func idsAreNumbersIfTheirTextsAre(id: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n\(id),1,2,3,4\n", to: "pairs.csv")
    #expect(try PairTable(path: path, area: .earth, transportType: .walking).pairs[0].id == Identifier(id))
  }

  @Test func refusesTooManyColumns() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let header = "o_lon,o_lat,d_lon,d_lat," + (0..<2045).map { "c\($0)" }.joined(separator: ",")
    let path = try scratch.write(header + "\n1,2,3,4\n", to: "pairs.csv")
    let error = #expect(throws: OdometerError.self) {
      try PairTable(path: path, area: .earth, transportType: .walking)
    }
    #expect(error?.description == "\(path):1: got 2049 columns, expected at most 2048")
  }
}
