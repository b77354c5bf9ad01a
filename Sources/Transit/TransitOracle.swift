/// A plain search for trips, one departure at a time, for tests and verification. It shares only its input with
/// `TransitGraph`.
///
/// Dijkstra's algorithm (1959) on two kinds of states: riders aboard a run at a call, and riders at a stop from a given
/// time on. Trips with equal arrival are compared by fewest rides, then the latest start, then the least walking.
/// States with the same number of rides are settled together, in the order of the other two criteria.
package struct TransitOracle {
  /// A trip's travel time and its criteria for comparison.
  package struct Answer: Equatable, Sendable {
    /// The travel time in milliseconds.
    package var milliseconds: Int
    /// The number of vehicles taken.
    package var rides: Int
    /// Milliseconds on foot.
    package var walked: Int
  }

  struct Run {
    var trip: Int
    var day: Int
    /// Seconds to add to the trip's own times.
    var shift: Int
    /// How early riders must be at a stop, in seconds before the vehicle leaves.
    var wait: Int
    /// The runs on which riders stay seated.
    var next: [Int] = []
  }

  /// A departure or an arrival of a vehicle: a call of a run.
  struct VehicleCall {
    /// The second by which boarding riders must be at the stop, or the second of the arrival.
    var second: Int
    var run: Int
    var call: Int
  }

  private struct Standing {
    var stop: Int
    /// The second from which departures may be boarded.
    var ready: Int
    /// The millisecond of the start from the origin.
    var start: Int
    var walked: Int
  }

  /// A change after alighting, at the same stop or to another.
  struct Change {
    var stop: Int
    /// The seconds from the arrival to the earliest boarding.
    var seconds: Int
    /// Milliseconds on foot.
    var walked: Int
  }

  let timetable: Timetable
  let window: TransitWindow
  private let walks: StopWalks
  let stops: [Bool]?
  let usable: [Bool]?
  private(set) var runs: [Run] = []
  /// The departures from each stop, ascending.
  private(set) var departures: [[VehicleCall]]
  private(set) var changes: [[Change]] = []
  private var transfers: [[Int: Timetable.Transfer]]
  /// The connections into stops and runs; nil unless the window is of arrivals.
  private(set) var inward: Inward?

  /// Prepares the search; the other parameters are the same as for `TransitGraph`.
  ///
  /// - Parameter forbids: Whether transfers of type 3 are forbidden; if not, these rules are ignored.
  package init(
    _ timetable: Timetable, _ window: TransitWindow, walks: StopWalks, stops: [Bool]? = nil,
    trips usable: [Bool]? = nil, forbids: Bool = true
  ) {
    (self.timetable, self.window, self.walks) = (timetable, window, walks)
    (self.stops, self.usable) = (stops, usable)
    departures = Array(repeating: [], count: timetable.stops.count)
    transfers = Array(repeating: [:], count: timetable.stops.count)
    for rule in timetable.transfers where forbids || rule.type != 3 { transfers[Int(rule.from)][Int(rule.to)] = rule }
    let frequencies = Dictionary(grouping: timetable.frequencies, by: \.trip)
    let travelPeriod = window.travelPeriod
    for (index, day) in window.days.enumerated() {
      for trip in timetable.trips.indices {
        let service = Int(timetable.trips[trip].service)
        guard timetable.serviceFeeds[service] == day.feed, timetable.runs(service, on: day.day) else { continue }
        let begin = Int(timetable.departures[timetable.calls(of: trip).lowerBound])
        var starts = [(second: begin, wait: 0)]
        if let rows = frequencies[UInt32(trip)] {
          starts = rows.flatMap { row in row.starts(window.headways).map { ($0, row.wait(window.headways)) } }
        }
        let end = Int(timetable.arrivals[timetable.calls(of: trip).upperBound - 1])
        runs += starts.compactMap { start in
          let shift = day.start + start.second - begin
          let isInWindow =
            (begin + shift) * 1000 <= travelPeriod.upperBound && (end + shift) * 1000 >= travelPeriod.lowerBound
          return isInWindow ? Run(trip: trip, day: index, shift: shift, wait: start.wait) : nil
        }
      }
    }
    let blocks = Dictionary(grouping: runs.indices) { [runs[$0].day, Int(timetable.trips[runs[$0].trip].block)] }
    let days = Dictionary(grouping: runs.indices) { [runs[$0].day] }
    for run in runs.indices {
      runs[run].next = next(of: run, in: blocks, days)
      guard usable?[runs[run].trip] != false else { continue }
      for call in timetable.calls(of: runs[run].trip).dropLast() where timetable.callFlags[call] & 1 == 0 {
        let second = Int(timetable.departures[call]) + runs[run].shift - runs[run].wait
        departures[Int(timetable.callStops[call])].append(VehicleCall(second: second, run: run, call: call))
      }
    }
    for stop in departures.indices {
      departures[stop].sort { ($0.second, $0.run, $0.call) < ($1.second, $1.run, $1.call) }
      if stops?[stop] == false { departures[stop] = [] }
    }
    changes = timetable.stops.indices.map(changes(from:))
    if window.isArrival { inward = Inward(self) }
  }

  /// Returns the runs on which riders of a run stay seated.
  private func next(of run: Int, in blocks: [[Int]: [Int]], _ days: [[Int]: [Int]]) -> [Int] {
    let (trip, day) = (runs[run].trip, window.days[runs[run].day])
    let end = timetable.calls(of: trip).upperBound - 1
    func start(_ other: Int) -> Int {
      Int(timetable.departures[timetable.calls(of: runs[other].trip).lowerBound]) + runs[other].shift
    }
    /// Returns the first of the other runs to begin after this one ends; several if they begin at the same time.
    func first(_ others: [Int]) -> [Int] {
      let later = others.filter { $0 != run && start($0) >= Int(timetable.arrivals[end]) + runs[run].shift }
      return later.map(start).min().map { earliest in later.filter { start($0) == earliest } } ?? []
    }
    let rules = timetable.continuations.filter { $0.from == trip }
    let linked = Set(rules.filter { $0.staysSeated == 1 }.map { Int($0.to) })
    if !linked.isEmpty {
      // On the same service day, or else on the next one.
      for serviceDay in day.day...day.day + 1 {
        guard let index = window.days.firstIndex(where: { $0.feed == day.feed && $0.day == serviceDay }) else {
          continue
        }
        let next = linked.sorted().compactMap { trip in
          first((days[[index]] ?? []).filter { runs[$0].trip == trip }).first
        }
        if !next.isEmpty { return next }
      }
      return []
    }
    let block = timetable.trips[trip].block
    let possible = block == Timetable.none ? [] : first(blocks[[runs[run].day, Int(block)]] ?? [])
    guard possible.count == 1 else { return [] }
    let other = runs[possible[0]].trip
    let (a, b) = (timetable.callStops[end], timetable.callStops[timetable.calls(of: other).lowerBound])
    guard !rules.contains(where: { $0.to == other }) else { return [] }
    return a == b || timetable.metres(between: Int(a), and: Int(b)) <= 200 ? possible : []
  }

  /// Returns the best trip between two places at a requested time of the window; nil if no trip is within the limit.
  ///
  /// With arrivals, this is the trip with the latest departure that arrives in time. Since riders may leave earlier and
  /// wait, it is found by bisection over the departures that leave just enough time to walk to a vehicle.
  ///
  /// - Parameters:
  ///   - access: Walks from the origin to stops.
  ///   - egress: Walks from stops to the destination.
  ///   - walking: The time entirely on foot in milliseconds; nil if there is no route.
  ///   - moment: The departure or arrival in milliseconds.
  package func trip(
    from access: [StopWalks.Walk], to egress: [StopWalks.Walk], walking: Int?, at moment: Int
  ) -> Answer? {
    guard window.isArrival else { return trips(from: access, leaving: moment).best(to: egress, walking: walking) }
    let starts = Set(starts(from: access)).filter { (moment - window.limit...moment).contains($0) }.sorted()
    func best(_ start: Int) -> Answer? {
      trips(from: access, leaving: start).earliestOfFewestRides(to: egress, by: moment)
    }
    let late = starts.indices.partitionPoint { best(starts[$0]) == nil }
    let onFoot = walking.flatMap { $0 <= window.limit ? Answer(milliseconds: $0, rides: 0, walked: $0) : nil }
    guard late > 0, var trip = best(starts[late - 1]) else { return onFoot }
    trip.milliseconds = moment - starts[late - 1]
    return onFoot.flatMap { $0.milliseconds <= trip.milliseconds ? $0 : nil } ?? trip
  }

  /// Returns the best trips from an origin with walks to stops, at a departure in milliseconds.
  package func trips(from access: [StopWalks.Walk], leaving moment: Int) -> Reached {
    var reached = Reached(moment: moment, limit: window.limit)
    var standing: [Standing] = []
    for walk in access {
      let (stop, walked) = (Int(walk.stop), Int(walk.milliseconds))
      for departure in departures[stop] {
        guard moment + walked + window.boardingSlack * 1000 <= departure.second * 1000 else { continue }
        guard departure.second * 1000 <= moment + window.limit else { break }
        let start = departure.second * 1000 - walked
        standing.append(Standing(stop: stop, ready: departure.second, start: start, walked: walked))
      }
    }
    var isAboard = Set<[Int]>()
    /// By stop: the second from which all departures have been boarded.
    var boarded = [Int](repeating: .max, count: timetable.stops.count)
    var rides = 0
    while !standing.isEmpty, rides < window.maximumRides ?? .max {
      rides += 1
      var next: [Standing] = []
      for rider in standing.sorted(by: { ($1.start, $0.walked) < ($0.start, $1.walked) }) {
        for departure in departures[rider.stop] where departure.second >= rider.ready {
          guard departure.second < boarded[rider.stop] else { break }
          var starts = [(run: departure.run, call: departure.call)]
          while let start = starts.popLast() {
            let run = start.run
            var call = start.call
            let last = timetable.calls(of: runs[run].trip).upperBound - 1
            while call < last, isAboard.insert([run, call]).inserted {
              let (arrival, stop) = (
                Int(timetable.arrivals[call + 1]) + runs[run].shift, Int(timetable.callStops[call + 1])
              )
              guard arrival * 1000 <= moment + window.limit else { break }
              if timetable.callFlags[call + 1] & 2 == 0, stops?[stop] != false {
                let trip = Reached.Arrival(
                  stop: stop, second: arrival, rides: rides, start: rider.start, walked: rider.walked)
                reached.arrivals.append(trip)
                next += changes(after: trip)
              }
              call += 1
              if call == last { starts += seated(after: run) }
            }
          }
        }
        boarded[rider.stop] = min(boarded[rider.stop], rider.ready)
      }
      standing = next
    }
    return reached
  }

  /// Returns the first calls of the runs on which riders of a run stay seated.
  func seated(after run: Int) -> [(run: Int, call: Int)] {
    runs[run].next.filter { usable?[runs[$0].trip] != false }
      .map { ($0, timetable.calls(of: runs[$0].trip).lowerBound) }
  }

  /// Returns a standing rider for each stop to which riders may change after an arrival.
  private func changes(after arrival: Reached.Arrival) -> [Standing] {
    changes[arrival.stop].map { change in
      Standing(
        stop: change.stop, ready: arrival.second + change.seconds, start: arrival.start,
        walked: arrival.walked + change.walked)
    }
  }

  /// Returns the stops to which riders may change after they alight at a stop.
  private func changes(from stop: Int) -> [Change] {
    var walked = Dictionary(uniqueKeysWithValues: walks[stop].map { (Int($0.stop), Int($0.milliseconds)) })
    walked[stop] = 0
    let rules = transfers[stop]
    return Set(walked.keys).union(rules.keys).sorted().compactMap { stop in
      // In milliseconds; rounded up below, since vehicles depart at whole seconds.
      let (walk, rule) = (walked[stop], rules[stop])
      let minimum = Int(rule?.seconds ?? 0) * 1000
      var needed = walk.map { $0 + window.boardingSlack * 1000 }
      switch rule?.type {
      case 1: needed = walk
      case 2: needed = max(minimum, (walk ?? 0) + window.boardingSlack * 1000)
      case 3: needed = nil
      default: break
      }
      return needed.map { Change(stop: stop, seconds: ($0 + 999) / 1000, walked: walk ?? minimum) }
    }
  }

  /// The stops reached from an origin at a departure.
  package struct Reached {
    struct Arrival {
      var stop: Int
      var second: Int
      var rides: Int
      /// The millisecond of the start from the origin.
      var start: Int
      /// Milliseconds on foot.
      var walked: Int
    }

    /// The departure, and the maximum travel time, in milliseconds.
    let moment: Int
    let limit: Int
    var arrivals: [Arrival] = []

    /// Returns all trips to a destination by walks from stops, with the start of each.
    private func answers(to egress: [StopWalks.Walk]) -> [(answer: Answer, start: Int)] {
      egress.flatMap { walk in
        arrivals.lazy.filter { $0.stop == walk.stop }.map { arrival in
          let answer = Answer(
            milliseconds: arrival.second * 1000 + Int(walk.milliseconds) - moment, rides: arrival.rides,
            walked: arrival.walked + Int(walk.milliseconds))
          return (answer, arrival.start)
        }
      }
    }

    /// Returns the trip with the fewest rides that arrives at a destination by a given time; ties are broken by
    /// earliest arrival, then least walking.
    func earliestOfFewestRides(to egress: [StopWalks.Walk], by end: Int) -> Answer? {
      answers(to: egress).map(\.answer).filter { moment + $0.milliseconds <= end }
        .min { ($0.rides, $0.milliseconds, $0.walked) < ($1.rides, $1.milliseconds, $1.walked) }
    }

    /// Returns the travel time to each reached stop, in milliseconds.
    package func earliest() -> [Int: Int] {
      Dictionary(arrivals.map { ($0.stop, $0.second * 1000 - moment) }, uniquingKeysWith: min)
    }

    /// Returns the best trip to a destination, by walks from stops or entirely on foot; nil if none is within the
    /// limit.
    package func best(to egress: [StopWalks.Walk], walking: Int?) -> Answer? {
      let onFoot = walking.map { (answer: Answer(milliseconds: $0, rides: 0, walked: $0), start: 0) }
      let best = ([onFoot].compactMap(\.self) + answers(to: egress)).min { one, other in
        let (a, b) = (one.answer, other.answer)
        return (a.milliseconds, a.rides, -one.start, a.walked) < (b.milliseconds, b.rides, -other.start, b.walked)
      }
      return best.map(\.answer).flatMap { $0.milliseconds <= limit ? $0 : nil }
    }
  }
}
