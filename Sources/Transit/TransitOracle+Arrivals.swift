import Hierarchy

/// Travel times from all stops to a place, for all arrivals of a window at once, by plain search backward in time.
///
/// Riders who arrive early are also in time for later arrivals. So arrivals are searched from the first to the last,
/// and each search stops at states that an earlier one has visited with as few rides.
extension TransitOracle {
  /// An arrival of a vehicle at which riders may alight: a call of a run, and the second of the arrival.
  struct Alighting {
    var second: Int
    var run: Int
    var call: Int
  }

  /// The connections into stops and runs.
  struct Inward {
    /// By stop, ascending.
    var alightings: [[Alighting]]
    /// By run: the runs from which riders stay seated.
    var previousRuns: [[Int]]
    /// By stop: the stops from which riders may change to it.
    var changes: [[Change]]

    init(_ oracle: TransitOracle) {
      let timetable = oracle.timetable
      alightings = Array(repeating: [], count: timetable.stops.count)
      previousRuns = Array(repeating: [], count: oracle.runs.count)
      changes = Array(repeating: [], count: timetable.stops.count)
      for (index, run) in oracle.runs.enumerated() where oracle.usable?[run.trip] != false {
        for next in run.next { previousRuns[next].append(index) }
        for call in timetable.calls(of: run.trip).dropFirst() {
          let stop = Int(timetable.callStops[call])
          guard timetable.callFlags[call] & Timetable.noAlighting == 0, oracle.stops?[stop] != false else { continue }
          alightings[stop].append(Alighting(second: Int(timetable.arrivals[call]) + run.shift, run: index, call: call))
        }
      }
      for stop in alightings.indices { alightings[stop].sort { ($0.second, $0.run) < ($1.second, $1.run) } }
      for (stop, others) in oracle.changes.enumerated() {
        for other in others {
          changes[other.stop].append(Change(stop: stop, seconds: other.seconds, walked: other.walked))
        }
      }
    }
  }

  /// Returns travel times in milliseconds, by stop and arrival of the window; nil if no trip is within the limit.
  func timesFromStops(to egress: [StopWalks.Walk]) -> [[Int?]] {
    precondition(window.isArrival, "expected a window of arrivals")
    let search = ArrivalSearch(self)
    /// The latest departure from each stop with which riders arrive by `moment`.
    var latestDepartures = [Int](repeating: .min, count: timetable.stops.count)
    var times = latestDepartures.map { _ in [Int?](repeating: nil, count: window.departures.count) }
    for moment in Set(window.departures).sorted() {
      search.run(to: egress, by: moment) { stop, second in
        latestDepartures[stop] = max(latestDepartures[stop], (second - window.boardingSlack) * 1000)
      }
      for index in window.departures.indices where window.departures[index] == moment {
        for stop in latestDepartures.indices
        where latestDepartures[stop] > .min && moment - latestDepartures[stop] <= window.limit {
          times[stop][index] = moment - latestDepartures[stop]
        }
      }
    }
    return times
  }
}

/// The calls and stops from which one place has been reached.
private final class ArrivalSearch {
  private let oracle: TransitOracle
  private let inward: TransitOracle.Inward
  private var aboard: RidersAboard
  /// By number of following rides and by stop: the second up to which all arriving vehicles have been used.
  private var searched: [[Int]]

  init(_ oracle: TransitOracle) {
    (self.oracle, inward) = (oracle, oracle.inward ?? TransitOracle.Inward(oracle))
    aboard = RidersAboard(oracle)
    searched = aboard.rides.map { _ in Array(repeating: .min, count: oracle.timetable.stops.count) }
  }

  /// Calls `board` with the stop and second of each departure that no earlier run has found.
  ///
  /// - Parameter moment: In milliseconds; not earlier than in the previous run.
  func run(to egress: [StopWalks.Walk], by moment: Int, _ board: (Int, Int) -> Void) {
    let first = TransitOracle.lastSecond(before: moment - oracle.window.limit)
    var standing = egress.map {
      (stop: Int($0.stop), second: TransitOracle.lastSecond(before: moment - Int($0.milliseconds)), rides: 0)
    }
    while let rider = standing.popLast() {
      let alightings = inward.alightings[rider.stop]
      let start = searched[...rider.rides].reduce(first - 1) { max($0, $1[rider.stop]) }
      guard rider.second > start else { continue }
      searched[rider.rides][rider.stop] = rider.second
      for alighting in alightings[alightings.indices.partitionPoint { alightings[$0].second > start }...] {
        guard alighting.second <= rider.second else { break }
        ride(alighting, rider.rides, since: first) { stop, second in
          board(stop, second)
          guard let rides = aboard.ridesAfter(rider.rides) else { return }
          standing += inward.changes[stop].map { ($0.stop, second - $0.seconds, rides) }
        }
      }
    }
  }

  /// Rides backward to a state that an earlier search has visited, and continues on the trips from which riders stay
  /// seated.
  private func ride(
    _ alighting: TransitOracle.Alighting, _ rides: Int, since first: Int, _ board: (Int, Int) -> Void
  ) {
    let timetable = oracle.timetable
    var ends = [(run: alighting.run, call: alighting.call)]
    while let end = ends.popLast() {
      let (run, calls) = (oracle.runs[end.run], timetable.calls(of: oracle.runs[end.run].trip))
      for call in (calls.lowerBound..<end.call).reversed() {
        guard aboard.enter(end.run, call - calls.lowerBound, rides) else { break }
        let (departure, stop) = (Int(timetable.departures[call]) + run.shift, Int(timetable.callStops[call]))
        guard departure >= first else { break }
        // Riders who stay seated from another trip do not wait for this one.
        if departure - run.wait >= first, timetable.callFlags[call] & Timetable.noBoarding == 0,
          oracle.stops?[stop] != false
        {
          board(stop, departure - run.wait)
        }
        guard call == calls.lowerBound else { continue }
        ends += inward.previousRuns[end.run].map { ($0, timetable.calls(of: oracle.runs[$0].trip).upperBound - 1) }
      }
    }
  }
}
