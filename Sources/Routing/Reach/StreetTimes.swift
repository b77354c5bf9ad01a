import Hierarchy
import StreetNetwork

/// The times of streets on trips from or to a place: constant, or by the clock at one departure or arrival.
protocol StreetTimes {
  var reach: TripReach { get }

  /// Returns the weight of an arc; nil if it is closed at all times.
  func weight(of arc: ArcID) -> TimedWeight?
  /// Returns the weight of a street from end to end; nil if it is closed at all times.
  func weight(of street: DirectedStreet, as use: StreetUse) -> TimedWeight?
  /// Returns the milliseconds between the place and the far end of a street, given the milliseconds to the near end;
  /// nil if the street is closed.
  func farTime(_ street: TimedWeight, _ nearTime: UInt32) -> UInt32?
  /// Returns how much of a street trips travel within a limit, in milliseconds of free flow.
  func travelled(_ street: TimedWeight, _ nearTime: UInt32, within limit: UInt32) -> Double
  /// Calls `body` with the parts of a street that trips travel within a limit, as fractions measured from its start,
  /// or from its end if trips lead to the place.
  func forEachPart(of street: TimedWeight, _ nearTime: UInt32, within limit: UInt32, _ body: (Range<Double>) -> Void)

  // All types share one implementation of these functions. As requirements, they are specialized for each type.

  /// Covers the parts of streets within a limit of the places.
  func cover(_ cover: StreetCover, around ends: [ReachedEnd], _ states: [Seed], within limit: UInt32)
  /// Lists the streets at states within a limit and the streets of the places, with travel times.
  func list(_ list: StretchList, around ends: [ReachedEnd], _ states: [Seed], within limit: UInt32)
}

/// A place, and the milliseconds after which trips leave it or before which they reach it.
package typealias ReachedEnd = (end: TripEnd, milliseconds: UInt32)

extension StreetTimes {
  func cover(_ cover: StreetCover, around ends: [ReachedEnd], _ states: [Seed], within limit: UInt32) {
    let (network, isLeaving) = (reach.network, reach.isLeaving)
    func parts(
      of directed: DirectedStreet, as use: StreetUse = .any, _ nearTime: UInt32, _ body: (Range<Double>) -> Void
    ) {
      if let street = weight(of: directed, as: use) { forEachPart(of: street, nearTime, within: limit, body) }
    }
    for seed in states where seed.weight.milliseconds <= limit {
      let nearTime = seed.weight.milliseconds
      if isLeaving {
        for arc in network.states.arcs.arcs(from: seed.state) {
          guard let weight = weight(of: ArcID(arc)) else { continue }
          // The arc consists of the turn and the whole street.
          let directed = network.states.streets[arc]
          let whole = network.milliseconds(of: directed)
          let done = travelled(weight, nearTime, within: limit) - Double(weight.weight.milliseconds - whole)
          cover.cover(directed, isFromEnd: false, min(1, done / Double(whole)))
        }
      } else {
        for item in reach.starts[seed.state.index] {
          let directed = StreetUse.street(ofItem: item)
          parts(of: directed, as: StreetUse(ofItem: item), nearTime) { cover.cover(directed, isFromEnd: true, $0) }
        }
      }
    }
    for (position, nearTime) in ends.flatMap(positions) where nearTime <= limit {
      for directed in isLeaving ? network.streetsLeaving(position, closed: reach.closed) : [] {
        parts(of: directed, nearTime) { cover.cover(directed, isFromEnd: false, $0) }
      }
      for isReversed in [false, true] {
        parts(of: DirectedStreet(position.street, isReversed: isReversed), nearTime) {
          cover.cover(position, isAfter: isReversed != isLeaving, $0)
        }
      }
    }
  }

