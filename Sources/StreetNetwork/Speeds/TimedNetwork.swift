import Geography
import Hierarchy
import OpeningHours
import Synchronization

/// A network with the speeds and closures of a day: the basis of time-dependent searches. Immutable, and shared by all
/// threads.
package struct TimedNetwork: Sendable {
  package let network: StreetNetwork
  package let graph: TimedGraph
  private let speeds: StreetSpeeds?
  private let closings: DayClosings
  /// The closure for seeds: empty if there is a day, since the clock then applies the closures.
  package let closed: Closure?

  /// - Parameters:
  ///   - speeds: Nil for free flow with the conditional speed limits of the day's week.
  ///   - day: Any time on the day of the trips; nil for a typical day, without conditional tags.
  ///   - waitLimit: The longest wait at a closed street, in milliseconds.
  package init(_ network: StreetNetwork, _ speeds: StreetSpeeds?, on day: LocalTime?, waitLimit: UInt32) {
    self.network = network
    let speeds = speeds ?? day.flatMap { StreetSpeeds(limitsOf: network, inWeekOf: $0) }
    self.speeds = speeds
    let states = network.states
    closings = day.map { DayClosings(on: $0, of: network) } ?? DayClosings(withoutDayOf: network)
    closed = day == nil ? network.closureWithoutDate : network.nothingClosed
    var lists = [UInt32](repeating: 0, count: states.arcs.arcCount)
    for (arc, list) in closings.arcs { lists[Int(arc)] = list }
    let profiles = speeds.map { speeds in states.streets.map { speeds.profile(of: $0) } }
    graph = TimedGraph(
      states.arcs, profiles: Column(profiles ?? Array(repeating: 0, count: states.arcs.arcCount)),
      closings: Column(lists), clock: StreetClock(speeds?.profiles ?? .freeFlow, closings.times, waitLimit: waitLimit))
  }

  /// Returns the source seeds for trips from a snap, with the snap leg from its place.
  package func sources(_ snap: Snap, leg: Weight) -> [TimedSeed] { seeds(network.sources(snap, closed: closed), leg) }

  /// Returns the target seeds for trips to a snap, with the snap leg to its place.
  package func targets(_ snap: Snap, leg: Weight) -> [TimedSeed] { seeds(network.targets(snap, closed: closed), leg) }

  /// Converts the seeds from `network.sources` or `targets` to parts of streets for the clock.
  private func seeds(_ snapped: SnapSeeds, _ leg: Weight) -> [TimedSeed] {
    snapped.seeds.indices.map { index in
      let (street, arc) = (snapped.streets[index], snapped.arcs[index])
      // At a junction, no street is travelled.
      let isNone = snapped.seeds[index].weight == .zero
      let closing =
        arc == SnapSeeds.noArc ? closings.list(of: street, as: snapped.uses[index]) : closings.arcs[arc] ?? 0
      let weight = TimedWeight(snapped.seeds[index].weight, profile: profile(of: street), closing: isNone ? 0 : closing)
      return TimedSeed(snapped.seeds[index].state, weight, leg: leg)
    }
  }

  /// Returns the paths along one street from a snap to another.
  package func direct(_ source: Snap, _ target: Snap) -> [(trip: DirectTrip, street: TimedWeight)] {
    var trips: [(DirectTrip, TimedWeight)] = []
    network.forEachDirect(source, target, closed) { trip in
      let closing = trip.weight == .zero ? 0 : closings.list(of: trip.street)
      trips.append((trip, TimedWeight(trip.weight, profile: profile(of: trip.street), closing: closing)))
    }
    return trips
  }

  /// Returns the weight of a street from end to end, without a turn; nil if its direction is never open.
  package func weight(of street: DirectedStreet, as use: StreetUse = .any) -> TimedWeight? {
    guard network.isOpen(street, closed, as: use) else { return nil }
    return TimedWeight(
      network.street(street.street).weight(isReversed: street.isReversed), profile: profile(of: street),
      closing: closings.list(of: street, as: use))
  }

  private func profile(of street: DirectedStreet) -> UInt32 { speeds?.profile(of: street) ?? 0 }
}

extension StreetNetwork {
  /// A closure without closed arcs: even arcs that are closed when no time is given are open.
  fileprivate var nothingClosed: Closure? {
    closureWithoutDate == nil ? nil : closure(conditions.closedWithoutDate.map { _ in false })
  }
}

/// The closures of a network from one day before a given day to eight days after it. The first three of these days are
/// exact to the minute; later, changes that last less than a quarter of an hour are ignored. Before and after this
/// period, the state is constant.
struct DayClosings: Sendable {
  let times: ClosedTimes
  /// The index of the closing list for each conditional arc, and for each directed street by use (`StreetUse.item`).
  let arcs: [UInt32: UInt32]
  private let streets: [UInt32: UInt32]

