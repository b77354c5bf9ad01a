import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import Transit

/// The stops of a timetable on the street network: where walks to and from them begin and end.
///
/// A stop of a station with entrances is reached through the entrances, each in a straight line; any other stop is
/// snapped like a place. Walks between stops of one station are straight lines.
package struct TransitStops: Sendable {
  package private(set) var schedule: TransitSchedule
  /// For each stop of the timetable the ends of walks: the stop itself, or its station's entrances. Empty if no trip
  /// calls there, or if there is no street nearby.
  package let ends: [[TripEnd]]
  /// Stops without a street, at most `FeedFacts.mostRejected` per feed.
  private let rejected: [RejectedRow]
  /// Per feed the number of stops without a street.
  package let unsnapped: [Int]
  /// For straight lines between stops and entrances, which are always included.
  private let lines: SnapLegs

  /// - Parameters:
  ///   - map: The name of the network's map in messages.
  ///   - snap: Finds the streets of places.
  /// - Throws: `InputError` if no stop is near a street; errors of `snap`.
  package init(
    _ schedule: TransitSchedule, on network: StreetNetwork, _ options: Directions.Options, map: String,
    snap: ([InputPlace]) throws -> [TripEnd?]
  ) throws {
    self.schedule = schedule
    let timetable = schedule.timetable
    var counting = options
    counting.countsSnapLegs = true
    let lines = SnapLegs(network, counting)
    self.lines = lines
    var entrances: [UInt32: [Int]] = [:]
    for (index, stop) in timetable.stops.enumerated() where stop.type == 2 && stop.parent != Timetable.none {
      entrances[stop.parent, default: []].append(index)
    }
    let served = timetable.stops.indices.filter { schedule.isServed[$0] }
    /// The stop itself, or its station's entrances.
    func points(of stop: Int) -> [Int] { entrances[timetable.stops[stop].parent] ?? [stop] }
    let snapped = Array(Set(served.flatMap(points)).sorted())
    let places = snapped.map { index in
      let stop = timetable.stops[index]
      return InputPlace(
        id: Identifier(timetable.text(stop.id)), role: .station, coordinate: TransitStops.coordinate(of: stop))
    }
    /// Advice for a place off the map that would be on it with longitude and latitude swapped.
    func swap(_ stop: Int) -> String {
      let place = TransitStops.coordinate(of: timetable.stops[stop]).coordinate
      do throws(RowProblem) {
        _ = try CoordinateCheck(area: network.box).point(
          longitude: place.longitude, latitude: place.latitude, of: "it")
        return ""
      } catch {
        return ": \(error.reason)"
      }
    }
    let endOf = Dictionary(uniqueKeysWithValues: zip(snapped, try snap(places)))
    var ends = [[TripEnd]](repeating: [], count: timetable.stops.count)
    var unsnapped = [Int](repeating: 0, count: schedule.feeds.feeds.count)
    var rejected: [RejectedRow] = []
    for entrance in snapped where timetable.stops[entrance].type == 2 && endOf[entrance] == .some(nil) {
      guard rejected.count < FeedFacts.mostRejected else { break }
      rejected.append(
        TransitStops.rejectedRow(
          entrance, schedule,
          "no street is within \(Int(options.snapLimit)) m\(swap(entrance)); no walk leads through this entrance"))
    }
    for stop in served {
      let own = TransitStops.coordinate(of: timetable.stops[stop])
      ends[stop] = points(of: stop).compactMap { point in
        guard var end = endOf[point] ?? nil else { return nil }
        if point != stop {
          end.leg = end.leg + lines.weight(of: end.place.distance(to: own))
          // Trips end at the stop.
          (end.entrance, end.place) = (end.place, own)
        }
        return end
      }
      let feed = Int(timetable.stops[stop].feed)
      guard ends[stop].isEmpty else { continue }
      unsnapped[feed] += 1
      guard unsnapped[feed] <= FeedFacts.mostRejected else { continue }
      let isEntered = points(of: stop) != [stop]
      rejected.append(
        TransitStops.rejectedRow(
          stop, schedule,
          "no street is within \(Int(options.snapLimit)) m"
            + (isEntered ? " of its station's entrances" : swap(stop)) + "; no vehicle calls there"))
    }
    (self.ends, self.unsnapped, self.rejected) = (ends, unsnapped, rejected)
    guard ends.allSatisfy(\.isEmpty) else { return }
    let box = BoundingBox(around: places.map(\.coordinate))
    throw InputError(
      file: schedule.feeds.feeds[0].path,
      problem: "no stop is within \(Int(options.snapLimit)) m of a street of \(map); the map covers "
        + "\(network.box.degrees), the stops \(box.degrees)")
  }

  private static func rejectedRow(_ stop: Int, _ schedule: TransitSchedule, _ reason: String) -> RejectedRow {
    let row = schedule.timetable.stops[stop]
    return RejectedRow(
      file: "\(schedule.feeds.feeds[Int(row.feed)].path)/stops.txt", line: Int(row.row), text: schedule.label(of: stop),
      reason: reason, points: [coordinate(of: row)])
  }

  /// The same stops on another date, or with other departures.
  package func with(_ schedule: TransitSchedule) -> TransitStops {
    var stops = self
    stops.schedule = schedule
    return stops
  }

  /// Whether riders may board and alight, by stop.
  package var areUsable: [Bool] { ends.indices.map { !ends[$0].isEmpty && schedule.allows(stop: $0) } }

  /// Rejected rows of the feeds, and stops without a street.
  package var allRejected: [RejectedRow] { schedule.feeds.feeds.flatMap(\.rejected) + rejected }

  /// Notes about feeds, date and stops for the user, without full stops.
  package var allNotes: [String] { schedule.notes + notes }

  /// A sentence, without a full stop, for each feed with stops off the streets.
  private var notes: [String] {
    zip(schedule.feeds.feeds, unsnapped).filter { $1 > 0 }.map { feed, count in
      "\(feed.path): \(count) \(count == 1 ? "stop has" : "stops have") no street nearby; no vehicle calls there "
        + "(table rejected)"
    }
  }

  /// The other stops of each stop's station, with the milliseconds of the straight line to each.
  func neighbours() -> [[StopWalks.Walk]] {
    let stops = schedule.timetable.stops
    let usable = stops.indices.filter { !ends[$0].isEmpty && stops[$0].parent != Timetable.none }
    let stations = Dictionary(grouping: usable) { stops[$0].parent }
    var walks = [[StopWalks.Walk]](repeating: [], count: stops.count)
    for stop in usable {
      let own = TransitStops.coordinate(of: stops[stop])
      for other in stations[stops[stop].parent] ?? [] where other != stop {
        let metres = own.distance(to: TransitStops.coordinate(of: stops[other]))
        walks[stop].append(.init(stop: UInt32(other), milliseconds: lines.weight(of: metres).milliseconds))
      }
    }
    return walks
  }

  private static func coordinate(of stop: Timetable.Stop) -> FixedCoordinate {
    FixedCoordinate(longitude: stop.longitude, latitude: stop.latitude)
  }
}

extension BoundingBox {
  /// "8.20 to 8.71 E, 47.05 to 47.27 N".
  fileprivate var degrees: String {
    func text(_ units: Int32) -> String { "\((Double(units) / 1e5).rounded() / 100)" }
    return "\(text(minLongitude)) to \(text(maxLongitude)) E, \(text(minLatitude)) to \(text(maxLatitude)) N"
  }
}
