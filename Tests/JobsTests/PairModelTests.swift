import Geography
import Input
import Tables
import TestMaps
import Testing

import Jobs

/// Tables of pairs, whose columns are packed, compared with a model that keeps everything in dictionaries.
struct PairModelTests {
  private struct Row {
    var id: String
    var origin: (id: String, name: String, point: String)
    var destination: (id: String, name: String, point: String)
    var group: String
  }

  /// The expected place of a row.
  private struct Place: Hashable {
    var id: String
    var role: PlaceRole
    var name: String?
    var point: String
  }

  private struct Model {
    private struct Key: Hashable {
      var role: PlaceRole
      var id: String
      var point: String
    }
    var places: [Place] = []
    private var indices: [Key: Int] = [:]
    private var numbers: [String: Int64] = [:]

    /// Gives each place without an id a number greater than all numeric ids.
    mutating func finish() {
      let largest = PairModelTests.largest(of: indices.keys.map(\.id))
      for (key, index) in indices where key.id.isEmpty { places[index].id = "\(Int64(places[index].id)! + largest)" }
    }

    mutating func index(_ role: PlaceRole, _ end: (id: String, name: String, point: String)) -> Int {
      let key = Key(role: role, id: end.id, point: end.point)
      if let known = indices[key] {
        if places[known].name == nil, !end.name.isEmpty { places[known].name = end.name }
        return known
      }
      var id = end.id
      if end.id.isEmpty {
        let number = numbers[end.point] ?? Int64(numbers.count + 1)
        numbers[end.point] = number
        id = "\(number)"
      }
      indices[key] = places.count
      places.append(Place(id: id, role: role, name: end.name.isEmpty ? nil : end.name, point: end.point))
      return places.count - 1
    }
  }

  private func rows(_ count: Int, _ random: inout SeededGenerator) -> [Row] {
    // Few distinct values, so that all combinations occur; sometimes a column is empty.
    let ids = [[""], ["", "7"], ["7", "8"], ["", "7", "007"], ["a", "b,c", "99999999999999999999", "-1", "1"]]
      .randomElement(using: &random)!
    let pairIDs = [[""], ["1", "2"], ["", "3", "x"], ["p", "q"]].randomElement(using: &random)!
    let names = [[""], ["", "N", "Nám"]].randomElement(using: &random)!
    let points = (1...Int.random(in: 1...12, using: &random)).map { "\($0),\($0 % 3)" } + ["x,1"]
    let groups = [[""], ["", "g"], ["g", "h"]].randomElement(using: &random)!
    func end() -> (String, String, String) {
      (
        ids.randomElement(using: &random)!, names.randomElement(using: &random)!, points.randomElement(using: &random)!
      )
    }
    return (0..<count).map { _ in
      Row(
        id: pairIDs.randomElement(using: &random)!, origin: end(), destination: end(),
        group: groups.randomElement(using: &random)!)
    }
  }

  /// Returns the largest number among the ids of the input.
  private static func largest(of ids: [String]) -> Int64 {
    ids.reduce(0) { if case .number(let number) = Identifier($1) { max($0, number) } else { $0 } }
  }

  private func check(_ rows: [Row]) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    func end(_ end: (id: String, name: String, point: String)) -> String { "\"\(end.id)\",\(end.name),\(end.point)" }
    let lines = rows.map { "\($0.id),\(end($0.origin)),\(end($0.destination)),\($0.group)\n" }
    try scratch.write(
      "id,o_id,o_name,o_lon,o_lat,d_id,d_name,d_lon,d_lat,group\n" + lines.joined(), to: "pairs.csv")
    var model = Model()
    var used: Set<String> = []
    let expected = rows.enumerated().filter { _, row in
      !(row.origin.point + row.destination.point).contains("x")
        && (row.id.isEmpty || used.insert(row.id).inserted)
    }
    let largest = PairModelTests.largest(of: expected.map(\.element.id))
    guard !expected.isEmpty else { return }
    let table = try PairTable(path: scratch.path("pairs.csv"), area: .earth, transportType: .walking)
    #expect(table.rejected.count == rows.count - expected.count && table.pairs.count == expected.count)
    for (pair, (line, row)) in zip(table.pairs, expected) {
      #expect("\(pair.id)" == (row.id.isEmpty ? "\(Int64(line + 1) + largest)" : row.id))
      #expect(Int(pair.origin) == model.index(.origin, row.origin))
      #expect(Int(pair.destination) == model.index(.destination, row.destination))
      #expect((pair.group < 0 ? "" : table.groups[Int(pair.group)]) == row.group)
    }
    model.finish()
    let places = table.places.map { place in
      let point = place.coordinate.coordinate
      return Place(
        id: "\(place.id)", role: place.role, name: place.name, point: "\(Int(point.longitude)),\(Int(point.latitude))")
    }
    #expect(places == model.places)
    let areNumbers = (model.places.map(\.id) + table.pairs.map { "\($0.id)" }).allSatisfy { Identifier($0).isNumber }
    #expect(table.idsAreNumbers == areNumbers)
    #expect((table.places.map(\.id) + table.pairs.map(\.id)).allSatisfy { $0.isNumber == areNumbers })
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func tablesEqualTheModel(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try check(rows(Int.random(in: 1...60, using: &random), &random))
  }

  /// The columns take more than one block.
  @Test func longTablesEqualTheModel() throws {
    var random = SeededGenerator(seed: 0)
    let rows = (0..<150_000).map { number in
      Row(
        id: number < 70_000 ? "" : number < 140_000 ? "\(number * 2)" : "p\(number)",
        origin: ("", "", "\(number % 170),\(number / 170 % 80)"),
        destination: (number % 3 == 0 ? "" : "\(number)", "", number % 1000 == 7 ? "x,0" : "3,4"),
        group: number > 100_000 && number % 7 == 0 ? "g" : "")
    }
    try check(rows.shuffled(using: &random))
  }
}
