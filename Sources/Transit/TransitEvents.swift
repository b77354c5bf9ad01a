import Hierarchy

/// The departures of vehicles in a window from every call except the last of a run, run by run in the order of calls.
///
/// In a window of arrivals, the departures are mirrored in time: vehicles run from the next call to the previous one,
/// boarding and alighting are swapped, times are negated, and runs are in reverse order.
struct TransitEvents {
  struct Event: BitwiseCopyable, Sendable {
    /// Seconds from midnight of the window's date.
    var departure: Int32
    var stop: UInt32
    /// The arrival at the next call, in seconds from the same midnight.
    var arrival: Int32
    var nextStop: UInt32
    /// The second by which boarding riders must be at the stop: no later than the departure.
    var boarding: Int32
    /// The second from which alighting riders can walk: no earlier than the arrival.
    var alighting: Int32
    var run: UInt32
    /// The timetable's call from which the vehicle departs.
    var call: UInt32
    var mayBoard: Bool
    /// Whether riders may alight at the next call.
    var mayAlight: Bool
  }

  private(set) var events: [Event] = []
  /// Pairs of the last event of a run and the first event of the next run, for riders who stay seated.
  private(set) var seated: [(from: Int, to: Int)] = []
  /// See `TripRuns.ambiguous`.
  let ambiguous: Int

  init(_ timetable: Timetable, _ window: TransitWindow, stops: [Bool]?, trips: [Bool]?) {
    let runs = TripRuns(timetable, window)
    ambiguous = runs.ambiguous
    let times = window.travelPeriod
    // The first and last event of each run that begins or ends in the window.
    var (begins, ends): ([Int?], [Int?]) = ([], [])
    for (index, run) in runs.runs.enumerated() {
      let calls = timetable.calls(of: run.trip)
      var (begin, end): (Int?, Int?)
      if trips?[run.trip] != false {
        for call in calls.dropLast() {
          let departure = Int(timetable.departures[call]) + run.shift
          let arrival = Int(timetable.arrivals[call + 1]) + run.shift
          guard departure * 1000 >= times.lowerBound, arrival * 1000 <= times.upperBound else { continue }
          if call == calls.lowerBound { begin = events.count }
          if call == calls.upperBound - 2 { end = events.count }
          let (stop, nextStop) = (timetable.callStops[call], timetable.callStops[call + 1])
          events.append(
            Event(
              departure: Int32(departure), stop: stop, arrival: Int32(arrival), nextStop: nextStop,
              boarding: Int32(departure - run.wait), alighting: Int32(arrival), run: UInt32(index), call: UInt32(call),
              mayBoard: timetable.callFlags[call] & Timetable.noBoarding == 0 && stops?[Int(stop)] != false,
              mayAlight: timetable.callFlags[call + 1] & Timetable.noAlighting == 0 && stops?[Int(nextStop)] != false))
        }
      }
      begins.append(begin)
      ends.append(end)
    }
    for (index, next) in runs.next.enumerated() {
      guard let end = ends[index] else { continue }
      seated += next.compactMap { begins[$0] }.map { (end, $0) }
    }
    if window.isArrival { mirror() }
  }

  private mutating func mirror() {
    events = events.reversed().map { event in
      Event(
        departure: -event.arrival, stop: event.nextStop, arrival: -event.departure, nextStop: event.stop,
        boarding: -event.alighting, alighting: -event.boarding, run: event.run, call: event.call,
        mayBoard: event.mayAlight, mayAlight: event.mayBoard)
    }
    let last = events.count - 1
    seated = seated.map { (last - $0.to, last - $0.from) }
  }

  /// Returns whether an event is the first of its run in the window: all riders in the vehicle boarded there, or stayed
  /// seated.
  func isFirst(_ event: Int) -> Bool { event == 0 || events[event - 1].run != events[event].run }
}

extension [TransitEvents.Event] {
  /// Returns the indices of the events after which riders may alight, by stop.
  func alighting(stopCount: Int) -> Grouped<UInt32> {
    Grouped(stopCount) { add in
      for (index, event) in enumerated() where event.mayAlight { add(event.nextStop, UInt32(index)) }
    }
  }
}

/// The runs of trips that overlap a window, and the runs on which riders stay seated.
///
/// Trips of one block on one service day are run by one vehicle: the next run is the one with the earliest first
/// departure that is not before the last call. Riders stay seated if both calls are at one stop or within 200 m. Rules
/// of `transfer_type` 4 name the next trips instead of the block, regardless of where they begin: if there are several,
/// as when a train is divided, riders stay seated on each; trips of the following service day are used if there are
/// none on the same day. A rule of type 5 forbids staying seated.
struct TripRuns {
  /// A trip on a service day; each repetition of a trip is a separate run.
  struct Run {
    var trip: Int
    /// An index into the window's days.
    var day: Int
    /// Seconds to add to the times of the trip's calls so that they count from midnight of the window's date.
    var shift: Int
    /// How early riders must be at a stop, in seconds before the vehicle leaves.
    var wait: Int
  }

