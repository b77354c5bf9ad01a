import Geography
import Hierarchy
import Tables

/// Travel times that are still being read.
struct TravelTimeDraft {
  /// The table without its times.
  private var table: TravelTimes
  private var rows: [UInt32] = []
  private var columns: [UInt32] = []
  private var times: [Int32] = []

  /// - Parameters:
  ///   - hours: The number of hours per origin: 1 in a table without hours.
  ///   - areByPair: Whether origins are ids of pairs.
  package init(path: String, hours: Int = 1, isUnitGiven: Bool, isSingle: Bool = false, areByPair: Bool = false) {
    table = TravelTimes(path: path, isUnitGiven: isUnitGiven, isSingle: isSingle, areByPair: areByPair, hours: hours)
  }

  /// Returns the number of an origin.
  package mutating func origin(_ id: String) -> Int { table.origins.index(of: id) }
  /// Returns the number of a destination.
  package mutating func destination(_ id: String) -> Int { table.destinations.index(of: id) }

  /// Adds a time in seconds; nil or a time over the maximum (597 hours) means no route.
  package mutating func add(origin: Int, hour: Int = 0, destination: Int, seconds: Double?) {
    rows.append(UInt32(origin * table.hours + hour))
    columns.append(UInt32(destination))
    let milliseconds = seconds.map { ($0 * 1000).rounded() } ?? -1
    times.append(milliseconds >= 0 && milliseconds <= Double(Int32.max) ? Int32(milliseconds) : -1)
  }

  /// Returns all times in order. If a cell has several times, the first is kept and the others are counted.
  package func finished(notes: [String]) -> TravelTimes {
    var table = table
    let rowCount = table.origins.count * table.hours
    let byRow = Grouped<UInt32>(rowCount) { add in
      for (index, row) in rows.enumerated() { add(row, UInt32(index)) }
    }
    table.columns.reserveCapacity(rows.count)
    table.times.reserveCapacity(rows.count)
    for row in 0..<rowCount {
      let cells = byRow[UInt32(row)].sorted { (columns[Int($0)], $0) < (columns[Int($1)], $1) }
      for cell in cells where table.count == table.starts[row] || table.columns.last != columns[Int(cell)] {
        table.columns.append(columns[Int(cell)])
        table.times.append(times[Int(cell)])
      }
      table.starts.append(table.count)
    }
    table.notes = notes
    let repeated = rows.count - table.count
    if repeated > 0 {
      table.notes.append(
        "\(table.path): \(repeated) of \(rows.count) rows repeat the ids of an earlier one: the first of each is used")
    }
    return table
  }
}

/// Another program's travel times, by the ids of origins and destinations, or of pairs.
package struct TravelTimes: Sendable {
  /// The path of their file.
  package let path: String
  /// Notes about the file, without full stops.
  package fileprivate(set) var notes: [String] = []
  /// Whether the user set the unit.
  let isUnitGiven: Bool
  /// Whether the times are 32-bit floats.
  let isSingle: Bool
  /// Whether origins are ids of pairs, which identify rows without a destination.
  let areByPair: Bool
  fileprivate(set) var origins = Interner<String>()
  fileprivate(set) var destinations = Interner<String>()
  /// The number of hours per origin: 1 in a table without hours.
  let hours: Int
  /// The start index of each row's times, by origin and then hour, followed by the end index of the last row.
  fileprivate var starts = [0]
  /// The destination of each time, ascending within a row.
  fileprivate var columns: [UInt32] = []
  /// Milliseconds, negative for no route.
  fileprivate var times: [Int32] = []

  /// The number of times.
  var count: Int { times.count }

  /// Returns the indices of a row's times.
  func numbers(ofRow row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }

  /// Returns the index of a cell's time; nil if the file has none.
  func number(ofRow row: Int, column: Int) -> Int? {
    let numbers = numbers(ofRow: row)
    // Most rows have all columns.
    if numbers.count == destinations.count { return numbers.lowerBound + column }
    let number = numbers.partitionPoint { Int(columns[$0]) >= column }
    return number < numbers.upperBound && Int(columns[number]) == column ? number : nil
  }

  /// Returns the destination of a time.
  func column(of number: Int) -> Int { Int(columns[number]) }

  /// Returns a time in milliseconds; negative for no route.
  func time(_ number: Int) -> Int64 { Int64(times[number]) }
}
