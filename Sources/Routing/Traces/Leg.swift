import Geography
import Hierarchy
import StreetNetwork

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
  ///   previous layer before turning around.
  func legs(_ chosen: [Int], on network: StreetNetwork, reach: (_ layer: Int) -> UInt32) -> [Leg] {
    let start = candidates[chosen[0]]
    var legs = [Leg(street: start.street, from: start.centimetres, to: start.centimetres, milliseconds: 0, layer: 0)]
    for layer in chosen.indices.dropFirst() { appendLegs(to: layer, chosen, on: network, &legs, reach: reach) }
    return legs
  }

  /// Returns the time of the best way to the last layer.
  func milliseconds(ofLast network: StreetNetwork) -> Int {
    var legs: [Leg] = []
    let chosen = best()
    appendLegs(to: chosen.count - 1, chosen, on: network, &legs) { _ in 0 }
    return legs.reduce(0) { $0 + Int($1.milliseconds) }
  }

  private func appendLegs(
    to layer: Int, _ chosen: [Int], on network: StreetNetwork, _ legs: inout [Leg], reach: (Int) -> UInt32
  ) {
    let (before, candidate, label) = (candidates[chosen[layer - 1]], candidates[chosen[layer]], labels[chosen[layer]])
    let at = labels[chosen[layer - 1]].centimetres
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
      let turn = max(at, candidate.length - candidate.centimetres, reach(layer))
      if turn > at { add(before, at, turn) }
      add(candidate, candidate.length - turn, candidate.centimetres, isUTurn: true)
    case .through: add(before, at, before.length)
    case .turnedThrough:
      let turn = max(at, reach(layer))
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

  /// Returns whether a way goes to the end of a street and back on it at no cost, as on foot: then the turning point is
  /// arbitrary.
  private func turnsAtNoCost(_ label: Label, _ street: DirectedStreet, _ network: StreetNetwork) -> Bool {
    let first = network.travelled(by: ArcID(arcs[Int(label.firstArc) + Int(label.arcCount) - 1]))
    return first.street == street.opposite && first.weight.milliseconds == network.milliseconds(of: street.opposite)
  }
}
