import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// The best path to each candidate of a part's observations, in one layer per observation.
struct Lattice {
  /// The best path to a candidate.
  struct Label: BitwiseCopyable {
    /// The cost in 2^-24 nats; `unreachable` if there is no path.
    var score: UInt64 = Label.unreachable
    /// The path's position on the candidate's street: at the candidate, or farther if the trace moved back slightly.
    var centimetres: UInt32
    /// The index of the previous candidate within its layer; -1 in the first layer.
    var from: Int32 = -1
    var way = Way.along
    /// The range in the lattice's `arcs` of a way through junctions, last arc first.
    var firstArc: UInt32 = 0
    var arcCount: UInt32 = 0

    static let unreachable = UInt64.max
    var isReachable: Bool { score != Label.unreachable }
  }

  /// The way in which a path leads from one candidate to the next.
  enum Way: UInt8, BitwiseCopyable {
    /// Along one street.
    case along
    /// Turned around on the street without leaving it.
    case turned
    /// Through junctions.
    case through
    /// Turned around on the street first, then through junctions.
    case turnedThrough
  }

  /// Each observation, and the range of its candidates in `candidates` and `labels`.
  var layers: [(observation: Int, range: Range<Int>)] = []
  var candidates: [Candidate] = []
  var labels: [Label] = []
  var arcs: [UInt32] = []

  var isEmpty: Bool { layers.isEmpty }

  mutating func removeAll() {
    layers.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    arcs.removeAll(keepingCapacity: true)
  }

  /// Appends the first layer of a part, to which no ways lead.
  mutating func begin(with candidates: [Candidate], observation: Int) {
    let labels = candidates.map { Label(score: $0.emission, centimetres: $0.centimetres) }
    append(candidates, labels, observation: observation)
  }

  mutating func append(_ candidates: [Candidate], _ labels: [Label], observation: Int) {
    let start = self.candidates.count
    self.candidates.append(contentsOf: candidates)
    self.labels.append(contentsOf: labels)
    layers.append((observation, start..<self.candidates.count))
  }

  /// Removes the last layer; `arcs` is the previous number of arcs.
  mutating func removeLast(arcs count: Int) {
    let start = layers.removeLast().range.lowerBound
    candidates.removeSubrange(start...)
    labels.removeSubrange(start...)
    arcs.removeSubrange(count...)
  }

  /// Returns the candidates of the best path, one per layer, as indices into `candidates`; of equally good paths, the
  /// one to the nearest candidate.
  func best() -> [Int] {
    guard let last = layers.last else { return [] }
    var index = last.range.min { (labels[$0].score, $0) < (labels[$1].score, $1) }!
    var chosen = [index]
    for layer in layers.indices.dropFirst().reversed() {
      index = layers[layer - 1].range.lowerBound + Int(labels[index].from)
      chosen.append(index)
    }
    return chosen.reversed()
  }
}

/// Consecutive fixes close to one another, merged into their mean.
///
/// A device that records every second while standing or creeping produces a tangle of fixes, which a match would follow
/// back and forth. Fixes within four standard deviations of the first fix of their run differ from it only by noise.
struct Observation {
  var coordinate: FixedCoordinate
  /// The mean time of the fixes that have one, in seconds since 1970; nil if none has.
  var time: Double?
  /// The standard deviation of the position error, in metres.
  var sigma: Double
  /// The merged fixes, as indices into the kept fixes.
  var fixes: Range<Int>

  /// The gap between fixes, in seconds, after which a run ends regardless of distances.
  private static let maximumGap = 60.0
  /// The maximum number of fixes that count as independent.
  private static let independentFixes = 4
  /// Added to every standard deviation for the map's inaccuracy and the width of a road, in metres.
  private static let mapSigma = 4.0

