import Geography
import Hierarchy
import StreetNetwork

/// A section of a street along which trips lead from or to a place, with travel times.
package struct TimedStretch: Sendable {
  package var street: StreetID
  /// Fractions of the street's shape from its tail: the end nearer to the place, and the other end.
  package var from: Double
  package var to: Double
  /// Milliseconds between the place and each end.
  package var start: UInt32
  package var end: UInt32
}

extension StreetNetwork {
  /// The points of a section with the milliseconds to each, cut where time runs out.
  package func points(
    of stretch: TimedStretch, within limit: UInt32
  ) -> [(point: FixedCoordinate, milliseconds: Double)] {
    guard stretch.start <= limit, stretch.from != stretch.to else { return [] }
    let all = Double(stretch.end) - Double(stretch.start)
    let part = stretch.end > limit && all > 0 ? (Double(limit) - Double(stretch.start)) / all : 1
    let cut = stretch.from + (stretch.to - stretch.from) * part
    let isReversed = cut < stretch.from
    let line = points(
      of: StreetPiece(street: stretch.street, from: min(stretch.from, cut), to: max(stretch.from, cut)))
    let ordered = isReversed ? line.reversed() : line
    var (lengths, sum) = ([0.0], 0.0)
    for (a, b) in zip(ordered, ordered.dropFirst()) {
      sum += a.distance(to: b)
      lengths.append(sum)
    }
    return zip(ordered, lengths).map { point, length in
      (point, Double(stretch.start) + (sum > 0 ? all * part * length / sum : 0))
    }
  }
}

/// Sections as found by a search: for each street and direction only the earliest.
struct StretchList {
  private var whole: [UInt32: (start: UInt32, end: UInt32)] = [:]
  private var own: [TimedStretch] = []

  /// Adds a whole street, from its start in its direction, or from its end.
  mutating func add(_ directed: DirectedStreet, isFromEnd: Bool, start: UInt32, end: UInt32) {
    // A street counts as two: from its tail, and from its head.
    let key = directed.street.index << 1 | (directed.isReversed == isFromEnd ? 0 : 1)
    if let known = whole[key], known.start <= start { return }
    whole[key] = (start, end)
  }

  mutating func add(_ stretch: TimedStretch) { own.append(stretch) }

  var stretches: [TimedStretch] {
    own
      + whole.map { key, times in
        let isFromTail = key & 1 == 0
        return TimedStretch(
          street: StreetID(key >> 1), from: isFromTail ? 0 : 1, to: isFromTail ? 1 : 0, start: times.start,
          end: times.end)
      }
  }
}

extension TripReachQuery {
  /// The streets within `limit` of a place, with travel times; `states` are those around it, for this limit or a longer
  /// one.
  package func stretches(around end: TripEnd, _ states: [Seed], within limit: UInt32) -> [TimedStretch] {
    stretches(around: [(end, 0)], states, within: limit)
  }

  /// The same around several ends, each with the milliseconds to it.
  package func stretches(
    around ends: [(end: TripEnd, milliseconds: UInt32)], _ states: [Seed], within limit: UInt32
  ) -> [TimedStretch] {
    var list = StretchList()
    let isLeaving = reach.direction == .fromTargets
    func whole(_ directed: DirectedStreet) -> UInt32 {
      network.street(directed.street).milliseconds(isReversed: directed.isReversed)
    }
    for seed in states where seed.weight.milliseconds <= limit {
      let time = seed.weight.milliseconds
      if isLeaving {
        for arc in network.states.arcs.arcs(from: seed.state) where reach.closed?.contains(ArcID(arc)) != true {
          let directed = network.states.streets[arc]
          let all = time + network.states.arcs.weights[arc].milliseconds
          list.add(directed, isFromEnd: false, start: all - whole(directed), end: all)
        }
      } else {
        for index in reach.firstStart[Int(seed.state.index)]..<reach.firstStart[Int(seed.state.index) + 1] {
          let directed = reach.starts[Int(index)]
          list.add(directed, isFromEnd: true, start: time, end: time + whole(directed))
        }
      }
    }
    for (end, milliseconds) in ends {
      for position in end.snap.positions where !position.isCorner {
        let away = milliseconds + (end.leg + position.line).milliseconds
        if isLeaving {
          for directed in network.streetsLeaving(position, closed: reach.closed) {
            list.add(directed, isFromEnd: false, start: away, end: away + whole(directed))
          }
        }
        for isReversed in [false, true] {
          let directed = DirectedStreet(position.street, isReversed: isReversed)
          guard network.isOpen(directed, reach.closed) else { continue }
          // From the place with the direction; to it against the direction.
          let to = isReversed == isLeaving ? 0.0 : 1.0
          let time = Double(whole(directed)) * abs(to - position.fraction)
          list.add(
            TimedStretch(
              street: position.street, from: position.fraction, to: to, start: away, end: away + UInt32(time)))
        }
      }
    }
    return list.stretches
  }
}
