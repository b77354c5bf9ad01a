import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// Builds a part of a match from the best path through a lattice: the part's streets and their times, its shape, and
/// the position of each fix.
struct PartBuilder {
  private let network: StreetNetwork
  private let legs: [Leg]
  private let layers: [Layer]
  /// The distance from the part's start to the start of each leg, in centimetres.
  private let starts: [Int]
  /// The index of the first leg to each layer, then the index of the first leg to the part's end, then the leg count.
  private let firstLeg: [Int]
  /// The times of the part's start and end.
  private let startTime: Double?
  private let endTime: Double?
  private let score: UInt64

  /// A layer's observation and its chosen candidate.
  private struct Layer {
    var observation: Observation
    var candidate: Candidate
    /// The path's position on the candidate's street, as in `Lattice.Label`.
    var centimetres: UInt32
  }

  init(_ lattice: Lattice, _ observations: [Observation], _ fixes: [KeptFix], on network: StreetNetwork) {
    self.network = network
    let chosen = lattice.best()
    score = lattice.labels[chosen[chosen.count - 1]].score
    let layers = zip(lattice.layers, chosen).map { layer, index in
      Layer(
        observation: observations[layer.observation], candidate: lattice.candidates[index],
        centimetres: lattice.labels[index].centimetres)
    }
    self.layers = layers
    var legs = lattice.legs(chosen, on: network) { PartBuilder.reach(before: $0, layers, fixes, on: network) }
    startTime = fixes[layers[0].observation.fixes.lowerBound].time
    endTime = fixes[layers[layers.count - 1].observation.fixes.upperBound - 1].lastTime
    if let first = PartBuilder.end(of: layers[0], fixes, isFirst: true, on: network) {
      legs[0].milliseconds = first.milliseconds
      legs[0].from = first.from
    }
    if let last = PartBuilder.end(of: layers[layers.count - 1], fixes, isFirst: false, on: network) {
      legs.append(last)
      legs[legs.count - 1].layer = layers.count
    }
    var starts: [Int] = []
    var firstLeg: [Int] = []
    var length = 0
    for (index, leg) in legs.enumerated() {
      while firstLeg.count <= leg.layer { firstLeg.append(index) }
      starts.append(length)
      length += Int(leg.to - leg.from)
    }
    while firstLeg.count <= layers.count + 1 { firstLeg.append(legs.count) }
    (self.legs, self.starts, self.firstLeg) = (legs, starts, firstLeg)
  }

  /// Returns the leg from a part's first fix to the mean of the first observation, or from the mean of the last
  /// observation to the last fix, on the street of the mean's candidate. Its length is zero if the fix is on the wrong
  /// side of the mean. Nil if no other fix was merged into the observation and, at the end, none was dropped near the
  /// last fix.
  private static func end(
    of layer: Layer, _ fixes: [KeptFix], isFirst: Bool, on network: StreetNetwork
  ) -> Leg? {
    let (run, candidate) = (layer.observation.fixes, layer.candidate)
    let fix = fixes[isFirst ? run.lowerBound : run.upperBound - 1]
    guard run.count > 1 || !isFirst && fix.lastTime != fix.time else { return nil }
    let at = layer.centimetres
    let end = position(of: fix.coordinate, layer, on: network)
    let (from, to) = isFirst ? (min(end, at), at) : (at, max(end, at))
    let milliseconds = candidate.milliseconds(upTo: to) - candidate.milliseconds(upTo: from)
    return Leg(street: candidate.street, from: from, to: to, milliseconds: milliseconds, layer: 0)
  }

  /// Returns how far, in centimetres, a trace went along its street before it turned around on the way to `layer`: as
  /// far as the outermost fix matched near the turn of the best path. Also returns that fix's layer, or `layer` if the
  /// fix's is earlier. The means of merged fixes do not reach as far, nor does a path that turns early.
  private static func reach(
    before layer: Int, _ layers: [Layer], _ fixes: [KeptFix], on network: StreetNetwork
  ) -> (centimetres: UInt32, layer: Int) {
    let street = layers[layer - 1].candidate.street
    func along(_ layer: Layer, _ centimetres: UInt32) -> UInt32? {
      if layer.candidate.street == street { return centimetres }
      return layer.candidate.street == street.opposite ? layer.candidate.length - centimetres : nil
    }
    let turn = layers[layer - 1...layer].compactMap { along($0, $0.centimetres) }.max()
    // The layer at which the path turns around is arbitrary: all choices cost the same.
    var (first, last) = (layer - 1, layer)
    while first > 0, along(layers[first], layers[first].centimetres) == turn { first -= 1 }
    while last < layers.count - 1, along(layers[last], layers[last].centimetres) == turn { last += 1 }
    var outermost = (centimetres: UInt32(0), layer: layer)
    for (index, other) in zip(first...last, layers[first...last]) {
      for fix in fixes[other.observation.fixes] {
        for coordinate in [fix.coordinate] + fix.droppedNearby.map(\.coordinate) {
          guard let reached = along(other, position(of: coordinate, other, on: network)) else { continue }
          if reached > outermost.centimetres { outermost = (reached, max(index, layer)) }
        }
      }
    }
    return outermost
  }

