import Results

/// The pairs of a table, in columns: eight bytes each, and those that the input says.
package struct InputPairs: RandomAccessCollection, Sendable {
  private var ends = BlockColumn<Ends>()
  /// Empty as long as no pair has one of its own: then it is the row.
  private var ids = IdentifierColumn()
  private var groups = BlockColumn<Int32>()
  private var departures = BlockColumn<Int32>()
  /// How many pairs were there when a row was rejected.
  private var rejections: [Int32] = []

  private struct Ends: BitwiseCopyable, Sendable {
    var origin: Int32
    var destination: Int32
  }

  /// A row: places by their index.
  package struct Pair {
    package var id: Identifier
    package var origin: Int32
    package var destination: Int32
    /// -1 for none.
    package var group: Int32
    /// -1 for that of the job.
    package var departure: Int32
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(index: Int) -> Pair {
    Pair(
      id: ids.count > 0 ? ids[index] : row(of: index), origin: ends[index].origin,
      destination: ends[index].destination, group: groups.isEmpty ? -1 : groups[index],
      departure: departures.isEmpty ? -1 : departures[index])
  }

  var idsAreNumbers: Bool { !ids.hasTexts }

  mutating func append(_ id: Identifier?, from origin: Int32, to destination: Int32, group: Int32, departure: Int32) {
    if id != nil, ids.count == 0 { for index in indices { ids.append(row(of: index)) } }
    if id != nil || ids.count > 0 { ids.append(id ?? row(of: count)) }
    InputPairs.append(group, to: &groups, at: count)
    InputPairs.append(departure, to: &departures, at: count)
    ends.append(Ends(origin: origin, destination: destination))
  }

  /// Appends to a column that is empty as long as no pair has a value there.
  private static func append(_ value: Int32, to column: inout BlockColumn<Int32>, at index: Int) {
    guard value >= 0 || !column.isEmpty else { return }
    if column.isEmpty { column = BlockColumn(repeating: -1, count: index) }
    column.append(value)
  }

  /// Counts a row that is no pair.
  mutating func reject() { rejections.append(Int32(count)) }

  /// The number of a pair's row, from 1; rejected ones count.
  private func row(of index: Int) -> Identifier {
    var (low, high) = (0, rejections.count)
    while low < high {
      let middle = (low + high) / 2
      if rejections[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return .number(Int64(index + low + 1))
  }
}
