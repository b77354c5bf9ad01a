import Geography
import Hierarchy
import Routing
import StreetNetwork
import Transit

/// Walks within stations along pathways (pathways.txt).
///
/// A pathway takes its `traversal_time`, otherwise its length at walking speed. Without both, stairs take half a second
/// each, a lift takes a minute, and any other pathway is a straight line. Stairs and escalators are left out for riders
/// who do not use stairs.
struct StationPathways: Sendable {
  private struct Arc {
    var node: UInt32
    var weight: Weight
  }

  /// By node of the timetable's stops.
  private var outgoing: [UInt32: [Arc]] = [:]
  private var incoming: [UInt32: [Arc]] = [:]
  private var stations = Set<Int>()
  private let timetable: Timetable
  /// The maximum walk in milliseconds.
  private let limit: UInt32

  private static let millisecondsPerStair: UInt32 = 500
  private static let millisecondsPerLift: UInt32 = 60_000

  init(_ schedule: TransitSchedule, _ lines: SnapLegs, usesStairs: Bool) {
    (timetable, limit) = (schedule.timetable, schedule.rules.walkLimit)
    let pathways = timetable.pathways
    guard !pathways.isEmpty else { return }
    for pathway in pathways {
      for node in [pathway.from, pathway.to] { stations.insert(timetable.station(of: Int(node))) }
      let isStepped = [Timetable.Pathway.stairs, Timetable.Pathway.escalator].contains(pathway.mode)
      guard usesStairs || !isStepped else { continue }
      add(pathway.from, pathway.to, weight(of: pathway, lines))
    }
    // A platform and its boarding areas are one place.
    for (index, stop) in timetable.stops.enumerated() where stop.type == 4 && stop.parent != Timetable.none {
      add(UInt32(index), stop.parent, .zero)
      add(stop.parent, UInt32(index), .zero)
    }
  }

  private mutating func add(_ from: UInt32, _ to: UInt32, _ weight: Weight) {
    outgoing[from, default: []].append(Arc(node: to, weight: weight))
    incoming[to, default: []].append(Arc(node: from, weight: weight))
  }

  private func weight(of pathway: Timetable.Pathway, _ lines: SnapLegs) -> Weight {
    let (from, to) = (timetable.stops[Int(pathway.from)], timetable.stops[Int(pathway.to)])
    let metres =
      pathway.centimetres == Timetable.none
      ? from.coordinate.distance(to: to.coordinate) : Double(pathway.centimetres) / 100
    let line = lines.weight(of: metres)
    let milliseconds: UInt32
    if pathway.seconds != Timetable.none {
      milliseconds = min(pathway.seconds, Weight.arcTimeLimit / 1000) * 1000
    } else if pathway.centimetres != Timetable.none {
      milliseconds = line.milliseconds
    } else if pathway.stairs > 0 {
      milliseconds = pathway.stairs * StationPathways.millisecondsPerStair
    } else if pathway.mode == Timetable.Pathway.lift {
      milliseconds = StationPathways.millisecondsPerLift
    } else {
      milliseconds = line.milliseconds
    }
    return Weight(milliseconds: milliseconds, centimetres: line.centimetres)
  }

  /// Whether the station of a stop has pathways, so that riders walk along them only.
  func lead(to stop: Int) -> Bool { !stations.isEmpty && stations.contains(timetable.station(of: stop)) }

  /// The nodes reached from a stop along pathways.
  func walks(from stop: Int) -> [UInt32: Weight] { walks(stop, outgoing) }

  /// The nodes from which pathways lead to a stop.
  func walks(to stop: Int) -> [UInt32: Weight] { walks(stop, incoming) }

  /// By Dijkstra's algorithm, within the limit.
  private func walks(_ stop: Int, _ arcs: [UInt32: [Arc]]) -> [UInt32: Weight] {
    var best = [UInt32(stop): Weight.zero]
    var heap = SearchHeap()
    defer { heap.deallocate() }
    heap.push(key: 0, state: UInt32(stop))
    while let (key, node) = heap.popMin() {
      guard best[node]!.packed == key else { continue }
      for arc in arcs[node] ?? [] {
        let weight = Weight(packed: key) + arc.weight
        guard weight.milliseconds <= limit, weight < best[arc.node] ?? .infinity else { continue }
        best[arc.node] = weight
        heap.push(key: weight.packed, state: arc.node)
      }
    }
    return best
  }
}