  /// Returns the position of an observation's fix along its candidate's street, in centimetres: no farther from the
  /// candidate than the fix is from the observation, since a street may pass the fix twice.
  private static func position(of coordinate: Coordinate, _ layer: Layer, on network: StreetNetwork) -> UInt32 {
    let (candidate, point) = (layer.candidate, FixedCoordinate(coordinate))
    let distance = UInt32(point.planeDistance(to: layer.observation.coordinate) * 100)
    let (before, after) = (candidate.centimetres, candidate.length - candidate.centimetres)
    var line = LegLine()
    line.draw(
      Leg(
        street: candidate.street, from: before - min(before, distance), to: before + min(after, distance),
        milliseconds: 0,
        layer: 0), on: network)
    return UInt32(line.nearest(to: point).centimetres.rounded())
  }

  // MARK: Fixes

  /// Calls `body` with each fix of the part's observations: its index among the kept fixes, and its position.
  func forEachPlace(of fixes: [KeptFix], part: Int, _ body: (_ fix: Int, MatchedPlace) -> Void) {
    var surroundings = Surroundings()
    for (index, layer) in layers.enumerated() {
      let isExact = layer.observation.fixes.count == 1 && layer.candidate.centimetres == layer.centimetres
      for fix in layer.observation.fixes {
        body(
          fix, isExact ? place(of: index, part) : place(of: fixes[fix].coordinate, around: index, part, &surroundings))
      }
    }
  }

  /// The drawn path just before and after an observation, reused from fix to fix.
  struct Surroundings {
    fileprivate var key: (part: Int, layer: Int)?
    fileprivate var lines: [(leg: Int, line: LegLine)] = []
    /// The maximum number of legs on either side: the fixes of an observation are close to it.
    fileprivate static let maximumLegs = 8
  }

  /// Returns the position of a fix that was merged with others, or dropped next to an observation: the nearest point of
  /// the path just before and after the observation.
  func place(
    of coordinate: Coordinate, around layer: Int, _ part: Int, _ surroundings: inout Surroundings
  ) -> MatchedPlace {
    if surroundings.key ?? (-1, -1) != (part, layer) {
      surroundings.key = (part, layer)
      surroundings.lines.removeAll(keepingCapacity: true)
      let before = legs.indices[firstLeg[layer]..<firstLeg[layer + 1]].suffix(Surroundings.maximumLegs)
      let after = legs.indices[firstLeg[layer + 1]..<firstLeg[layer + 2]].prefix(Surroundings.maximumLegs)
      for index in [Array(before), Array(after)].joined() {
        var line = LegLine()
        line.draw(legs[index], on: network)
        surroundings.lines.append((index, line))
      }
    }
    let place = FixedCoordinate(coordinate)
    var best: (leg: Int, point: FixedCoordinate, distance: Double, centimetres: Double)?
    for (index, line) in surroundings.lines {
      let nearest = line.nearest(to: place)
      if nearest.distance < best?.distance ?? .infinity {
        best = (index, nearest.point, nearest.distance, nearest.centimetres)
      }
    }
    guard let best else { return self.place(of: layer, part) }
    let leg = legs[best.leg]
    return MatchedPlace(
      part: part, coordinate: best.point.coordinate, snapDistance: best.distance,
      along: (Double(starts[best.leg]) + best.centimetres - Double(leg.from)) / 100, street: leg.street,
      offset: best.centimetres / 100)
  }

  /// Returns the position of an observation's only fix: its candidate.
  private func place(of layer: Int, _ part: Int) -> MatchedPlace {
    let candidate = layers[layer].candidate
    let (leg, start) = (legs[firstLeg[layer + 1] - 1], starts[firstLeg[layer + 1] - 1])
    return MatchedPlace(
      part: part, coordinate: candidate.point.coordinate, snapDistance: candidate.distance,
      along: Double(start + Int(leg.to - leg.from)) / 100, street: leg.street, offset: Double(leg.to) / 100)
  }

  // MARK: The part

