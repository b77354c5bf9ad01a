import Hierarchy

/// The streets of a network on the clock: as slow, and as open, as at the hours of a day. What searches at hours run on.
/// Immutable, shared by all threads.
package struct TimedNetwork: Sendable {
  package let network: StreetNetwork
  package let graph: TimedGraph
  private let speeds: StreetSpeeds?
  private let closings: DayClosings
  /// What seeds are made without: nothing where a day says when it opens.
  package let closed: Closure?

  /// - Parameters:
  ///   - speeds: Nil for free flow, with the speeds that the map says for the hours of the day's week.
  ///   - day: Any moment of the day around which trips are; nil for a day as they are all, on which what the map says
  ///     for certain hours does not count.
  ///   - waitLimit: Milliseconds that trips wait at most for a closed street.
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

  /// Where searches start for trips from a snap that is `leg` away from its place.
  package func sources(_ snap: Snap, leg: Weight) -> [TimedSeed] { seeds(network.sources(snap, closed: closed), leg) }

  /// Where they end for trips to it.
  package func targets(_ snap: Snap, leg: Weight) -> [TimedSeed] { seeds(network.targets(snap, closed: closed), leg) }

  /// The parts of streets of seeds that `network.sources` or `targets` gives, as the clock sees them.
  private func seeds(_ snapped: SnapSeeds, _ leg: Weight) -> [TimedSeed] {
    snapped.seeds.indices.map { index in
      let (street, arc) = (snapped.streets[index], snapped.arcs[index])
      // At a junction no street is travelled.
      let isNone = snapped.seeds[index].weight == .zero
      let closing =
        arc == SnapSeeds.noArc ? closings.list(of: street, as: snapped.uses[index]) : closings.arcs[arc] ?? 0
      let weight = TimedWeight(
        snapped.seeds[index].weight, profile: profile(of: street), closing: isNone ? 0 : closing)
      return TimedSeed(snapped.seeds[index].state, weight, leg: leg)
    }
  }

  /// The ways along one street from a snap to another.
  package func direct(_ source: Snap, _ target: Snap) -> [(trip: DirectTrip, street: TimedWeight)] {
    var trips: [(DirectTrip, TimedWeight)] = []
    network.forEachDirect(source, target, closed) { trip in
      let closing = trip.weight == .zero ? 0 : closings.list(of: trip.street)
      trips.append((trip, TimedWeight(trip.weight, profile: profile(of: trip.street), closing: closing)))
    }
    return trips
  }

  /// A street from end to end, without a turn; nil where its direction is never open.
  package func weight(of street: DirectedStreet, as use: StreetUse = .any) -> TimedWeight? {
    guard network.isOpen(street, closed, as: use) else { return nil }
    return TimedWeight(
      network.street(street.street).weight(isReversed: street.isReversed), profile: profile(of: street),
      closing: closings.list(of: street, as: use))
  }

  /// The streets that a trip may set out on from a junction, if the position lies at one; else none.
  package func streetsLeaving(_ position: StreetPosition) -> [DirectedStreet] {
    network.streetsLeaving(position, closed: closed)
  }

  private func profile(of street: DirectedStreet) -> UInt32 { speeds?.profile(of: street) ?? 0 }
}

extension StreetNetwork {
  /// A closure that closes nothing, not even what is closed where no time is given.
  fileprivate var nothingClosed: Closure? {
    closureWithoutDate == nil ? nil : closure(conditions.closedWithoutDate.map { _ in false })
  }
}