  func list(_ list: StretchList, around ends: [ReachedEnd], _ states: [Seed], within limit: UInt32) {
    let (network, isLeaving) = (reach.network, reach.isLeaving)
    func end(of directed: DirectedStreet, as use: StreetUse = .any, _ nearTime: UInt32) -> UInt32? {
      weight(of: directed, as: use).map { farTime($0, nearTime) ?? .max }
    }
    for seed in states where seed.weight.milliseconds <= limit {
      let nearTime = seed.weight.milliseconds
      if isLeaving {
        for arc in network.states.arcs.arcs(from: seed.state) {
          guard let weight = weight(of: ArcID(arc)), let end = farTime(weight, nearTime) else { continue }
          let directed = network.states.streets[arc]
          // The speed is constant within an arc, which consists of the turn and the whole street.
          let part = Double(network.milliseconds(of: directed)) / Double(weight.weight.milliseconds)
          list.add(directed, isFromEnd: false, start: end - UInt32((part * Double(end - nearTime)).rounded()), end: end)
        }
      } else {
        for item in reach.starts[seed.state.index] {
          let directed = StreetUse.street(ofItem: item)
          guard let end = end(of: directed, as: StreetUse(ofItem: item), nearTime) else { continue }
          list.add(directed, isFromEnd: true, start: nearTime, end: end)
        }
      }
    }
    for (position, nearTime) in ends.flatMap(positions) {
      for directed in isLeaving ? network.streetsLeaving(position, closed: reach.closed) : [] {
        guard let end = end(of: directed, nearTime) else { continue }
        list.add(directed, isFromEnd: false, start: nearTime, end: end)
      }
      for isReversed in [false, true] {
        let directed = DirectedStreet(position.street, isReversed: isReversed)
        guard let end = end(of: directed, nearTime), end != .max else { continue }
        list.add(directed, at: position.fraction, isLeaving: isLeaving, start: nearTime, end - nearTime)
      }
    }
  }

  /// Returns the positions of a place on streets, with the milliseconds to each.
  private func positions(of end: ReachedEnd) -> [(StreetPosition, UInt32)] {
    end.end.snap.positions.filter { !$0.isCorner }.map {
      ($0, end.milliseconds + (end.end.leg + $0.line).milliseconds)
    }
  }
}

/// Constant times of streets.
struct ConstantTimes: StreetTimes {
  let reach: TripReach

  func weight(of arc: ArcID) -> TimedWeight? {
    reach.closed?.contains(arc) == true ? nil : TimedWeight(reach.network.states.arcs.weights[Int(arc.index)])
  }

  func weight(of street: DirectedStreet, as use: StreetUse) -> TimedWeight? {
    guard reach.network.isOpen(street, reach.closed, as: use) else { return nil }
    return TimedWeight(reach.network.street(street.street).weight(isReversed: street.isReversed))
  }

  func farTime(_ street: TimedWeight, _ nearTime: UInt32) -> UInt32? { nearTime + street.weight.milliseconds }

  func travelled(_ street: TimedWeight, _ nearTime: UInt32, within limit: UInt32) -> Double {
    Double(min(limit - nearTime, street.weight.milliseconds))
  }

  func forEachPart(of street: TimedWeight, _ nearTime: UInt32, within limit: UInt32, _ body: (Range<Double>) -> Void) {
    body(0..<travelled(street, nearTime, within: limit) / Double(street.weight.milliseconds))
  }
}

/// The times of streets on trips that depart or arrive at one time.
struct ClockTimes: StreetTimes {
  let reach: TripReach
  let timed: TimedNetwork
  let time: TripTime

  func weight(of arc: ArcID) -> TimedWeight? { timed.graph.weight(of: arc) }

  func weight(of street: DirectedStreet, as use: StreetUse) -> TimedWeight? { timed.weight(of: street, as: use) }

  func farTime(_ street: TimedWeight, _ nearTime: UInt32) -> UInt32? {
    let now = time.clock
    guard time.isArrival else {
      let arrival = timed.graph.clock.arrival(street, at: now + nearTime)
      return arrival == StreetClock.never ? nil : arrival - now
    }
    guard now >= nearTime, let departure = timed.graph.clock.departure(street, by: now - nearTime), departure <= now
    else { return nil }
    return now - departure
  }

  func travelled(_ street: TimedWeight, _ nearTime: UInt32, within limit: UInt32) -> Double {
    part(of: street, nearTime, within: limit) * Double(street.weight.milliseconds)
  }

  func forEachPart(of street: TimedWeight, _ nearTime: UInt32, within limit: UInt32, _ body: (Range<Double>) -> Void) {
    guard time.isArrival else { return body(0..<part(of: street, nearTime, within: limit)) }
    guard time.clock >= limit else { return }
    timed.graph.clock.parts(of: street, leavingFrom: time.clock - limit, by: time.clock - nearTime).forEach(body)
  }

  /// Returns the fraction of a street that trips with a departure time travel within a limit.
  private func part(of street: TimedWeight, _ nearTime: UInt32, within limit: UInt32) -> Double {
    let end = time.clock + limit
    guard let entry = timed.graph.clock.entry(street, at: time.clock + nearTime), entry < end else { return 0 }
    return timed.graph.clock.progress(street, from: entry, until: end)
  }
}