  func part(_ reason: MatchedPart.BeginReason, _ fixes: [KeptFix], _ stops: [TraceStop]) -> MatchedPart {
    let (first, last) = (layers[0].observation, layers[layers.count - 1].observation)
    func date(_ time: Double?) -> Date? { time.map(Date.init(timeIntervalSince1970:)) }
    return MatchedPart(
      beginReason: reason, firstFix: fixes[first.fixes.lowerBound].index,
      lastFix: fixes[last.fixes.upperBound - 1].lastIndex, startDate: date(startTime), endDate: date(endTime), name: "",
      polyline: polyline, pieces: pieces(stops), fastest: nil, maximumSpeed: maximumSpeed, score: score)
  }

  /// Returns the length of the straight lines between the part's matched fixes, in metres.
  func straightLength(of fixes: [KeptFix]) -> Double {
    let part = layers.flatMap { fixes[$0.observation.fixes] }
    return zip(part, part.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
  }

  private var polyline: Polyline {
    var points: [FixedCoordinate] = []
    var line = LegLine()
    for leg in legs where leg.to > leg.from {
      line.draw(leg, on: network)
      for point in line.points where points.last != point { points.append(point) }
    }
    let point = layers[0].candidate.point
    while points.count < 2 { points.append(points.last ?? point) }
    return Polyline(points: points)
  }

  /// Returns the pieces of the part, in which successive legs along one street are joined. The time between two
  /// observations with times, less the time spent at stops, is divided in proportion to expected times.
  private func pieces(_ stops: [TraceStop]) -> [MatchedPiece] {
    var pieces: [MatchedPiece] = []
    var remaining = stops[...]
    let times = [startTime] + layers.map(\.observation.time) + [endTime]
    var layer = 0
    while layer <= layers.count {
      let next = times.indices.dropFirst(layer + 1).first { times[$0] != nil } ?? layers.count + 1
      defer { layer = next }
      let legs = legs[firstLeg[layer]..<firstLeg[next]]
      let expected = legs.reduce(0.0) { $0 + Double($1.milliseconds) }
      let end = times[next]
      var (clock, moving, includesStop): (Double?, Double?, Bool) = (times[layer], nil, false)
      if let start = clock, let end, end >= start {
        remaining = remaining.drop { $0.departureDate.timeIntervalSince1970 <= start }
        let dwell = PartBuilder.seconds(at: remaining, between: start, end)
        (clock, moving) = (start + dwell.atStart, end - start - dwell.atStart - dwell.atEnd)
        includesStop = dwell.atStart + dwell.atEnd > 0
      }
      for (index, leg) in legs.enumerated() {
        let share = expected > 0 ? Double(leg.milliseconds) / expected : 1 / Double(legs.count)
        let seconds = moving.map { max(0, $0) * share }
        append(leg, at: clock, seconds, to: &pieces)
        if includesStop, leg.to > leg.from { pieces[pieces.count - 1].includesStop = true }
        // Rounding errors must not make the trace leave a piece after the next observation.
        clock = clock.flatMap { clock in seconds.map { min(clock + $0, end ?? clock) } }
        pieces[pieces.count - 1].left = index == legs.count - 1 ? end : clock
      }
    }
    return pieces
  }

  /// Returns the seconds spent at stops between two times: `atEnd` for stops that begin after `start` and continue past
  /// `end`, `atStart` for others.
  private static func seconds(
    at stops: ArraySlice<TraceStop>, between start: Double, _ end: Double
  ) -> (atStart: Double, atEnd: Double) {
    var seconds = (atStart: 0.0, atEnd: 0.0)
    for stop in stops {
      let (arrival, departure) = (stop.arrivalDate.timeIntervalSince1970, stop.departureDate.timeIntervalSince1970)
      guard arrival < end else { break }
      let overlap = min(departure, end) - max(arrival, start)
      if departure > end && arrival > start { seconds.atEnd += overlap } else { seconds.atStart += overlap }
    }
    return seconds
  }

  private func append(_ leg: Leg, at clock: Double?, _ seconds: Double?, to pieces: inout [MatchedPiece]) {
    if let last = pieces.last, last.street == leg.street, last.to == Int(leg.from), !leg.isUTurn {
      pieces[pieces.count - 1].to = Int(leg.to)
      pieces[pieces.count - 1].weight = last.weight + leg.weight
      // If the time of one leg is unknown, so is the time of the whole piece.
      pieces[pieces.count - 1].observedTime = seconds.flatMap { seconds in last.observedTime.map { $0 + seconds } }
    } else {
      pieces.append(
        MatchedPiece(
          street: leg.street, from: Int(leg.from), to: Int(leg.to), weight: leg.weight, isUTurn: leg.isUTurn,
          entered: clock, left: clock, observedTime: seconds))
    }
  }

  /// The maximum mean speed over three successive steps between observations with times, in metres per second. A part
  /// with fewer steps uses those; nil if there are none.
  private var maximumSpeed: Double? {
    let timed = layers.indices.filter { layers[$0].observation.time != nil }
    var maximum: Double?
    for index in timed.indices.dropFirst() where index >= 3 || timed.count <= 3 {
      let step = step(from: timed[max(0, index - 3)], to: timed[index])
      guard step.seconds > 0 else { continue }
      maximum = max(maximum ?? 0, step.metres / max(1, step.seconds))
    }
    return maximum
  }

  /// The maximum speed of a single step after its length is reduced by three standard deviations of noise, in metres
  /// per second.
  var fastestStepSpeed: Double {
    let timed = layers.indices.filter { layers[$0].observation.time != nil }
    return zip(timed, timed.dropFirst()).map { a, b in
      let step = step(from: a, to: b)
      let noise = 3 * (layers[a].observation.sigma + layers[b].observation.sigma)
      return step.seconds > 0 ? (step.metres - noise) / max(1, step.seconds) : 0
    }.max() ?? 0
  }

  /// Returns the length along streets, and the time, between two observations with times.
  private func step(from a: Int, to b: Int) -> (metres: Double, seconds: Double) {
    let last = firstLeg[b + 1] - 1
    let length = starts[last] + Int(legs[last].to - legs[last].from) - starts[firstLeg[a + 1]]
    return (Double(length) / 100, layers[b].observation.time! - layers[a].observation.time!)
  }
}

/// The points of a leg, including its cut ends, each with its distance along the street in centimetres.
struct LegLine {
  private(set) var points: [FixedCoordinate] = []
  private(set) var centimetres: [Double] = []

