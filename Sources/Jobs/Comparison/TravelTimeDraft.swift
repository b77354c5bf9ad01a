import Tables

/// Travel times while they are read.
struct TravelTimeDraft {
  let path: String
  let isUnitGiven: Bool
  let isSingle: Bool
  let areOfPairs: Bool
  let hours: Int
  private(set) var origins = NumberedNames()
  private(set) var destinations = NumberedNames()
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
  package mutating func origin(_ id: String) -> Int { origins.number(of: id) }
  /// The number of a destination.
  package mutating func destination(_ id: String) -> Int { destinations.number(of: id) }

  /// Adds a time in seconds: nil, or more than an answer can have (597 hours), where there is no route.
  package mutating func add(origin: Int, hour: Int = 0, destination: Int, seconds: Double?) {
    rows.append(UInt32(origin * hours + hour))
    columns.append(UInt32(destination))
    let milliseconds = seconds.map { ($0 * 1000).rounded() } ?? -1
    times.append(milliseconds >= 0 && milliseconds <= Double(Int32.max) ? Int32(milliseconds) : -1)
  }

  /// All of them in order. Of several times of a cell the first stays; how many were left out is told.
  package func finished(notes: [String]) -> TravelTimes {
    var ends = [Int](repeating: 0, count: origins.names.count * hours + 1)
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
