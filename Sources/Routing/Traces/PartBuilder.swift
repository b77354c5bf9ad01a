import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// Makes a part of a match out of the best path through a lattice: its streets with their times, its shape, and the
/// place of each fix.
struct PartBuilder {
  private let network: StreetNetwork
  private let legs: [Leg]
  private let layers: [Layer]
  /// Centimetres from the part's start to the start of each leg.
  private let starts: [Int]
  /// The legs that lead to each layer, and a final entry.
  private let firstLeg: [Int]
  private let score: UInt64

  /// A layer's observation and the candidate that was chosen for it.
  private struct Layer {
    var observation: Observation
    var candidate: Candidate
    var centimetres: UInt32
  }

  init(_ lattice: Lattice, _ observations: [Observation], on network: StreetNetwork) {
    self.network = network
    let chosen = lattice.best()
    score = lattice.labels[chosen[chosen.count - 1]].score
    let legs = lattice.legs(chosen, on: network)
    layers = zip(lattice.layers, chosen).map { layer, index in
      Layer(
        observation: observations[layer.observation], candidate: lattice.candidates[index],
        centimetres: lattice.labels[index].centimetres)
    }
    var starts: [Int] = []
    var firstLeg: [Int] = []
    var length = 0
    for (index, leg) in legs.enumerated() {
      while firstLeg.count <= leg.layer { firstLeg.append(index) }
      starts.append(length)
      length += Int(leg.to - leg.from)
    }
    firstLeg.append(legs.count)
    (self.legs, self.starts, self.firstLeg) = (legs, starts, firstLeg)
  }

  // MARK: Fixes

  /// The place of each fix of the part's observations, by its index among those kept.
  func places(of fixes: [KeptFix], part: Int, _ body: (_ fix: Int, MatchedPlace) -> Void) {
    var line = LegLine()
    for (index, layer) in layers.enumerated() {
      if layer.observation.fixes.count == 1 {
        body(layer.observation.fixes.lowerBound, place(of: index, part))
      } else {
        for fix in layer.observation.fixes {
          body(fix, place(of: fixes[fix].coordinate, around: index, part, &line))
        }
      }
    }
  }

  /// The place of a fix that was merged with others, or that belongs to an observation without being part of it: the
  /// nearest point of what was passed just before and behind the observation.
  func place(of coordinate: Coordinate, around layer: Int, _ part: Int, _ line: inout LegLine) -> MatchedPlace {
    let fixed = FixedCoordinate(coordinate)
    var best: MatchedPlace?
    for index in firstLeg[layer]..<firstLeg[min(layer + 2, firstLeg.count - 1)] {
      let leg = legs[index]
      line.draw(leg, on: network)
      let nearest = line.nearest(to: fixed)
      guard nearest.distance < best?.snapDistance ?? .infinity else { continue }
      best = MatchedPlace(
        part: part, coordinate: nearest.point.coordinate, snapDistance: nearest.distance,
        along: (Double(starts[index]) + nearest.centimetres - Double(leg.from)) / 100, street: leg.street,
        offset: nearest.centimetres / 100)
    }
    return best!
  }

  /// The place of an observation's only fix: its candidate.
  private func place(of layer: Int, _ part: Int) -> MatchedPlace {
    let (candidate, centimetres) = (layers[layer].candidate, layers[layer].centimetres)
    let leg = firstLeg[layer + 1] - 1
    return MatchedPlace(
      part: part, coordinate: candidate.point.coordinate, snapDistance: candidate.distance,
      along: Double(starts[leg] + Int(legs[leg].to - legs[leg].from)) / 100, street: candidate.street,
      offset: Double(centimetres) / 100)
  }

  // MARK: The part

