import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import Transit

/// The stops of a timetable on the street network, with the ends of walks to and from them.
///
/// A stop of a station with entrances is reached through the entrances, unless its `stop_access` is 1; any other stop is
/// snapped like a place. Walks between entrances and stops of one station, and between its stops, follow its pathways;
/// in a station without pathways they are straight lines.
package struct TransitStops: Sendable {
  package private(set) var schedule: TransitSchedule
  /// For each stop of the timetable, the ends of walks to it: the stop itself or its station's entrances. Empty if no
  /// trip calls there, or if there is no street nearby.
  package let entering: [[TripEnd]]
  /// The ends of walks from each stop, which differ from `entering` where pathways are one-way.
  package let leaving: [[TripEnd]]
  /// Entrances without a street (at most `FeedFacts.maximumRejected`), and stops without walks (at most as many per
  /// feed).
  private let rejected: [RejectedRow]
  /// For each feed, the number of stops without walks to or from a street.
  package let unsnapped: [Int]
  /// Walking times along straight lines between stops and entrances, which are included even if snap legs are not.
  private let lines: SnapLegs
  private let pathways: StationPathways

  /// - Parameters:
  ///   - map: The name of the network's map in messages.
  ///   - snap: Snaps places to streets.
  /// - Throws: `OdometerError` if no stop is near a street; errors of `snap`.
  package init(
    _ schedule: TransitSchedule, on network: StreetNetwork, _ options: Directions.Options, map: String,
    snap: ([InputPlace]) throws -> [TripEnd?]
  ) throws {
    self.schedule = schedule
    let timetable = schedule.timetable
    var lineOptions = options
    lineOptions.countsSnapLegs = true
    let lines = SnapLegs(network, lineOptions)
    let usesStairs = network.profile.usesStairs && schedule.rules.wheelchairBoarding == .any
    let pathways = StationPathways(schedule, lines, usesStairs: usesStairs)
    (self.lines, self.pathways) = (lines, pathways)
    var entrances: [Int: [Int]] = [:]
    for (index, stop) in timetable.stops.enumerated() where stop.type == 2 && stop.parent != Timetable.none {
      entrances[timetable.station(of: index), default: []] += schedule.allows(stop: index) ? [index] : []
    }
    let served = timetable.stops.indices.filter { schedule.isServed[$0] }
    /// Returns the stop itself, or its station's entrances.
    func points(of stop: Int) -> [Int] {
      timetable.stops[stop].access == 1 ? [stop] : entrances[timetable.station(of: stop)] ?? [stop]
    }
    let snapped = Array(Set(served.flatMap(points)).sorted())
    let places = snapped.map { index in
      let stop = timetable.stops[index]
      return InputPlace(id: Identifier(timetable.text(stop.id)), role: .station, coordinate: stop.coordinate)
    }
    /// Returns a hint for a place off the map that would be on the map with longitude and latitude swapped.
    func swapHint(_ stop: Int) -> String {
      do throws(RowProblem) {
        _ = try CoordinateCheck(area: network.box).point(timetable.stops[stop].coordinate.coordinate, of: "it")
        return ""
      } catch {
        return ": \(error.reason)"
      }
    }
    let endOf = Dictionary(uniqueKeysWithValues: zip(snapped, try snap(places)))
    var entering = [[TripEnd]](repeating: [], count: timetable.stops.count)
    var leaving = entering
    var unsnapped = [Int](repeating: 0, count: schedule.feeds.feeds.count)
    var rejected: [RejectedRow] = []
    for entrance in snapped where timetable.stops[entrance].type == 2 && endOf[entrance] == .some(nil) {
      guard rejected.count < FeedFacts.maximumRejected else { break }
      rejected.append(
        TransitStops.rejectedRow(
          entrance, schedule,
          "no street is within \(Int(options.snapLimit)) m\(swapHint(entrance)); no walk leads through this entrance"))
    }
    /// - Parameter walks: The walks along pathways, by point; nil for straight lines.
    func ends(_ stop: Int, _ walks: [UInt32: Weight]?) -> [TripEnd] {
      let own = timetable.stops[stop].coordinate
      return points(of: stop).compactMap { point in
        guard var end = endOf[point] ?? nil else { return nil }
        guard point != stop else { return end }
        let line = lines.weight(of: end.place.distance(to: own))
        guard let walk = walks.map({ $0[UInt32(point)] }) ?? line, walk.milliseconds <= schedule.rules.walkLimit else {
          return nil
        }
        end.leg = end.leg + walk
        // Trips end at the stop.
        (end.entrance, end.place) = (end.place, own)
        return end
      }
    }
    /// The rejected stops; a boarding area counts as its stop.
    var counted = Set<Int>()
    for stop in served {
      let hasPathways = pathways.exist(at: stop)
      entering[stop] = ends(stop, hasPathways ? pathways.walks(to: stop) : nil)
      leaving[stop] = ends(stop, hasPathways ? pathways.walks(from: stop) : nil)
      let feed = Int(timetable.stops[stop].feed)
      guard entering[stop].isEmpty, leaving[stop].isEmpty, counted.insert(timetable.platform(of: stop)).inserted
      else { continue }
      unsnapped[feed] += 1
      guard unsnapped[feed] <= FeedFacts.maximumRejected else { continue }
      let points = points(of: stop)
      let reason =
        if points.isEmpty {
          "wheelchairBoarding excludes all entrances of its station"
        } else if points.contains(where: { endOf[$0] != .some(nil) }) {
          hasPathways
            ? "no pathway connects it to an entrance of its station"
              + (usesStairs ? "" : " without stairs or escalators")
            : "no entrance of its station is within walkLimit"
        } else {
          "no street is within \(Int(options.snapLimit)) m"
            + (points == [stop] ? swapHint(stop) : " of its station's entrances")
        }
      rejected.append(TransitStops.rejectedRow(stop, schedule, "\(reason); it can only be used for transfers"))
    }
    (self.entering, self.leaving, self.unsnapped, self.rejected) = (entering, leaving, unsnapped, rejected)
    guard !places.isEmpty, endOf.values.allSatisfy({ $0 == nil }) else { return }
    let box = BoundingBox(around: places.map(\.coordinate))
    throw .input(
      schedule.feeds.feeds[0].path,
      "no stop is within \(Int(options.snapLimit)) m of a street in \(map); the map covers "
        + "\(network.box.degrees), the stops \(box.degrees)")
  }

  private static func rejectedRow(_ stop: Int, _ schedule: TransitSchedule, _ reason: String) -> RejectedRow {
    let row = schedule.timetable.stops[stop]
    return RejectedRow(
      file: "\(schedule.feeds.feeds[Int(row.feed)].path)/stops.txt", line: Int(row.row),
      id: schedule.timetable.text(row.id),
      text: schedule.label(of: stop), reason: reason, points: [row.coordinate])
  }

  /// Returns a copy for another date or other departures.
  package func with(_ schedule: TransitSchedule) -> TransitStops {
    var stops = self
    stops.schedule = schedule
    return stops
  }

  /// Returns the graph for the schedule and the walks between stops.
  ///
  /// - Parameter hasTrips: Whether the graph will be used to find trips with their vehicles.
  func graph(_ between: StopWalks, hasTrips: Bool = false) -> TransitGraph {
    TransitGraph(
      schedule.timetable, schedule.window, walks: between, stops: areUsable, trips: schedule.usableTrips,
      hasTrips: hasTrips)
  }

  /// The ends of walks for isochrones: from stops or, with arrivals, to stops.
  package var ends: [[TripEnd]] { schedule.window.isArrival ? entering : leaving }

  /// Whether riders may board and alight, by stop. Stops without a street are used for transfers.
  package var areUsable: [Bool] { entering.indices.map { schedule.isServed[$0] && schedule.allows(stop: $0) } }

  /// Returns whether a stop's station has pathways. Otherwise walks between the station's stops are straight lines.
  func hasPathways(_ stop: Int) -> Bool { pathways.exist(at: stop) }

  /// Returns the length in centimetres of the walk along pathways between two stops of a station; nil if there is no
  /// walk of that duration.
  func pathway(from stop: Int, to other: Int, taking milliseconds: Int) -> UInt32? {
    guard hasPathways(stop), let walk = pathways.walks(from: stop)[UInt32(other)],
      walk.milliseconds == milliseconds
    else { return nil }
    return walk.centimetres
  }

  /// The rejected rows of the feeds, then `rejected`.
  package var allRejected: [RejectedRow] { schedule.feeds.feeds.flatMap(\.rejected) + rejected }

  /// Notes for the user about feeds, date and stops, without full stops.
  package var allNotes: [String] {
    schedule.notes
      + zip(schedule.feeds.feeds, unsnapped).filter { $1 > 0 }.map { feed, count in
        "\(feed.path): \(count) \(count == 1 ? "stop has" : "stops have") no way to or from a street "
          + "(table rejected)"
      }
      + [wheelchairNote].compactMap(\.self)
  }

  /// A note with the numbers of stops and trips that `wheelchairBoarding` allows; nil for `any`.
  private var wheelchairNote: String? {
    guard let trips = schedule.usableTrips else { return nil }
    let served = areUsable.indices.filter { schedule.isServed[$0] }
    func stops(_ stops: [Int]) -> Int { Set(stops.map { schedule.timetable.platform(of: $0) }).count }
    return "wheelchairBoarding: \(schedule.rules.wheelchairBoarding.rawValue) allows "
      + "\(stops(served.filter { schedule.allows(stop: $0) })) of \(stops(served).counted("stop")) and "
      + "\(trips.count(where: \.self)) of \(trips.count.counted("trip")) of the timetable"
  }

  /// Returns the other stops of each stop's station, with the milliseconds of the walk to each.
  func neighbours() -> [[StopWalks.Walk]] {
    let stops = schedule.timetable.stops
    let usable = stops.indices.filter { schedule.isServed[$0] }
    let stations = Dictionary(grouping: usable, by: schedule.timetable.station)
    var walks = [[StopWalks.Walk]](repeating: [], count: stops.count)
    for stop in usable {
      let along = hasPathways(stop) ? pathways.walks(from: stop) : nil
      for other in stations[schedule.timetable.station(of: stop)] ?? [] where other != stop {
        let line = lines.weight(of: stops[stop].coordinate.distance(to: stops[other].coordinate))
        guard let walk = along.map({ $0[UInt32(other)] }) ?? line else { continue }
        walks[stop].append(.init(stop: UInt32(other), milliseconds: walk.milliseconds))
      }
    }
    return walks
  }
}

