import Hierarchy

/// Travel times by plain search, for all departures of a window at once.
///
/// Riders who leave earlier can wait and then do the same as riders who leave later. So departures are searched from
/// the last to the first, and each search stops where a later one has been.
extension TransitOracle {
  /// A destination of trips.
  package struct Place {
    /// The walks to it from stops.
    var egress: [StopWalks.Walk]
    /// The time of a trip entirely on foot in milliseconds; nil if there is no route.
    var walking: Int?

    package init(egress: [StopWalks.Walk], walking: Int?) { (self.egress, self.walking) = (egress, walking) }
  }

  /// Whether a vehicle leaves, within the limit of a trip, from stops within walking distance of an origin.
  package func hasVehicle(from access: [StopWalks.Walk], at moment: Int) -> Bool {
    access.contains { walk in
      let ready = moment + Int(walk.milliseconds) + window.boardingSlack * 1000
      return departures[Int(walk.stop)].contains {
        ready <= $0.second * 1000 && $0.second * 1000 <= moment + window.limit
      }
    }
  }

  /// Whether a vehicle arrives, within the limit of a trip, at a stop from which a walk reaches a destination in time.
  package func hasVehicle(to egress: [StopWalks.Walk], by moment: Int) -> Bool {
    let walks = Dictionary(egress.map { (Int($0.stop), Int($0.milliseconds)) }, uniquingKeysWith: min)
    return runs.contains { run in
      guard usable?[run.trip] != false else { return false }
      return timetable.calls(of: run.trip).dropFirst().contains { call in
        let stop = Int(timetable.callStops[call])
        guard let walk = walks[stop], stops?[stop] != false, timetable.callFlags[call] & Timetable.noAlighting == 0
        else { return false }
        let arrival = (Int(timetable.arrivals[call]) + run.shift) * 1000
        return moment - window.limit <= arrival && arrival + walk <= moment
      }
    }
  }

  /// The travel times in milliseconds from an origin, whose walks lead to stops, to some places, at each departure of
  /// the window; nil if no trip is within the limit. With arrivals, or with a limit of rides, an earlier departure
  /// cannot replace a later one: use `trip`.
  package func times(from access: [StopWalks.Walk], to places: [Place]) -> [[Int?]] {
    precondition(!window.isArrival && window.maximumRides == nil, "a window of departures with any number of rides")
    var walksFromStops: [Int: [(place: Int, milliseconds: Int)]] = [:]
    for (index, place) in places.enumerated() {
      for walk in place.egress { walksFromStops[Int(walk.stop), default: []].append((index, Int(walk.milliseconds))) }
    }
    let search = WindowSearch(self)
    /// The earliest arrival at each place when leaving at the departure or later.
    var reached = [Int](repeating: .max, count: places.count)
    var times = places.map { _ in [Int?](repeating: nil, count: window.departures.count) }
    for departure in window.departures.indices.sorted(by: { window.departures[$0] > window.departures[$1] }) {
      let moment = window.departures[departure]
      search.run(from: access, leaving: moment) { stop, second in
        for walk in walksFromStops[stop] ?? [] {
          reached[walk.place] = min(reached[walk.place], second * 1000 + walk.milliseconds)
        }
      }
      for (index, place) in places.enumerated() {
        let riding = reached[index] == .max ? nil : reached[index] - moment
        let time = [riding, place.walking].compactMap(\.self).min()
        times[index][departure] = time.flatMap { $0 <= window.limit ? $0 : nil }
      }
    }
    return times
  }
}

/// The stops and calls reached from one origin.
private final class WindowSearch {
  private let oracle: TransitOracle
  /// The first state of each run, which has one per call.
  private let firstState: [Int]
  private var isAboard: [Bool]
  /// By stop: the second from which all departures have been boarded.
  private var boarded: [Int]

  init(_ oracle: TransitOracle) {
    self.oracle = oracle
    var (first, count): ([Int], Int) = ([], 0)
    for run in oracle.runs {
      first.append(count)
      count += oracle.timetable.calls(of: run.trip).count
    }
    (firstState, isAboard) = (first, Array(repeating: false, count: count))
    boarded = Array(repeating: .max, count: oracle.timetable.stops.count)
  }

  /// Calls `alight` for arrivals that no earlier run has reached: a stop and a second.
  ///
  /// - Parameter moment: In milliseconds; not later than in the previous run.
  func run(from access: [StopWalks.Walk], leaving moment: Int, _ alight: (Int, Int) -> Void) {
    let (window, last) = (oracle.window, (moment + oracle.window.limit) / 1000)
    var standing = access.map { walk in
      (stop: Int(walk.stop), ready: (moment + Int(walk.milliseconds) + 999) / 1000 + window.boardingSlack)
    }
    while let rider = standing.popLast() {
      let departures = oracle.departures[rider.stop]
      let end = min(boarded[rider.stop], last + 1)
      guard rider.ready < end else { continue }
      boarded[rider.stop] = rider.ready
      for departure in departures[departures.indices.partitionPoint { departures[$0].second >= rider.ready }...] {
        guard departure.second < end else { break }
        ride(departure, until: last) { stop, second in
          alight(stop, second)
          standing += oracle.changes[stop].map { ($0.stop, second + $0.seconds) }
        }
      }
    }
  }

  /// Rides on to where an earlier search has been, and stays seated if the vehicle continues as another trip.
  private func ride(_ departure: TransitOracle.Departure, until last: Int, _ alight: (Int, Int) -> Void) {
    let timetable = oracle.timetable
    var (run, calls) = (departure.run, timetable.calls(of: oracle.runs[departure.run].trip))
    var call = departure.call
    while true {
      let state = firstState[run] + call - calls.lowerBound
      guard !isAboard[state] else { return }
      isAboard[state] = true
      call += 1
      let (second, stop) = (Int(timetable.arrivals[call]) + oracle.runs[run].shift, Int(timetable.callStops[call]))
      guard second <= last else { return }
      if timetable.callFlags[call] & Timetable.noAlighting == 0, oracle.stops?[stop] != false { alight(stop, second) }
      guard call == calls.upperBound - 1 else { continue }
      guard let seated = oracle.runs[run].next, oracle.usable?[oracle.runs[seated].trip] != false else { return }
      (run, calls) = (seated, timetable.calls(of: oracle.runs[seated].trip))
      call = calls.lowerBound
    }
  }
}
