import Geography
import Transit

/// A row of stop_times.txt.
struct StopTime {
  var line: UInt32
  var trip: UInt32
  var sequence: UInt32
  var stop: UInt32
  /// Seconds of the service day; both are `blank` between timed stops.
  var arrival: Int32
  var departure: Int32
  var mayBoard: Bool
  var mayAlight: Bool
  /// `shape_dist_traveled`; NaN if there is none.
  var distance: Double
  /// The index of `stop_headsign` among the feed's headsigns; 0 for none.
  var headsign: UInt32 = 0
  /// The segment of the trip's shape by `shape_dist_traveled`; `none` if it is unknown.
  var segment = Timetable.none

  static let blank = Int32.min
  var isTimed: Bool { arrival != StopTime.blank }
}

/// The stop times of one trip, to be sorted and repaired.
struct TripStopTimes {
  private(set) var rows: [StopTime] = []

  private static let day: Int32 = 86_400
  /// The maximum number of seconds added to the times of one trip: longer than any train journey.
  private static let maximumAdded = 14 * day

  /// Starts over with the rows of another trip.
  mutating func begin(_ rows: some Collection<StopTime>) {
    self.rows.removeAll(keepingCapacity: true)
    self.rows.append(contentsOf: rows)
  }

  /// Sorts the rows by stop_sequence.
  ///
  /// - Parameter reject: Called with the line of each row that repeats an earlier row's stop_sequence.
  mutating func sort(reject: (UInt32) -> Void) {
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
    guard !isSorted else { return }
    rows.sort { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
    var last: UInt32?
    rows.removeAll { row in
      defer { last = row.sequence }
      guard row.sequence == last else { return false }
      reject(row.line)
      return true
    }
  }

  /// Removes rows before the first timed one and after the last; calls `reject` with the line of each.
  mutating func trim(reject: (UInt32) -> Void) {
    guard let first = rows.first, let last = rows.last, !first.isTimed || !last.isTimed else { return }
    let start = rows.firstIndex(where: \.isTimed) ?? rows.count
    let end = (rows.lastIndex(where: \.isTimed) ?? rows.count - 1) + 1
    for row in rows[..<start] + rows[end...] { reject(row.line) }
    rows = Array(rows[start..<max(start, end)])
  }

  /// Makes times non-decreasing: a time more than 12 h before the previous one belongs to the next day, and if a
  /// call's arrival is after its departure, the arrival time is used for both.
  ///
  /// - Returns: Whether times after midnight were written as 00:xx and days were added; the number of calls whose
  ///   arrival time is after their departure time; and the line of a time that is earlier than the previous one, which
  ///   makes the trip invalid.
  mutating func makeNondecreasing() -> (addsDays: Bool, lateArrivals: Int, decreasingLine: UInt32?) {
    var (addsDays, lateArrivals) = (false, 0)
    var (added, last) = (Int32(0), Int32.min)
    /// Returns a time plus the days added so far; adds a day if the time decreases by more than 12 h.
    func adjusted(_ time: Int32) -> Int32 {
      if last != .min, time + added < last - TripStopTimes.day / 2, added < TripStopTimes.maximumAdded {
        added += TripStopTimes.day
        addsDays = true
      }
      return time + added
    }
    for index in rows.indices where rows[index].isTimed {
      let arrival = adjusted(rows[index].arrival)
      guard arrival >= last else { return (addsDays, lateArrivals, rows[index].line) }
      last = arrival
      var departure = adjusted(rows[index].departure)
      if departure < arrival {
        departure = arrival
        lateArrivals += 1
      }
      last = departure
      (rows[index].arrival, rows[index].departure) = (arrival, departure)
    }
    return (addsDays, lateArrivals, nil)
  }

  /// Interpolates the times of blank rows between timed ones: along shape_dist_traveled if all rows have it and it
  /// increases, or else along straight lines between the stops. Times are rounded to seconds.
  ///
  /// - Parameter points: The position of each stop.
  /// - Returns: The number of blank rows.
  mutating func interpolate(_ points: [MeasuredPoint]) -> Int {
    var blanks = 0
    var from = 0
    for to in rows.indices.dropFirst() where rows[to].isTimed {
      if to > from + 1 {
        interpolate(from, to, positions(from...to, points))
        blanks += to - from - 1
      }
      from = to
    }
    return blanks
  }

  /// Returns the position of each row of a part of the trip along the part, from 0 at its first row.
  private func positions(_ part: ClosedRange<Int>, _ points: [MeasuredPoint]) -> [Double] {
    let distances = rows[part].map(\.distance)
    if distances.isIncreasing { return distances.map { $0 - distances[0] } }
    var metres = 0.0
    let straight: [Double] =
      [0]
      + zip(rows[part], rows[part].dropFirst()).map { a, b in
        metres += points[Int(a.stop)].distance(to: points[Int(b.stop)])
        return metres
      }
    // If all stops are at the same point, the rows are spaced evenly.
    return metres > 0 ? straight : straight.indices.map { Double($0) }
  }

  private mutating func interpolate(_ from: Int, _ to: Int, _ positions: [Double]) {
    let (start, end) = (rows[from].departure, rows[to].arrival)
    for (index, position) in zip(from + 1..<to, positions.dropFirst()) {
      let share = position / positions[positions.count - 1]
      let time = start + Int32((Double(end - start) * share).rounded())
      (rows[index].arrival, rows[index].departure) = (time, time)
    }
  }
}

extension [Double] {
  /// Whether the last value is above the first, and none is below the previous one or NaN.
  var isIncreasing: Bool { count > 1 && self[count - 1] > self[0] && zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