  /// Returns the closing list of a street; 0 if it is always open.
  func list(of street: DirectedStreet, as use: StreetUse = .any) -> UInt32 { streets[use.item(street)] ?? 0 }

  private static let minute: UInt32 = 60_000

  /// A closing list: the closings of arcs or streets, and the kind of wait there.
  private struct List: Hashable {
    var closings: [UInt32] = []
    var kind = ClosedTimes.Kind.street
  }

  /// Creates the permanent closures of a typical day.
  init(withoutDayOf network: StreetNetwork) {
    let closed = network.closureWithoutDate
    self.init(
      network, arcs: { closed?.contains(ArcID($0.item)) == true ? 0 : nil },
      streets: { closed?.contains(item: $0.item) == true ? 0 : nil }
    ) { $0.isEmpty ? [] : [0..<StreetClock.never] }
  }

  /// Creates the closing lists of arcs and streets from their closings, and the lists for boarding a ferry or a train.
  ///
  /// - Parameters:
  ///   - arcs: Returns the closing of an entry; nil if it does not close.
  ///   - intervals: Returns the intervals in which any of the closings is in effect.
  private init(
    _ network: StreetNetwork, arcs closingOfArc: (Conditions.Entry) -> UInt32?,
    streets closingOfStreet: (Conditions.Entry) -> UInt32?, _ intervals: ([UInt32]) -> [Range<UInt32>]
  ) {
    let vehicles = network.attributes.map(\.kind.isVehicle)
    func kind(_ street: DirectedStreet) -> ClosedTimes.Kind {
      let record = network.street(street.street)
      if record.isBoarding(isReversed: street.isReversed) { return .boarding }
      return vehicles[Int(record.attributes)] ? .ride : .street
    }
    var lists = Interner([List()])
    func indices(
      _ entries: Column<Conditions.Entry>, _ closing: (Conditions.Entry) -> UInt32?, boarding: [UInt32],
      street: (UInt32) -> DirectedStreet
    ) -> [UInt32: UInt32] {
      var closings = Dictionary(boarding.map { ($0, Set<UInt32>()) }) { first, _ in first }
      for entry in entries {
        if let closing = closing(entry) { closings[entry.item, default: []].insert(closing) }
      }
      // Sorted, so that the lists are the same in every run.
      return Dictionary(
        uniqueKeysWithValues: closings.sorted { $0.key < $1.key }.map { item, closings in
          (item, UInt32(lists.index(of: List(closings: closings.sorted(), kind: kind(street(item))))))
        })
    }
    let travelled = network.states.streets
    let boardings = vehicles.contains(true) ? network.boardings : []
    arcs = indices(
      network.conditions.arcs, closingOfArc,
      boarding: boardings.isEmpty
        ? [] : travelled.indices.lazy.filter { boardings.contains(travelled[$0]) }.map { UInt32($0) }
    ) { travelled[Int($0)] }
    let items = boardings.flatMap { street in StreetUse.allCases.map { $0.item(street) } }
    streets = indices(network.conditions.streets, closingOfStreet, boarding: items, street: StreetUse.street(ofItem:))
    let known = lists.values.dropFirst()
    times = ClosedTimes(known.map { intervals($0.closings) }, kinds: known.map(\.kind))
  }

  /// Creates the closures around a day, in the time of `TripTime.clock`.
  init(on day: LocalTime, of network: StreetNetwork) {
    let conditions = network.conditions
    let midnight = SpeedProfiles.week + UInt32(day.day.weekday) * 1440 * DayClosings.minute
    let minutes = -1440..<9 * 1440
    let moments = minutes.map { day.time(atMinute: $0) }
    var known: [UInt32: [Bool]] = [:]
    func closed(_ closing: UInt32) -> [Bool] {
      if let known = known[closing] { return known }
      let condition = conditions.closings[Int(closing)]
      var found = moments[..<4320].map { condition.isClosed(at: $0) }
      for start in stride(from: 4320, to: moments.count, by: 15) {
        let quarter = moments[start..<start + 15]
        let isSame = condition.isClosed(at: quarter[start + 14]) == found[start - 1]
        found += isSame ? Array(repeating: found[start - 1], count: 15) : quarter.map { condition.isClosed(at: $0) }
      }
      known[closing] = found
      return found
    }
    self.init(network, arcs: { $0.closing }, streets: { $0.closing }) { closings in
      let states = closings.map(closed)
      var intervals: [Range<UInt32>] = []
      var start: UInt32?
      for (index, minute) in minutes.enumerated() {
        let isClosed = states.contains { $0[index] }
        let moment = index == 0 ? 0 : UInt32(Int(midnight) + minute * Int(DayClosings.minute))
        if isClosed, start == nil { start = moment }
        if !isClosed, let from = start {
          intervals.append(from..<moment)
          start = nil
        }
      }
      if let start { intervals.append(start..<StreetClock.never) }
      return intervals
    }
  }
}

