import Input
import Transit

extension FeedReader {
  /// The greatest pathway_mode, an exit gate.
  private static let lastMode = 7

  /// Reads pathways.txt: ways between the platforms, entrances and other nodes of a station.
  func readPathways() throws {
    guard feed.has("pathways.txt") else { return }
    let optional = ["traversal_time", "length", "stair_count"]
    try read("pathways.txt", ["from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional"], optional) {
      row throws(RowProblem) in
      let ends = (try node(row[0], in: "from_stop_id"), try node(row[1], in: "to_stop_id"))
      guard let mode = row[2].wholeNumber, (1...FeedReader.lastMode).contains(mode) else {
        throw RowProblem("pathway_mode is not from 1 to 7")
      }
      guard row[3].isDigit("0") || row[3].isDigit("1") else { throw RowProblem("is_bidirectional is neither 0 nor 1") }
      guard row[4].isEmpty || row[4].wholeNumber.map({ $0 > 0 }) == true else {
        throw RowProblem("traversal_time is not a whole number of seconds over 0")
      }
      let metres = row[5].isEmpty ? nil : try row[5].number(in: "length")
      guard metres.map({ (0...100_000).contains($0) }) != false else {
        throw RowProblem("length is not from 0 to 100000 metres")
      }
      var pathway = Timetable.Pathway(
        from: UInt32(ends.0), to: UInt32(ends.1), mode: UInt32(mode),
        seconds: row[4].wholeNumber.map { UInt32($0) } ?? Timetable.none,
        centimetres: metres.map { UInt32(($0 * 100).rounded()) } ?? Timetable.none, stairs: try stairs(row[6]))
      pathways.append(pathway)
      if row[3].isDigit("1") {
        swap(&pathway.from, &pathway.to)
        pathways.append(pathway)
      }
    }
  }

  private func node(_ id: RowField, in column: String) throws(RowProblem) -> Int {
    let node = try stop(id, in: column)
    guard stops[node].type != 1 else { throw RowProblem("\(column) is a station, expected one of its parts") }
    return node
  }

  /// The number of stairs; negative values of stair_count lead down.
  private func stairs(_ field: RowField) throws(RowProblem) -> UInt32 {
    guard !field.isEmpty else { return 0 }
    let count = try field.number(in: "stair_count")
    guard count == count.rounded(), abs(count) <= 10_000 else {
      throw RowProblem("stair_count is not a whole number from -10000 to 10000")
    }
    return UInt32(abs(count))
  }
}
