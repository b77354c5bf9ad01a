/// The departures of vehicles in a window from every call except the last of a run, run by run in the order of calls.
///
/// In a window of arrivals, they are mirrored in time: vehicles run from the next call to the previous one, boarding
/// and alighting are swapped, times are negated, and runs are in reverse order.
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