  /// Merges kept fixes; `sigma` returns the standard deviation of each.
  static func merging(_ fixes: [KeptFix], sigma: (Int) -> Double) -> [Observation] {
    var observations: [Observation] = []
    observations.reserveCapacity(fixes.count)
    var start = 0
    while start < fixes.count {
      let first = fixes[start]
      let limit = 4 * sigma(start)
      let shrink = cos(first.coordinate.latitude * .pi / 180)
      var end = start + 1
      while end < fixes.count, first.planeDistance(to: fixes[end], shrink) <= limit {
        if let last = fixes[end - 1].time, let time = fixes[end].time, time - last > maximumGap { break }
        end += 1
      }
      observations.append(mean(of: start..<end, fixes, sigma))
      start = end
    }
    return observations
  }

  private static func mean(of range: Range<Int>, _ fixes: [KeptFix], _ sigma: (Int) -> Double) -> Observation {
    // Differences from the first fix are averaged: a mean of coordinates and times would lose digits, and be wrong
    // across the antimeridian.
    let first = fixes[range.lowerBound]
    let start = fixes[range].lazy.compactMap(\.time).first
    var (longitude, latitude, time, timed, variance) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in range {
      longitude += (fixes[index].coordinate.longitude - first.coordinate.longitude).remainder(dividingBy: 360)
      latitude += fixes[index].coordinate.latitude - first.coordinate.latitude
      if let start, let now = fixes[index].time { (time, timed) = (time + now - start, timed + 1) }
      variance += sigma(index) * sigma(index)
    }
    let count = Double(range.count)
    variance /= count * Double(min(range.count, independentFixes))
    return Observation(
      coordinate: FixedCoordinate(
        Coordinate(
          latitude: first.coordinate.latitude + latitude / count,
          longitude: (first.coordinate.longitude + longitude / count).remainder(dividingBy: 360))),
      time: start.map { $0 + time / timed },
      sigma: (variance + mapSigma * mapSigma).squareRoot(), fixes: range)
  }
}

struct KeptFix {
  var coordinate: Coordinate
  /// The time in seconds since 1970.
  var time: Double?
  /// The longest time without any fix, kept or not, since the previous kept fix; 0 if the fixes have no times.
  var pause: Double
  /// The accuracy reported by the device, in metres; nil if unknown.
  var accuracy: Double?
  /// Its index in the trace.
  var index: Int
  /// The following fixes that were dropped because they are close to this one.
  var droppedNearby: [Fix] = []
  /// The time and the index of the last of those fixes, or of this fix if there are none.
  var lastTime: Double?
  var lastIndex: Int

  /// Returns the distance in the plane, in metres, with x scaled by `shrink`.
  func planeDistance(to other: KeptFix, _ shrink: Double) -> Double {
    let dx = (other.coordinate.longitude - coordinate.longitude).remainder(dividingBy: 360) * shrink
    let dy = other.coordinate.latitude - coordinate.latitude
    return (dx * dx + dy * dy).squareRoot() * Coordinate.metresPerDegree
  }
}

/// A section of one street, passed in one step of a match.
struct Leg {
  var street: DirectedStreet
  /// Centimetres from the street's start in its direction.
  var from: UInt32
  var to: UInt32
  /// The time of the turn into the street and of the section.
  var milliseconds: UInt32
  /// The layer at its end.
  var layer: Int
  /// Whether the trace turned around to enter it.
  var isUTurn = false

  var weight: Weight { Weight(milliseconds: milliseconds, centimetres: to - from) }
}

extension Lattice {
  /// Returns the sections of the best path in order; at least one per layer, possibly of zero length.
  ///
  /// - Parameter reach: Returns the minimum distance, in centimetres, that the trace went along the street of the
  ///   previous layer before turning around, and the layer that reached it, not before this one.
  func legs(
    _ chosen: [Int], on network: StreetNetwork, reach: (_ layer: Int) -> (centimetres: UInt32, layer: Int)
  ) -> [Leg] {
    let start = candidates[chosen[0]]
    var legs = [Leg(street: start.street, from: start.centimetres, to: start.centimetres, milliseconds: 0, layer: 0)]
    for layer in chosen.indices where layer > legs[legs.count - 1].layer {
      appendLegs(to: layer, chosen, on: network, &legs, reach: reach)
    }
    return legs
  }

  /// Returns the time of the best way to the last layer.
  func lastMilliseconds(on network: StreetNetwork) -> Int {
    lastLegs(on: network).reduce(0) { $0 + Int($1.milliseconds) }
  }