  func part(_ reason: MatchedPart.BeginReason, _ fixes: [KeptFix], _ stops: [TraceStop]) -> MatchedPart {
    let (first, last) = (layers[0].observation, layers[layers.count - 1].observation)
    func date(_ time: Double?) -> Date? { time.map(Date.init(timeIntervalSince1970:)) }
    return MatchedPart(
      beginReason: reason, firstFix: fixes[first.fixes.lowerBound].index,
      lastFix: fixes[last.fixes.upperBound - 1].index, startDate: date(first.time), endDate: date(last.time), name: "",
      polyline: polyline, pieces: pieces(stops), fastest: nil, maximumSpeed: maximumSpeed, score: score)
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

  /// Legs along one street joined. The time between two observations is shared as the profile expects it; a stop's time
  /// is its own.
  private func pieces(_ stops: [TraceStop]) -> [MatchedPiece] {
    var pieces: [MatchedPiece] = []
    var dwells = Dwells(stops)
    for layer in layers.indices {
      let legs = legs[firstLeg[layer]..<firstLeg[layer + 1]]
      let expected = legs.reduce(0.0) { $0 + Double($1.milliseconds) }
      var (clock, moving, end): (Double?, Double?, Double?)
      if layer > 0, let start = layers[layer - 1].observation.time, let time = layers[layer].observation.time,
        time >= start
      {
        let dwell = dwells.between(start, time)
        (clock, moving, end) = (start + dwell.atStart, time - start - dwell.atStart - dwell.atEnd, time)
      } else {
        clock = layers[layer].observation.time
        end = clock
      }
      for (index, leg) in legs.enumerated() {
        let share = expected > 0 ? Double(leg.milliseconds) / expected : 1 / Double(legs.count)
        let seconds = moving.map { max(0, $0) * share }
        append(leg, at: clock, seconds, to: &pieces)
        if let seconds { clock = clock.map { $0 + seconds } }
        pieces[pieces.count - 1].left = index == legs.count - 1 ? end : clock
      }
    }
    return pieces
  }

  private func append(_ leg: Leg, at clock: Double?, _ seconds: Double?, to pieces: inout [MatchedPiece]) {
    if let last = pieces.last, last.street == leg.street, last.to == Int(leg.from), !leg.isUTurn {
      pieces[pieces.count - 1].to = Int(leg.to)
      pieces[pieces.count - 1].weight = last.weight + leg.weight
      if let seconds { pieces[pieces.count - 1].observedTime = (last.observedTime ?? 0) + seconds }
    } else {
      pieces.append(
        MatchedPiece(
          street: leg.street, from: Int(leg.from), to: Int(leg.to), weight: leg.weight, isUTurn: leg.isUTurn,
          entered: clock, left: clock, observedTime: clock == nil ? nil : seconds ?? 0))
    }
  }

  /// The greatest mean speed over three successive steps, in metres per second; nil without times.
  private var maximumSpeed: Double? {
    var greatest: Double?
    for layer in layers.indices.dropFirst() {
      let first = max(0, layer - 3)
      guard let start = layers[first].observation.time, let end = layers[layer].observation.time, end > start,
        layer - first == 3 || layers.count <= 3
      else { continue }
      let last = firstLeg[layer + 1] - 1
      let length = starts[last] + Int(legs[last].to - legs[last].from) - starts[firstLeg[first + 1]]
      greatest = max(greatest ?? 0, Double(length) / 100 / max(1, end - start))
    }
    return greatest
  }
}

/// The time that stops take of the time between two observations. Asked in ascending order.
private struct Dwells {
  private let stops: [TraceStop]
  private var next = 0

  init(_ stops: [TraceStop]) { self.stops = stops }

  /// Seconds of stops between two times: of those in progress at the end, and of all others.
  mutating func between(_ start: Double, _ end: Double) -> (atStart: Double, atEnd: Double) {
    while next < stops.count, stops[next].departureDate.timeIntervalSince1970 <= start { next += 1 }
    var seconds = (atStart: 0.0, atEnd: 0.0)
    for stop in stops[next...] {
      let (arrival, departure) = (
        stop.arrivalDate.timeIntervalSince1970, stop.departureDate.timeIntervalSince1970
      )
      guard arrival < end else { break }
      let overlap = min(departure, end) - max(arrival, start)
      if departure > end && arrival > start { seconds.atEnd += overlap } else { seconds.atStart += overlap }
    }
    return seconds
  }
}
