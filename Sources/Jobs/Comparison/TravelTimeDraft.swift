import Geography
import Hierarchy
import Tables

/// Travel times while they are read.
struct TravelTimeDraft {
  let path: String
  let isUnitGiven: Bool
  let isSingle: Bool
  let areOfPairs: Bool
  let hours: Int
  private(set) var origins = Interner<String>()
  private(set) var destinations = Interner<String>()
  private var rows: [UInt32] = []
  private var columns: [UInt32] = []
  private var times: [Int32] = []

  /// - Parameters:
  ///   - hours: How many hours each origin has: 1 in a table without hours.
  ///   - areOfPairs: Whether origins are ids of pairs.
  package init(path: String, hours: Int = 1, isUnitGiven: Bool, isSingle: Bool = false, areOfPairs: Bool = false) {
    (self.path, self.hours, self.isUnitGiven) = (path, hours, isUnitGiven)
    (self.isSingle, self.areOfPairs) = (isSingle, areOfPairs)
  }

  /// The number of an origin.
  package mutating func origin(_ id: String) -> Int { origins.index(of: id) }
  /// The number of a destination.
  package mutating func destination(_ id: String) -> Int { destinations.index(of: id) }

  /// Adds a time in seconds: nil, or more than an answer can have (597 hours), where there is no route.
  package mutating func add(origin: Int, hour: Int = 0, destination: Int, seconds: Double?) {
    rows.append(UInt32(origin * hours + hour))
    columns.append(UInt32(destination))
    let milliseconds = seconds.map { ($0 * 1000).rounded() } ?? -1
    times.append(milliseconds >= 0 && milliseconds <= Double(Int32.max) ? Int32(milliseconds) : -1)
  }

  /// All of them in order. Of several times of a cell the first stays; how many were left out is told.
  package func finished(notes: [String]) -> TravelTimes {
    var ends = [Int](repeating: 0, count: origins.count * hours + 1)
    for row in rows { ends[Int(row) + 1] += 1 }
    for row in ends.indices.dropFirst() { ends[row] += ends[row - 1] }
    let sizes = ends
    // In the order of the file within each row.
    var order = [UInt32](repeating: 0, count: rows.count)
    for (index, row) in rows.enumerated() {
      order[ends[Int(row)]] = UInt32(index)
      ends[Int(row)] += 1
    }
    var (starts, sorted, values) = ([0], [UInt32](), [Int32]())
    sorted.reserveCapacity(rows.count)
    values.reserveCapacity(rows.count)
    for row in sizes.indices.dropLast() {
      let cells = order[sizes[row]..<sizes[row + 1]].sorted {
        (columns[Int($0)], $0) < (columns[Int($1)], $1)
      }
      for cell in cells where sorted.count == starts[row] || sorted.last != columns[Int(cell)] {
        sorted.append(columns[Int(cell)])
        values.append(times[Int(cell)])
      }
      starts.append(sorted.count)
    }
    let repeated = rows.count - sorted.count
    let more =
      repeated == 0
      ? []
      : ["\(path): \(repeated) of \(rows.count) rows repeat the ids of an earlier one: the first of each counts"]
    return TravelTimes(self, starts: starts, columns: sorted, times: values, notes: notes + more)
  }
}

/// Travel times that another program found, by the ids of origins and destinations, or of pairs.
package struct TravelTimes: Sendable {
  /// The file that they are of.
  package let path: String
  /// What a person should know of what was read, in sentences without an end.
  package let notes: [String]
  /// Whether whoever asks said what unit they are in.
  let isUnitGiven: Bool
  /// Whether they are 32-bit floats.
  let isSingle: Bool
  /// Whether their origins are ids of pairs, which alone say what a row is.
  let areOfPairs: Bool
  let origins: Interner<String>
  let destinations: Interner<String>
  /// How many hours each origin has: 1 in a table without hours.
  let hours: Int
  /// Where the times of each row begin, by origins and within each by hours; and where the last ones end.
  private let starts: [Int]
  /// Of each time its destination, ascending within a row.
  private let columns: [UInt32]
  /// Milliseconds, negative where there is no route.
  private let times: [Int32]

  init(
    _ draft: TravelTimeDraft, starts: [Int], columns: [UInt32], times: [Int32], notes: [String]
  ) {
    (path, isUnitGiven, isSingle) = (draft.path, draft.isUnitGiven, draft.isSingle)
    (areOfPairs, hours, self.notes) = (draft.areOfPairs, draft.hours, notes)
    (origins, destinations) = (draft.origins, draft.destinations)
    (self.starts, self.columns, self.times) = (starts, columns, times)
  }

  /// How many there are.
  var count: Int { times.count }

  /// The times of a row: their numbers.
  func numbers(ofRow row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }

  /// The number of the time of a cell; nil where the file has none.
  func number(ofRow row: Int, column: Int) -> Int? {
    let numbers = numbers(ofRow: row)
    // Most rows have all columns.
    if numbers.count == destinations.count { return numbers.lowerBound + column }
    let number = numbers.partitionPoint { Int(columns[$0]) >= column }
    return number < numbers.upperBound && Int(columns[number]) == column ? number : nil
  }

  /// The destination of a time.
  func column(of number: Int) -> Int { Int(columns[number]) }

  /// Milliseconds; negative where there is no route.
  func time(_ number: Int) -> Int64 { Int64(times[number]) }
}