  /// Ordered by day, trip and time.
  private(set) var runs: [Run] = []
  /// For each run, the runs on which its riders stay seated.
  private(set) var next: [[Int]] = []
  /// The number of runs that are followed by several runs of their block at the same time; riders stay seated on none
  /// of these.
  private(set) var ambiguous = 0

  init(_ timetable: Timetable, _ window: TransitWindow) {
    let times = window.travelPeriod
    for (index, day) in window.days.enumerated() {
      var frequency = 0
      for (trip, record) in timetable.trips.enumerated() {
        let firstFrequency = frequency
        while frequency < timetable.frequencies.count, timetable.frequencies[frequency].trip == trip { frequency += 1 }
        let service = Int(record.service)
        guard timetable.serviceFeeds[service] == day.feed, timetable.runs(service, on: day.day) else { continue }
        let calls = timetable.calls(of: trip)
        let (departure, arrival) = (
          Int(timetable.departures[calls.lowerBound]), Int(timetable.arrivals[calls.upperBound - 1])
        )
        func add(_ start: Int, wait: Int = 0) {
          let shift = day.start + start - departure
          guard (shift + departure) * 1000 <= times.upperBound, (shift + arrival) * 1000 >= times.lowerBound else {
            return
          }
          runs.append(Run(trip: trip, day: index, shift: shift, wait: wait))
        }
        if firstFrequency == frequency { add(departure) }
        for row in timetable.frequencies[firstFrequency..<frequency] {
          for start in row.starts(window.headways) { add(start, wait: row.wait(window.headways)) }
        }
      }
    }
    findNext(timetable, window)
  }

  private struct Group: Hashable {
    var day: Int
    var id: UInt32
  }

  private mutating func findNext(_ timetable: Timetable, _ window: TransitWindow) {
    next = Array(repeating: [], count: runs.count)
    let starts = runs.map { Int(timetable.departures[timetable.calls(of: $0.trip).lowerBound]) + $0.shift }
    let ends = runs.map { Int(timetable.arrivals[timetable.calls(of: $0.trip).upperBound - 1]) + $0.shift }
    let order = runs.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
    let blocks = Dictionary(grouping: order.filter { timetable.trips[runs[$0].trip].block != Timetable.none }) {
      Group(day: runs[$0].day, id: timetable.trips[runs[$0].trip].block)
    }
    let rules = Dictionary(grouping: timetable.continuations) { Int($0.from) }
    let linked = Set(timetable.continuations.lazy.filter { $0.staysSeated == 1 }.map(\.to))
    let linkedRuns = Dictionary(grouping: order.filter { linked.contains(UInt32(runs[$0].trip)) }) {
      Group(day: runs[$0].day, id: UInt32(runs[$0].trip))
    }
    let following = window.days.map { day in window.days.firstIndex { $0.feed == day.feed && $0.day == day.day + 1 } }
    for run in runs.indices {
      let (trip, day) = (runs[run].trip, runs[run].day)
      /// Returns the first runs of a group on which the vehicle can continue on a service day; all of these begin at
      /// the same time.
      func first(_ groups: [Group: [Int]], _ id: UInt32, on day: Int) -> [Int] {
        let followers = groups[Group(day: day, id: id)] ?? []
        let begin = followers.indices.partitionPoint { starts[followers[$0]] >= ends[run] }
        let later = followers[begin...].lazy.filter { $0 != run }
        guard let first = later.first else { return [] }
        return later.prefix { starts[$0] == starts[first] }
      }
      let own = rules[trip] ?? []
      let links = Set(own.lazy.filter { $0.staysSeated == 1 }.map(\.to))
      guard links.isEmpty else {
        next[run] =
          [day, following[day]].lazy.compactMap(\.self).map { day in
            links.sorted().compactMap { first(linkedRuns, $0, on: day).first }
          }.first { !$0.isEmpty } ?? []
        continue
      }
      let possible = first(blocks, timetable.trips[trip].block, on: day)
      if possible.count > 1 { ambiguous += 1 }
      guard possible.count == 1 else { continue }
      let isForbidden = own.contains { $0.to == runs[possible[0]].trip }
      if !isForbidden, TripRuns.isNear(trip, runs[possible[0]].trip, timetable) { next[run] = possible }
    }
  }

  /// Returns whether a trip begins where another ends: at the same stop, or within 200 m.
  private static func isNear(_ trip: Int, _ next: Int, _ timetable: Timetable) -> Bool {
    let a = Int(timetable.callStops[timetable.calls(of: trip).upperBound - 1])
    let b = Int(timetable.callStops[timetable.calls(of: next).lowerBound])
    return a == b || timetable.metres(between: a, and: b) <= 200
  }
}