extension Timetable {
  /// Returns the stop of a boarding area, or the stop itself.
  fileprivate func platform(of stop: Int) -> Int {
    let record = stops[stop]
    return record.type == 4 && record.parent != Timetable.none ? Int(record.parent) : stop
  }
}

extension Timetable.Stop {
  var coordinate: FixedCoordinate { FixedCoordinate(longitude: longitude, latitude: latitude) }
}

extension BoundingBox {
  /// "8.2 to 8.71 E, 47.05 to 47.27 N".
  fileprivate var degrees: String {
    func text(_ units: Int32) -> String { "\((Double(units) / 1e5).rounded() / 100)" }
    return "\(text(minLongitude)) to \(text(maxLongitude)) E, \(text(minLatitude)) to \(text(maxLatitude)) N"
  }
}

/// Walks within stations along pathways (pathways.txt).
///
/// A pathway takes its `traversal_time`, otherwise its length at walking speed. Without either, stairs take half a
/// second each, a lift takes a minute, and any other pathway is a straight line. Stairs and escalators are omitted for
/// riders who do not use stairs, as are pathways to entrances that `wheelchairBoarding` excludes.
struct StationPathways: Sendable {
  private struct Arc {
    var node: UInt32
    var weight: Weight
  }

  /// Arcs by node (an index into the timetable's stops).
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
      let nodes = [Int(pathway.from), Int(pathway.to)]
      for node in nodes { stations.insert(timetable.station(of: node)) }
      let isStepped = [Timetable.Pathway.stairs, Timetable.Pathway.escalator].contains(pathway.mode)
      let isClosed = nodes.contains { timetable.stops[$0].type == 2 && !schedule.allows(stop: $0) }
      guard usesStairs || !isStepped, !isClosed else { continue }
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

  /// Returns whether a stop's station has pathways, so that riders only walk along these.
  func exist(at stop: Int) -> Bool { !stations.isEmpty && stations.contains(timetable.station(of: stop)) }

  /// Returns the nodes reached from a stop along pathways.
  func walks(from stop: Int) -> [UInt32: Weight] { walks(stop, outgoing) }

  /// Returns the nodes from which pathways lead to a stop.
  func walks(to stop: Int) -> [UInt32: Weight] { walks(stop, incoming) }

  /// Finds the walks within the limit by Dijkstra's algorithm.
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
