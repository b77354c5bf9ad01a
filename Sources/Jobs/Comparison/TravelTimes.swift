import Tables

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
  let origins: NumberedNames
  let destinations: NumberedNames
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
    var (low, high) = (starts[row], starts[row + 1])
    // Most rows have all columns.
    if high - low == destinations.names.count { return low + column }
    while low < high {
      let middle = (low + high) / 2
      if Int(columns[middle]) < column { low = middle + 1 } else { high = middle }
    }
    return low < starts[row + 1] && Int(columns[low]) == column ? low : nil
  }

  /// The destination of a time.
  func column(of number: Int) -> Int { Int(columns[number]) }

  /// Milliseconds; negative where there is no route.
  func time(_ number: Int) -> Int64 { Int64(times[number]) }
}
