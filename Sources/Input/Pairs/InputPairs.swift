import Hierarchy
import StreetNetwork
import Tables

/// The pairs of a table, in columns: eight bytes per pair, plus the values given in the input.
package struct InputPairs: RandomAccessCollection, Sendable {
  private var ends = BlockColumn<Leg>()
  /// Empty as long as no pair has an id; ids are then row numbers.
  private var ids = IdentifierColumn()
  private var groups = BlockColumn<Int32>()
  private var times = BlockColumn<Int32>()
  private var weights = BlockColumn<Double>()
  /// The avoidances of pairs in addition to the job's.
  private var avoids = BlockColumn<UInt8>()
  /// The legs of pairs that have several, by pair index.
  private var legs: [Int: [Leg]] = [:]
  /// For each rejected row, the number of pairs before it.
  private var rejections: [Int32] = []
  /// Whether ids are converted to strings, because not all ids of the job are numbers.
  var idsAreStrings = false

  /// The ends of a pair, or of one of its legs, as indices of places.
  package struct Leg: BitwiseCopyable, Sendable {
    package var origin: Int32
    package var destination: Int32
  }

  /// A row of the table; places are given by index.
  package struct Pair {
    package var id: Identifier
    package var origin: Int32
    package var destination: Int32
    /// -1 for none.
    package var group: Int32
    /// An index into the table's times; -1 for the job's time.
    package var time: Int32
    /// The weight; NaN if the input has none.
    package var weight: Double
    /// Avoidances in addition to the job's.
    package var avoids: Profile.Avoidance
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(index: Int) -> Pair {
    Pair(
      id: idsAreStrings ? identifier(at: index).asText : identifier(at: index), origin: ends[index].origin,
      destination: ends[index].destination, group: groups.isEmpty ? -1 : groups[index],
      time: times.isEmpty ? -1 : times[index], weight: weights.isEmpty ? .nan : weights[index],
      avoids: avoids.isEmpty ? [] : Profile.Avoidance(rawValue: avoids[index]))
  }

  /// Returns the legs of a pair, at least one.
  package func legs(of index: Int) -> [Leg] { legs[index] ?? [ends[index]] }

  /// The distinct avoidances of pairs in addition to the job's.
  package var avoidances: [Profile.Avoidance] {
    var isUsed = [Bool](repeating: false, count: 256)
    for avoidance in avoids { isUsed[Int(avoidance)] = true }
    return isUsed.indices.filter { isUsed[$0] && $0 > 0 }.map { Profile.Avoidance(rawValue: UInt8($0)) }
  }

  /// Returns the id of a pair in the input.
  func identifier(at index: Int) -> Identifier { ids.count > 0 ? ids[index] : .number(Int64(row(of: index))) }

  /// Numbers the pairs without an id, if others have one.
  mutating func finish() {
    guard ids.count > 0 else { return }
    ids = ids.withoutPlaceholders()
  }

  var idsAreNumbers: Bool { !ids.hasStrings }

  /// - Parameter legs: The legs of the pair, at least one.
  mutating func append(
    _ id: Identifier?, _ legs: [Leg], group: Int32?, time: Int32?, weight: Double?, avoids: Profile.Avoidance
  ) {
    if id != nil, ids.count == 0 { for index in indices { ids.append(.placeholder(row: row(of: index))) } }
    if id != nil || ids.count > 0 { ids.append(id ?? .placeholder(row: count + rejections.count + 1)) }
    InputPairs.append(group, to: &groups, none: -1, at: count)
    InputPairs.append(time, to: &times, none: -1, at: count)
    InputPairs.append(weight, to: &weights, none: .nan, at: count)
    InputPairs.append(avoids.isEmpty ? nil : avoids.rawValue, to: &self.avoids, none: 0, at: count)
    if legs.count > 1 { self.legs[count] = legs }
    ends.append(Leg(origin: legs[0].origin, destination: legs[legs.count - 1].destination))
  }

  /// Appends to a column that is empty as long as no pair has a value.
  private static func append<Value>(
    _ value: Value?, to column: inout BlockColumn<Value>, none: Value, at index: Int
  ) {
    guard value != nil || !column.isEmpty else { return }
    if column.isEmpty { column = BlockColumn(repeating: none, count: index) }
    column.append(value ?? none)
  }

  mutating func reject() { rejections.append(Int32(count)) }

  /// Returns the number of a pair's row, from 1; rejected rows are counted.
  private func row(of index: Int) -> Int {
    index + (0..<rejections.count).partitionPoint { rejections[$0] > index } + 1
  }
}
