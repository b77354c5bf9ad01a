import Hierarchy

/// Travel times from all stops to a place, for all arrivals of a window at once, by plain search backward in time.
///
/// Riders who are in time for an arrival are also in time for later ones. So arrivals are searched from the first to
/// the last, and each search stops at states that an earlier search has visited with as few rides.
extension TransitOracle {
  /// The connections into stops and runs.
  struct Inward {
    /// By stop: the arrivals at which riders may alight, ascending.
    var alightings: [[VehicleCall]]
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
          alightings[stop].append(
            VehicleCall(second: Int(timetable.arrivals[call]) + run.shift, run: index, call: call))
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
    (self.oracle, inward) = (oracle, oracle.inward!)
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

  /// Rides backward up to a state that an earlier search has visited, and continues on the trips from which riders stay
  /// seated.
  private func ride(
    _ alighting: TransitOracle.VehicleCall, _ rides: Int, since first: Int, _ board: (Int, Int) -> Void
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

/// Travel times by plain search, for all departures or arrivals of a window at once.
///
/// Riders who leave early can wait and then do the same as riders who leave later. So departures are searched from the
/// last to the first, and each search stops at states that a later departure has reached with as few rides.
extension TransitOracle {
  /// Returns whether a vehicle leaves, within the limit of a trip after `moment`, from a stop that a walk from the
  /// origin reaches in time.
  package func hasVehicle(from access: [StopWalks.Walk], at moment: Int) -> Bool {
    access.contains { walk in
      let ready = moment + Int(walk.milliseconds) + window.boardingSlack * 1000
      return departures[Int(walk.stop)].contains {
        ready <= $0.second * 1000 && $0.second * 1000 <= moment + window.limit
      }
    }
  }

  /// Returns whether a vehicle arrives, within the limit of a trip before `moment`, at a stop from which a walk reaches
  /// the destination by then.
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

  /// Returns the travel times in milliseconds from an origin with walks to stops, by place and departure or arrival of
  /// the window; nil if no trip is within the limit.
  ///
  /// With arrivals, searches from every moment at which a rider leaves to catch a vehicle.
  ///
  /// - Parameter places: The walks from stops to each place, and the time of a trip entirely on foot in milliseconds;
  ///   nil if there is no route.
  package func times(
    from access: [StopWalks.Walk], to places: [(egress: [StopWalks.Walk], walking: Int?)]
  ) -> [[Int?]] {
    var walksFromStops: [Int: [(place: Int, milliseconds: Int)]] = [:]
    for (index, place) in places.enumerated() {
      for walk in place.egress { walksFromStops[Int(walk.stop), default: []].append((index, Int(walk.milliseconds))) }
    }
    let search = WindowSearch(self)
    /// The earliest arrival at each place when leaving at the departure or later.
    var reached = [Int](repeating: .max, count: places.count)
    var times = places.map { _ in [Int?](repeating: nil, count: window.departures.count) }
    func record(_ time: Int, of place: Int, at departure: Int) {
      guard time <= window.limit, time < times[place][departure] ?? .max else { return }
      times[place][departure] = time
    }
    for departure in window.departures.indices {
      for (index, place) in places.enumerated() { place.walking.map { record($0, of: index, at: departure) } }
    }
    let starts = window.isArrival ? starts(from: access).filter(window.travelPeriod.contains) : window.departures
    for moment in Set(starts).sorted(by: >) {
      var arrived = Set<Int>()
      search.run(from: access, leaving: moment) { stop, second in
        for walk in walksFromStops[stop] ?? [] where second * 1000 + walk.milliseconds < reached[walk.place] {
          reached[walk.place] = second * 1000 + walk.milliseconds
          arrived.insert(walk.place)
        }
      }
      if window.isArrival {
        for (index, end) in window.departures.enumerated() {
          for place in arrived where reached[place] <= end { record(end - moment, of: place, at: index) }
        }
      } else {
        for index in window.departures.indices where window.departures[index] == moment {
          for place in places.indices where reached[place] < .max {
            record(reached[place] - moment, of: place, at: index)
          }
        }
      }
    }
    return times
  }

  /// Returns the last whole second at or before a millisecond, possibly of the day before.
  static func lastSecond(before millisecond: Int) -> Int { (millisecond - (millisecond < 0 ? 999 : 0)) / 1000 }

  /// Returns the moments at which riders leave to catch a vehicle.
  func starts(from access: [StopWalks.Walk]) -> [Int] {
    access.flatMap { walk in
      departures[Int(walk.stop)].map { ($0.second - window.boardingSlack) * 1000 - Int(walk.milliseconds) }
    }
  }

  /// Returns the travel times in milliseconds between a place and each stop, by stop and departure or arrival; nil if
  /// no trip is within the limit. The only walks are the ones between the place and stops.
  ///
  /// - Parameter walks: The walks from the place to stops; with arrivals, from stops to the place.
  package func timesOfStops(_ walks: [StopWalks.Walk]) -> [[Int?]] {
    window.isArrival
      ? timesFromStops(to: walks)
      : times(
        from: walks,
        to: timetable.stops.indices.map {
          ([StopWalks.Walk(stop: UInt32($0), milliseconds: 0)], nil)
        })
  }
}

/// The stops and calls reached from one origin.
private final class WindowSearch {
  private let oracle: TransitOracle
  private var aboard: RidersAboard
  /// By number of previous rides and by stop: the second from which all departures have been boarded.
  private var boarded: [[Int]]

  init(_ oracle: TransitOracle) {
    self.oracle = oracle
    aboard = RidersAboard(oracle)
    boarded = aboard.rides.map { _ in Array(repeating: .max, count: oracle.timetable.stops.count) }
  }

  /// Calls `alight` with the stop and second of each arrival that no earlier run has found.
  ///
  /// - Parameter moment: In milliseconds; not later than in the previous run.
  func run(from access: [StopWalks.Walk], leaving moment: Int, _ alight: (Int, Int) -> Void) {
    let (window, last) = (oracle.window, TransitOracle.lastSecond(before: moment + oracle.window.limit))
    var standing = access.map { walk in
      let second = TransitOracle.lastSecond(before: moment + Int(walk.milliseconds) + 999)
      return (stop: Int(walk.stop), ready: second + window.boardingSlack, rides: 0)
    }
    while let rider = standing.popLast() {
      let departures = oracle.departures[rider.stop]
      let end = boarded[...rider.rides].reduce(last + 1) { min($0, $1[rider.stop]) }
      guard rider.ready < end else { continue }
      boarded[rider.rides][rider.stop] = rider.ready
      for departure in departures[departures.indices.partitionPoint { departures[$0].second >= rider.ready }...] {
        guard departure.second < end else { break }
        ride(departure, rider.rides, until: last) { stop, second in
          alight(stop, second)
          guard let rides = aboard.ridesAfter(rider.rides) else { return }
          standing += oracle.changes[stop].map { ($0.stop, second + $0.seconds, rides) }
        }
      }
    }
  }

  /// Rides on up to a state that an earlier search has visited, and stays seated if the vehicle continues on other
  /// trips.
  private func ride(
    _ departure: TransitOracle.VehicleCall, _ rides: Int, until last: Int, _ alight: (Int, Int) -> Void
  ) {
    let timetable = oracle.timetable
    var starts = [(run: departure.run, call: departure.call)]
    while let start = starts.popLast() {
      let run = start.run
      var call = start.call
      let calls = timetable.calls(of: oracle.runs[run].trip)
      while call < calls.upperBound - 1, aboard.enter(run, call - calls.lowerBound, rides) {
        call += 1
        let (second, stop) = (Int(timetable.arrivals[call]) + oracle.runs[run].shift, Int(timetable.callStops[call]))
        guard second <= last else { break }
        if timetable.callFlags[call] & Timetable.noAlighting == 0, oracle.stops?[stop] != false { alight(stop, second) }
        if call == calls.upperBound - 1 { starts += oracle.seated(after: run) }
      }
    }
  }
}

/// The minimum number of previous rides of any rider aboard each run between consecutive calls: 0 for the first
/// vehicle. Rides are not counted if they are unlimited.
struct RidersAboard {
  /// The allowed numbers of rides before a vehicle.
  let rides: Range<Int>
  private let isCounted: Bool
  /// The first state of each run; there is one state per call.
  private let firstState: [Int]
  private var minimumRides: [UInt16]

  init(_ oracle: TransitOracle) {
    isCounted = oracle.window.maximumRides != nil
    rides = 0..<(oracle.window.maximumRides ?? 1)
    var (first, count): ([Int], Int) = ([], 0)
    for run in oracle.runs {
      first.append(count)
      count += oracle.timetable.calls(of: run.trip).count
    }
    (firstState, minimumRides) = (first, Array(repeating: .max, count: count))
  }

  /// Returns the number of rides before the next vehicle; nil if no more are allowed.
  func ridesAfter(_ before: Int) -> Int? {
    guard isCounted else { return 0 }
    return before + 1 < rides.upperBound ? before + 1 : nil
  }

  /// Returns whether no rider has reached a call of a run with as few rides, and records the visit.
  mutating func enter(_ run: Int, _ call: Int, _ rides: Int) -> Bool {
    let state = firstState[run] + call
    guard rides < minimumRides[state] else { return false }
    minimumRides[state] = UInt16(rides)
    return true
  }
}
