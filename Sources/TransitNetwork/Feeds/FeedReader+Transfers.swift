import Input

extension FeedReader {
  /// The maximum number of pairs of stops in transfers.txt, where a station stands for all its stops: a hundred times a
  /// country's.
  private static let mostTransfers = 1 << 22

  /// Reads frequencies.txt.
  func readFrequencies() throws {
    guard feed.has("frequencies.txt") else { return }
    var (headways, unknown) = (0, 0)
    try read("frequencies.txt", ["trip_id", "start_time", "end_time", "headway_secs"], ["exact_times"]) {
      row throws(RowProblem) in
      guard let trip = tripIDs.index(of: row[0]) else { throw RowProblem("trip_id is not in trips.txt") }
      unrepeatedTrips.insert(trip)
      let (start, end) = (try row[1].serviceTime(in: "start_time"), try row[2].serviceTime(in: "end_time"))
      guard start < end else { throw RowProblem("end_time is not after start_time") }
      guard let headway = row[3].wholeNumber, headway > 0 else {
        throw RowProblem("headway_secs is not a whole number of seconds over 0")
      }
      if !row[4].isEmpty, !row[4].isDigit("0"), !row[4].isDigit("1") { unknown += 1 }
      if !row[4].isDigit("1") { headways += 1 }
      frequencies.append(FeedFrequency(trip: trip, start: start, end: end, headway: Int32(headway)))
    }
    unrepeatedTrips.subtract(frequencies.map(\.trip))
    note(
      "frequencies.txt", unrepeatedTrips.count,
      "{trip is left out since all its|trips are left out since all their} rows are rejected")
    note("frequencies.txt", unknown, "{row has|rows have} an exact_times that is neither 0 nor 1, which is taken as 0")
    note("frequencies.txt", headways, "{headway|headways} without exact_times {is|are} taken as timetables")
  }

  /// Reads transfers.txt: rules for pairs of stops, and rules for staying seated between trips.
  func readTransfers() throws {
    guard feed.has("transfers.txt") else { return }
    var platforms: [Int: [Int]] = [:]
    for (index, stop) in self.stops.enumerated() where stop.type == 0 {
      if let parent = stop.parent { platforms[parent, default: []].append(index) }
    }
    /// The stops of a stop's or station's id.
    func ends(_ id: RowField, _ column: String) throws(RowProblem) -> [Int] {
      let index = try stop(id, in: column)
      switch self.stops[index].type {
      case 0: return [index]
      case 1: return platforms[index] ?? []
      default: throw RowProblem("\(column) is neither a stop nor a station")
      }
    }
    var pairs = Set<StopPair>()
    /// By the number of ends that are stations: rules for stops take precedence.
    var rules: [[(from: [Int], to: [Int], type: UInt8, seconds: Int32)]] = [[], [], []]
    var byTrip = 0
    try read(
      "transfers.txt", [],
      [
        "from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time", "from_trip_id", "to_trip_id",
        "from_route_id", "to_route_id",
      ]
    ) { row throws(RowProblem) in
      guard let type = row[2].isEmpty ? 0 : row[2].wholeNumber, type <= 5 else {
        throw RowProblem("transfer_type is not from 0 to 5")
      }
      guard type < 4 else {
        guard let from = tripIDs.index(of: row[4]), let to = tripIDs.index(of: row[5]) else {
          throw RowProblem("from_trip_id or to_trip_id is not in trips.txt, which transfer_type 4 and 5 need")
        }
        continuations.append(FeedContinuation(from: from, to: to, staysSeated: type == 4))
        return
      }
      guard (4...7).allSatisfy({ row[$0].isEmpty }) else {
        byTrip += 1
        return
      }
      let (from, to) = (try ends(row[0], "from_stop_id"), try ends(row[1], "to_stop_id"))
      guard row[3].isEmpty || row[3].wholeNumber != nil else {
        throw RowProblem("min_transfer_time is not a whole number of seconds")
      }
      let ids = [0, 1].map { stopIDs.index(of: row[$0]) ?? 0 }
      guard pairs.insert(StopPair(from: ids[0], to: ids[1])).inserted else {
        throw RowProblem("an earlier row has the same stops")
      }
      rules[ids.count { self.stops[$0].type == 1 }].append((from, to, UInt8(type), Int32(row[3].wholeNumber ?? 0)))
    }
    note("transfers.txt", byTrip, "transfers are by trip or route, which is not supported")
    let pairCount = rules.joined().reduce(0) { $0 + $1.from.count * $1.to.count }
    guard pairCount <= FeedReader.mostTransfers else {
      throw InputError(
        file: feed.path(of: "transfers.txt"),
        problem: "its rows are of \(pairCount) pairs of stops, expected at most \(FeedReader.mostTransfers)")
    }
    var known = Set<StopPair>()
    for rule in rules.joined() {
      for from in rule.from {
        for to in rule.to where known.insert(StopPair(from: from, to: to)).inserted {
          transfers.append(FeedTransfer(from: from, to: to, type: rule.type, seconds: rule.seconds))
        }
      }
    }
    transfers.sort { ($0.from, $0.to) < ($1.from, $1.to) }
  }
}

private struct StopPair: Hashable {
  var from: Int
  var to: Int
}

/// A row of frequencies.txt.
struct FeedFrequency {
  var trip: Int
  /// Seconds of the service day.
  var start: Int32
  var end: Int32
  /// Seconds.
  var headway: Int32
}

/// A row of transfers.txt between two stops.
struct FeedTransfer {
  var from: Int
  var to: Int
  /// transfer_type, from 0 to 3.
  var type: UInt8
  /// min_transfer_time.
  var seconds: Int32
}

/// A row of transfers.txt about staying seated from one trip to another.
struct FeedContinuation {
  var from: Int
  var to: Int
  var staysSeated: Bool
}