  /// Replaces the points with the part of the street's shape that `leg` covers, in its direction. Cut ends are
  /// interpolated.
  mutating func draw(_ leg: Leg, on network: StreetNetwork) {
    points.removeAll(keepingCapacity: true)
    centimetres.removeAll(keepingCapacity: true)
    let street = network.street(leg.street.street)
    let shape = network.shape(of: leg.street.street)
    let isReversed = leg.street.isReversed
    let count = shape.count
    func point(_ index: Int) -> FixedCoordinate {
      network.point(isReversed ? shape.upperBound - 1 - index : shape.lowerBound + index)
    }
    let shrink = cos(Double(network.point(shape.lowerBound).latitude) / 1e7 * .pi / 180)
    var whole = 0.0
    for index in 1..<count { whole += point(index - 1).units(to: point(index), shrink) }
    let scale = whole > 0 ? Double(street.centimetres) / whole : 0
    let (from, to) = (Double(leg.from), Double(leg.to))
    var before = 0.0
    for index in 1..<count {
      let (a, b) = (point(index - 1), point(index))
      let length = a.units(to: b, shrink) * scale
      let end = index == count - 1 ? Double(street.centimetres) : before + length
      defer { before = end }
      guard end >= from else { continue }
      func cut(_ at: Double) -> FixedCoordinate { a.towards(b, length > 0 ? (at - before) / length : 0) }
      if points.isEmpty { append(from <= before ? a : cut(from), max(from, before)) }
      if to <= end {
        append(to == end ? b : cut(to), to)
        return
      }
      append(b, end)
    }
  }

  private mutating func append(_ point: FixedCoordinate, _ at: Double) {
    points.append(point)
    centimetres.append(at)
  }

  /// Returns the point nearest to a place: its coordinate, its distance in metres, and its position along the street in
  /// centimetres.
  func nearest(to place: FixedCoordinate) -> (point: FixedCoordinate, distance: Double, centimetres: Double) {
    let shrink = cos(Double(place.latitude) / 1e7 * .pi / 180)
    var best = (square: Double.infinity, index: 0, along: 0.0)
    for index in 0..<max(1, points.count - 1) {
      let (a, b) = (points[index], points[min(index + 1, points.count - 1)])
      let start = SIMD2(place.eastward(to: a) * shrink, Double(a.latitude) - Double(place.latitude))
      let line = SIMD2(a.eastward(to: b) * shrink, Double(b.latitude) - Double(a.latitude))
      let nearest = start.nearest(along: line)
      if nearest.square < best.square { best = (nearest.square, index, nearest.share) }
    }
    let next = min(best.index + 1, points.count - 1)
    return (
      points[best.index].towards(points[next], best.along), best.square.squareRoot() * Coordinate.metresPerDegree / 1e7,
      centimetres[best.index] + best.along * (centimetres[next] - centimetres[best.index])
    )
  }
}

extension FixedCoordinate {
  /// Returns the distance to a nearby point in units of 1e-7 degrees, in the plane.
  fileprivate func units(to other: FixedCoordinate, _ shrink: Double) -> Double {
    let dx = eastward(to: other) * shrink
    let dy = Double(other.latitude) - Double(latitude)
    return (dx * dx + dy * dy).squareRoot()
  }
}
