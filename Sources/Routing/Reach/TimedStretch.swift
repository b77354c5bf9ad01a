import Geography
import Hierarchy
import StreetNetwork

/// A section of a street along which trips lead from or to a place, with travel times.
package struct TimedStretch: Sendable {
  package var street: StreetID
  /// Fractions of the street's shape from its tail: the end nearer to the place, and the other end.
  package var from: Double
  package var to: Double
  /// The milliseconds between the place and each end.
  package var start: UInt32
  package var end: UInt32
}

extension StreetNetwork {
  /// Appends the points of a section, cut where time runs out, with the milliseconds to each.
  package func append(_ stretch: TimedStretch, within limit: UInt32, to line: inout [TimedPoint]) {
    guard stretch.start <= limit, stretch.from != stretch.to else { return }
    let all = Double(stretch.end) - Double(stretch.start)
    let part = stretch.end > limit && all > 0 ? (Double(limit) - Double(stretch.start)) / all : 1
    let cut = stretch.from + (stretch.to - stretch.from) * part
    let isReversed = cut < stretch.from
    let piece = StreetPiece(street: stretch.street, from: min(stretch.from, cut), to: max(stretch.from, cut))
    let first = line.count
    if piece.isWhole {
      let shape = shape(of: piece.street)
      line.append(measuring: UnsafeBufferPointer(start: points.base + shape.lowerBound, count: shape.count), isReversed)
    } else {
      points(of: piece).withUnsafeBufferPointer { line.append(measuring: $0, isReversed) }
    }
    line.withUnsafeMutableBufferPointer { line in
      let metres = line[line.count - 1].milliseconds
      for index in first..<line.count {
        line[index].milliseconds =
          Double(stretch.start) + (metres > 0 ? all * part * line[index].milliseconds / metres : 0)
      }
    }
  }
}

extension [TimedPoint] {
  /// Appends points in forward or reverse order, with the metres from the first one in place of times.
  fileprivate mutating func append(measuring points: UnsafeBufferPointer<FixedCoordinate>, _ isReversed: Bool) {
    guard let end = points.indices.last else { return }
    var (last, metres) = (MeasuredPoint(points[isReversed ? end : 0].coordinate), 0.0)
    for index in 0...end {
      let point = points[isReversed ? end - index : index]
      let measured = MeasuredPoint(point.coordinate)
      if index > 0 { metres += last.distance(to: measured) }
      append(TimedPoint(point: point, milliseconds: metres))
      last = measured
    }
  }
}

/// A point, and the milliseconds between it and a place.
package struct TimedPoint {
  package var point: FixedCoordinate
  package var milliseconds: Double
}

/// Collects the sections that a search finds: only the earliest for each street and direction. Reusable; each thread
/// needs its own object.
final class StretchList {
  /// For each street, from its tail and then from its head: the milliseconds to both ends; `none` between uses.
  private let whole: UnsafeMutablePointer<SIMD2<UInt32>>
  private var touched: [UInt32] = []
  private var own: [TimedStretch] = []

  private static let none = SIMD2<UInt32>(repeating: .max)

  init(streetCount: Int) {
    whole = .allocate(capacity: max(1, streetCount * 2))
    whole.initialize(repeating: StretchList.none, count: streetCount * 2)
  }

  deinit { whole.deallocate() }

  /// Adds a whole street, from its start in its direction, or from its end.
  func add(_ directed: DirectedStreet, isFromEnd: Bool, start: UInt32, end: UInt32) {
    let key = directed.street.index << 1 | (directed.isReversed == isFromEnd ? 0 : 1)
    let known = whole[Int(key)]
    if known == StretchList.none { touched.append(key) } else if known.x <= start { return }
    whole[Int(key)] = SIMD2(start, end)
  }

  func add(_ stretch: TimedStretch) { own.append(stretch) }

  /// Returns all sections, and clears them.
  func takeStretches() -> [TimedStretch] {
    defer {
      touched.removeAll(keepingCapacity: true)
      own.removeAll(keepingCapacity: true)
    }
    return own
      + touched.map { key in
        defer { whole[Int(key)] = StretchList.none }
        let (isFromTail, times) = (key & 1 == 0, whole[Int(key)])
        return TimedStretch(
          street: StreetID(key >> 1), from: isFromTail ? 0 : 1, to: isFromTail ? 1 : 0, start: times.x, end: times.y)
      }
  }
}

extension TripReachQuery {
  /// Returns the streets within `limit` of a place, with travel times; `states` are the states around it, for this
  /// limit or a larger one.
  package func stretches(around end: TripEnd, _ states: [Seed], within limit: UInt32) -> [TimedStretch] {
    stretches(around: [(end, 0)], states, within: limit)
  }

  /// Returns the streets within `limit` of several places, each with the milliseconds to it.
  package func stretches(
    around ends: [(end: TripEnd, milliseconds: UInt32)], _ states: [Seed], within limit: UInt32
  ) -> [TimedStretch] {
    let isLeaving = reach.direction == .fromTargets
    for seed in states where seed.weight.milliseconds <= limit {
      let time = seed.weight.milliseconds
      if isLeaving {
        for arc in network.states.arcs.arcs(from: seed.state) where reach.closed?.contains(ArcID(arc)) != true {
          let directed = network.states.streets[arc]
          let all = time + network.states.arcs.weights[arc].milliseconds
          list.add(directed, isFromEnd: false, start: all - network.milliseconds(of: directed), end: all)
        }
      } else {
        for directed in reach.starts[seed.state.index] {
          list.add(directed, isFromEnd: true, start: time, end: time + network.milliseconds(of: directed))
        }
      }
    }
    for (end, milliseconds) in ends {
      for position in end.snap.positions where !position.isCorner {
        let away = milliseconds + (end.leg + position.line).milliseconds
        if isLeaving {
          for directed in network.streetsLeaving(position, closed: reach.closed) {
            list.add(directed, isFromEnd: false, start: away, end: away + network.milliseconds(of: directed))
          }
        }
        for isReversed in [false, true] {
          let directed = DirectedStreet(position.street, isReversed: isReversed)
          guard network.isOpen(directed, reach.closed) else { continue }
          // Trips from the place lead to the street's end in its direction; trips to the place come from its start.
          let to = isReversed == isLeaving ? 0.0 : 1.0
          let time = Double(network.milliseconds(of: directed)) * abs(to - position.fraction)
          list.add(
            TimedStretch(
              street: position.street, from: position.fraction, to: to, start: away, end: away + UInt32(time)))
        }
      }
    }
    return list.takeStretches()
  }
}