extension StreetNetwork {
  /// The streets on which a ferry or a train is boarded.
  fileprivate var boardings: Set<DirectedStreet> {
    var boardings: Set<DirectedStreet> = []
    for (index, street) in streets.enumerated() {
      for isReversed in [false, true] where street.isBoarding(isReversed: isReversed) {
        boardings.insert(DirectedStreet(StreetID(index), isReversed: isReversed))
      }
    }
    return boardings
  }
}

/// Time-dependent networks by day: created when a trip first needs a day, and shared by all threads.
package final class TimedNetworks: Sendable {
  package let network: StreetNetwork
  /// Nil for free flow, with conditional speed limits.
  package let speeds: StreetSpeeds?
  private let waitLimit: UInt32
  private let days = Mutex<[LocalTime?: TimedNetwork]>([:])
  /// The conditional speeds of each week and their windows, by the week's Monday; the key is nil if all weeks are the
  /// same.
  private let weeks = Mutex<[LocalTime?: (speeds: StreetSpeeds?, windows: TimedWindows?)]>([:])

  /// The maximum number of cached days; each takes 3 MB on a city's map.
  private static let capacity = 64

  /// - Parameter waitLimit: The longest wait at a closed street, in milliseconds.
  package init(_ network: StreetNetwork, _ speeds: StreetSpeeds?, waitLimit: UInt32) {
    (self.network, self.speeds, self.waitLimit) = (network, speeds, waitLimit)
  }

  package func network(at time: TripTime) -> TimedNetwork {
    let day = time.day?.time(atMinute: 0)
    return days.withLock { days in
      if let known = days[day] { return known }
      if days.count >= TimedNetworks.capacity { days.removeAll() }
      let timed = TimedNetwork(network, speeds ?? mapSpeeds(on: day), on: day, waitLimit: waitLimit)
      days[day] = timed
      return timed
    }
  }

  /// Returns the time windows with minimum street times for trips at a time; they are the same on all days of a week.
  package func windows(at time: TripTime) -> TimedWindows {
    let timed = network(at: time)
    return weeks.withLock { weeks in
      let monday = monday(of: time.day)
      if let known = weeks[monday]?.windows { return known }
      let windows = TimedWindows(network.customizable, arcProfiles: timed.graph.profiles, timed.graph.clock.profiles)
      weeks[monday, default: (nil, nil)].windows = windows
      return windows
    }
  }

  private func mapSpeeds(on day: LocalTime?) -> StreetSpeeds? {
    guard let monday = monday(of: day) else { return nil }
    return weeks.withLock { weeks in
      if let known = weeks[monday]?.speeds { return known }
      if weeks.count >= TimedNetworks.capacity { weeks.removeAll() }
      let speeds = StreetSpeeds(limitsOf: network, inWeekOf: monday)
      weeks[monday, default: (nil, nil)].speeds = speeds
      return speeds
    }
  }

  /// Returns the Monday of a day's week; nil if all weeks are the same.
  private func monday(of day: LocalTime?) -> LocalTime? {
    guard speeds == nil, let day, !network.conditionalLimits.isEmpty else { return nil }
    return day.time(atMinute: -1440 * day.day.weekday)
  }
}

/// The departure or arrival of a trip, in local time.
package struct TripTime: Hashable, Sendable {
  /// Milliseconds since midnight of the Monday *before* the trip's week: a trip that arrives on a Monday may have left
  /// on Sunday.
  package var clock: UInt32
  /// The day, for opening hours; nil for a typical day, without conditional tags.
  package var day: LocalTime?
  /// Whether the time is an arrival rather than a departure.
  package var isArrival: Bool

  package init(clock: UInt32, day: LocalTime?, isArrival: Bool) {
    (self.clock, self.day, self.isArrival) = (clock, day, isArrival)
  }

  /// Returns the end of a trip of a given duration, when the next one starts; for arrivals, its start. Nil if that is
  /// beyond the range of the clock.
  package func moved(by milliseconds: UInt32) -> TripTime? {
    let moved = isArrival ? Int(clock) - Int(milliseconds) : Int(clock) + Int(milliseconds)
    guard (0..<Int(Int32.max)).contains(moved) else { return nil }
    return TripTime(clock: UInt32(moved), day: day, isArrival: isArrival)
  }

  /// Creates a time on a weekday (0 is Monday), in seconds after midnight.
  package init(weekday: Int, seconds: Int, day: LocalTime? = nil, isArrival: Bool = false) {
    let clock = SpeedProfiles.week + UInt32(weekday) * 86_400_000 + UInt32(seconds) * 1000
    self.init(clock: clock, day: day, isArrival: isArrival)
  }
}