  /// Returns the time aboard ferries and trains on the best way to the last layer, without boarding; nil if it takes
  /// none.
  func lastMillisecondsAboard(on network: StreetNetwork) -> Double? {
    let aboard = lastLegs(on: network).filter { network.attributes(of: $0.street.street).kind.isVehicle }
    guard !aboard.isEmpty else { return nil }
    return aboard.reduce(0) {
      let share = Double($1.to - $1.from) / max(1, Double(network.street($1.street.street).centimetres))
      return $0 + share * Double(network.milliseconds(of: $1.street))
    }
  }

  private func lastLegs(on network: StreetNetwork) -> [Leg] {
    var legs: [Leg] = []
    let chosen = best()
    appendLegs(to: chosen.count - 1, chosen, on: network, &legs) { (0, $0) }
    return legs
  }

  private func appendLegs(
    to layer: Int, _ chosen: [Int], on network: StreetNetwork, _ legs: inout [Leg],
    reach: (Int) -> (centimetres: UInt32, layer: Int)
  ) {
    let (before, candidate, label) = (candidates[chosen[layer - 1]], candidates[chosen[layer]], labels[chosen[layer]])
    var (at, layer) = (labels[chosen[layer - 1]].centimetres, layer)
    func add(_ candidate: Candidate, _ from: UInt32, _ to: UInt32, isUTurn: Bool = false) {
      let milliseconds = candidate.milliseconds(upTo: to) - candidate.milliseconds(upTo: from)
      legs.append(
        Leg(street: candidate.street, from: from, to: to, milliseconds: milliseconds, layer: layer, isUTurn: isUTurn))
    }
    var (way, arcCount) = (label.way, Int(label.arcCount))
    if way == .through, turnsAtNoCost(label, before.street, network) {
      arcCount -= 1
      way = arcCount == 0 ? .turned : .turnedThrough
    }
    switch way {
    case .along: add(before, at, label.centimetres)
    case .turned:
      let (farthest, outermost) = reach(layer)
      let back = candidate.length - candidate.centimetres
      // A path that turned early stays there, so it may turn at the outermost fix instead.
      while layer < outermost, isStaying(chosen[layer + 1], at: candidate.centimetres) {
        add(before, at, max(at, back))
        (at, layer) = (max(at, back), layer + 1)
      }
      let turn = max(at, back, farthest)
      if turn > at { add(before, at, turn) }
      add(candidate, candidate.length - turn, candidate.centimetres, isUTurn: true)
    case .through: add(before, at, before.length)
    case .turnedThrough:
      let turn = max(at, reach(layer).centimetres)
      if turn > at { add(before, at, turn) }
      var back = before
      back.street = before.street.opposite
      back.milliseconds = network.milliseconds(of: back.street)
      add(back, back.length - turn, back.length, isUTurn: true)
    }
    for index in stride(from: arcCount - 1, through: 0, by: -1) {
      let (street, weight) = network.travelled(by: ArcID(arcs[Int(label.firstArc) + index]))
      let isLast = index == 0
      let turn = weight.milliseconds - network.milliseconds(of: street)
      legs.append(
        Leg(
          street: street, from: 0, to: isLast ? candidate.centimetres : weight.centimetres,
          milliseconds: isLast ? turn + candidate.milliseconds(upTo: candidate.centimetres) : weight.milliseconds,
          layer: layer))
    }
  }

  /// Returns whether the path to a candidate stays at a position of the street.
  private func isStaying(_ candidate: Int, at centimetres: UInt32) -> Bool {
    labels[candidate].way == .along && labels[candidate].centimetres == centimetres
  }

  /// Returns whether a way goes to the end of a street and back on it at no cost, as on foot: then the turning point is
  /// arbitrary.
  private func turnsAtNoCost(_ label: Label, _ street: DirectedStreet, _ network: StreetNetwork) -> Bool {
    let first = network.travelled(by: ArcID(arcs[Int(label.firstArc) + Int(label.arcCount) - 1]))
    return first.street == street.opposite && first.weight.milliseconds == network.milliseconds(of: street.opposite)
  }
}
