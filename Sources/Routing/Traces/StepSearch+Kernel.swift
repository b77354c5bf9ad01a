import Foundation
import Geography
import Hierarchy
import StreetNetwork

// Settling a state reads the head, weight and street of each of its arcs, and checks whether the street is a target.
// States settled per step on greater Porto by car: 2 to 5 for fixes 1 s apart, about 10 at 15 s, about 60 at 60 s.

extension StepSearch {
  func search(
    from layer: Range<Int>, in lattice: Lattice, _ minimumScore: UInt64, to candidates: [Candidate],
    _ observation: Observation, _ labels: inout [Lattice.Label], _ best: inout UInt64, _ cost: StepCost
  ) {
    via.removeAll(keepingCapacity: true)
    via.append(contentsOf: repeatElement((state: 0, arc: 0), count: candidates.count))
    touchedCount = 0
    // A local variable avoids the exclusivity check on every access to an object's field.
    var heap = self.heap
    heap.removeAll()
    defer { self.heap = heap }
    let (states, targets, touched) = (self.states, self.targets, self.touched)
    let (firstArc, heads) = (network.states.arcs.firstArc.base, network.states.arcs.heads.base)
    let (weights, arcStreets) = (network.states.arcs.weights.base, network.states.streets.base)
    let statePoints = points.points.base
    let bound = Bound(observation, candidates, points, cost)
    let slack = StepSearch.roundingSlack * (cost.length + cost.time)
    var count = 0
    var stop = min(cost.limit, best == .max ? .max : best + StepCost.beam) + slack

    @inline(__always)
    func reach(_ state: UInt32, _ key: UInt64, _ arc: UInt32, _ parent: UInt32) {
      let known = states + Int(state)
      guard key < known.pointee.key else { return }
      if known.pointee.key == .max {
        known.pointee.bound = bound.minimumCost(from: statePoints[Int(state)])
        guard key + known.pointee.bound <= stop else { return }
        touched[count] = state
        count += 1
      }
      known.pointee.key = key
      known.pointee.arc = arc
      known.pointee.parent = parent
      let sum = key + known.pointee.bound
      if sum <= stop { heap.push(key: sum, state: state) }
    }

    for (source, index) in layer.enumerated() where lattice.labels[index].isReachable {
      let (from, at) = (lattice.candidates[index], lattice.labels[index].centimetres)
      let score = lattice.labels[index].score - minimumScore
      if let state = network.states.start(of: from.street) {
        let rest = cost.of(from.length - at, from.milliseconds - from.milliseconds(upTo: at))
        reach(state, score + rest, StepSearch.seed | UInt32(source), 0)
      }
      let opposite = from.street.opposite
      let street = network.street(from.street.street)
      if street.isOpen(isReversed: opposite.isReversed), let state = network.states.start(of: opposite) {
        var back = from
        back.milliseconds = street.milliseconds(isReversed: opposite.isReversed)
        let way = cost.of(at, back.milliseconds - back.milliseconds(upTo: from.length - at))
        reach(state, score + cost.uTurn + way, StepSearch.seed | StepSearch.turned | UInt32(source), 0)
      }
    }
    candidates.withUnsafeBufferPointer { candidates in
      while let (sum, state) = heap.popMin() {
        guard sum <= stop else { break }
        let key = states[Int(state)].key
        guard sum == key + states[Int(state)].bound else { continue }
        for arc in Int(firstArc[Int(state)])..<Int(firstArc[Int(state) + 1]) {
          let weight = weights[arc]
          var target = targets[Int(arcStreets[arc].index)]
          while target > 0 {
            let candidate = candidates[Int(target) - 1]
            // The arc consists of the turn and the whole street.
            let turn = weight.milliseconds &- candidate.milliseconds
            let score =
              key
              + cost.of(candidate.centimetres, turn &+ candidate.milliseconds(upTo: candidate.centimetres))
            if score < labels[Int(target) - 1].score, score <= cost.limit {
              labels[Int(target) - 1] = .init(score: score, centimetres: candidate.centimetres, way: .through)
              via[Int(target) - 1] = (state, UInt32(arc))
              best = min(best, score + candidate.emission)
              stop = min(stop, best + StepCost.beam + slack)
            }
            target = candidate.next
          }
          reach(heads[arc], key + cost.of(weight.centimetres, weight.milliseconds), UInt32(arc), state)
        }
      }
    }
    touchedCount = count
  }

  /// Clears the states of the last search.
  func clear() {
    for index in 0..<touchedCount { states[Int(touched[index])] = .unknown }
    touchedCount = 0
  }
}

/// A lower bound on the cost to any candidate: the straight line to the nearest one, at the maximum speed.
private struct Bound {
  private let x: Double
  private let y: Double
  private let shrink: Double
  /// The distance to the farthest candidate, in units of 1e-7 degrees.
  private let radius: Double
  private let costPerUnit: Double

  init(_ observation: Observation, _ candidates: [Candidate], _ points: StatePoints, _ cost: StepCost) {
    x = Double(observation.coordinate.longitude)
    y = Double(observation.coordinate.latitude)
    let metresPerUnit = Coordinate.metresPerDegree / 1e7
    // The shortest parallel that a path within the limit crosses.
    let longest = Double(cost.limit) / (100 * (Double(cost.length) + Double(cost.time) * points.pace))
    shrink = max(0, cos(min(90, abs(y) / 1e7 + longest / Coordinate.metresPerDegree) * .pi / 180))
    radius = ((candidates.map(\.distance).max() ?? 0) * 1.001 + 1) / metresPerUnit
    // Reduced by a ten-thousandth, since the plane is only an approximation.
    costPerUnit = (Double(cost.length) + Double(cost.time) * points.pace) * 100 * metresPerUnit * 0.9999
  }

  @inline(__always)
  func minimumCost(from point: FixedCoordinate) -> UInt64 {
    let dx = (Double(point.longitude) - x) * shrink
    let dy = Double(point.latitude) - y
    let distance = (dx * dx + dy * dy).squareRoot() - radius
    return distance > 0 ? UInt64(distance * costPerUnit) : 0
  }
}
