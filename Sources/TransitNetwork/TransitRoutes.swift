import Geography
import Input
import Routing
import StreetNetwork
import Transit

/// A builder of routes for transit trips, with their steps and rides. One object per thread.
package final class TransitRoutes {
  private let stops: TransitStops
  /// For each requested trip, the positions of its calls on its shape.
  private var positions: [Int: [ShapePosition]] = [:]

  package init(_ stops: TransitStops) { self.stops = stops }

  package var timetable: Timetable { stops.schedule.timetable }

  /// A part of a trip in a vehicle: the data from the timetable, and the words of its instruction.
  package struct Ride {
    package var vehicle: TransitTrip.Vehicle
    package var words: TransitRide
    /// Indices of the timetable's stops.
    package var from: Int
    package var to: Int
  }

  /// Returns the route of a trip, and its rides.
  ///
  /// - Parameters:
  ///   - moment: The trip's departure or arrival, in milliseconds from midnight of the schedule's date.
  ///   - schedule: The schedule of the trip; nil for the schedule of the stops.
  package func route(
    of trip: TransitTrip, from origin: TripEnd, to destination: TripEnd, at moment: Int,
    in schedule: TransitSchedule? = nil, _ router: Router
  ) -> (route: Route, rides: [Ride])? {
    guard let first = trip.vehicles.first, let last = trip.vehicles.last else {
      return router.route(from: origin, to: destination).map { ($0, []) }
    }
    let schedule = schedule ?? stops.schedule
    var time = schedule.window.isArrival ? moment - trip.milliseconds : moment
    var legs: [TransitLeg] = []
    var rides: [Ride] = []
    let start = stop(of: first.boarding)
    legs.append(
      TransitLeg(
        .walk(from: [origin], to: stops.entering[start]), taking: trip.access, to: name(of: start),
        between: (origin.place, coordinate(start))))
    time += trip.access
    for (index, vehicle) in trip.vehicles.enumerated() {
      let (from, to) = (stop(of: vehicle.boarding), stop(of: vehicle.alighting))
      if index > 0 {
        let previous = stop(of: trip.vehicles[index - 1].alighting)
        if previous != from, !vehicle.staysSeated {
          legs.append(
            TransitLeg(
              .walk(
                from: stops.leaving[previous], to: stops.entering[from],
                inStation: stops.pathway(from: previous, to: from, taking: vehicle.walk)),
              taking: vehicle.walk, to: name(of: from), between: (coordinate(previous), coordinate(from))))
        }
        time += vehicle.walk
      }
      // Riders who stay seated wait in the vehicle.
      let waiting = vehicle.departure * 1000 - time
      if !vehicle.staysSeated, waiting > 0 { legs.append(wait(waiting, at: from)) }
      let ride = ride(vehicle, from: from, to: to, schedule)
      let duration = vehicle.arrival * 1000 - (vehicle.staysSeated ? time : vehicle.departure * 1000)
      legs.append(
        TransitLeg(.ride(ride), taking: duration, to: name(of: to), between: (coordinate(from), coordinate(to))))
      rides.append(Ride(vehicle: vehicle, words: ride, from: from, to: to))
      time = vehicle.arrival * 1000
    }
    let end = stop(of: last.alighting)
    legs.append(
      TransitLeg(
        .walk(from: stops.leaving[end], to: [destination]), taking: trip.egress, to: nil,
        between: (coordinate(end), destination.place)))
    time += trip.egress
    if schedule.window.isArrival, moment > time {
      legs.append(TransitLeg(.wait, taking: moment - time, to: nil, between: (destination.place, destination.place)))
    }
    return (router.route(along: legs), rides)
  }

  private func wait(_ milliseconds: Int, at stop: Int) -> TransitLeg {
    TransitLeg(.wait, taking: milliseconds, to: name(of: stop), between: (coordinate(stop), coordinate(stop)))
  }

  private func ride(
    _ vehicle: TransitTrip.Vehicle, from: Int, to: Int, _ schedule: TransitSchedule
  ) -> TransitRide {
    let trip = timetable.trips[timetable.trip(of: vehicle.boarding)]
    let line = timetable.lines[Int(trip.line)]
    let type = RouteType(code: Int(line.type)).flatMap { TransitVehicle(rawValue: $0.name) }
    return TransitRide(
      type ?? .other, line: timetable.text(line.name), headsign: timetable.headsign(of: vehicle.boarding),
      from: (name(of: from), schedule.clockText(ofSecondsFromMidnight: vehicle.departure)),
      to: (name(of: to), schedule.clockText(ofSecondsFromMidnight: vehicle.arrival)),
      stops: vehicle.alighting - vehicle.boarding, staysSeated: vehicle.staysSeated,
      along: points(from: vehicle.boarding, to: vehicle.alighting))
  }

  private func stop(of call: Int) -> Int { Int(timetable.callStops[call]) }

  private func coordinate(_ stop: Int) -> FixedCoordinate {
    timetable.stops[stop].coordinate
  }

  /// Returns a stop's name, or its id if it has none.
  private func name(of stop: Int) -> String {
    let name = timetable.text(timetable.stops[stop].name)
    return name.isEmpty ? timetable.text(timetable.stops[stop].id) : name
  }
}

extension TransitRoutes {
  /// The position of a call on the shape of its trip.
  private struct ShapePosition {
    var segment: Int
    /// The nearest point of the segment.
    var point: FixedCoordinate
    /// Whether vehicles follow the shape to the next call.
    var isFollowed = false
  }

  /// Returns the line from a call to a later call of its trip: along the trip's shape where it is plausible, or else
  /// from stop to stop.
  private func points(from boarding: Int, to alighting: Int) -> [FixedCoordinate] {
    let trip = timetable.trip(of: boarding)
    let shape = timetable.trips[trip].shape
    let first = timetable.calls(of: trip).lowerBound
    if shape != Timetable.none, positions[trip] == nil { positions[trip] = positions(of: trip, on: Int(shape)) }
    let known = positions[trip]
    var points = [position(of: boarding)]
    var call = boarding
    while call < alighting {
      var end = call + 1
      if let known, known[call - first].isFollowed {
        while end < alighting, known[end - first].isFollowed { end += 1 }
        points += piece(of: Int(shape), from: known[call - first], to: known[end - first])
      }
      points.append(position(of: end))
      call = end
    }
    let located = points.compactMap(\.self)
    return (located.isEmpty ? [coordinate(stop(of: boarding))] : located).withoutRepetitions
  }

  /// Returns the part of a shape between two positions.
  private func piece(of shape: Int, from: ShapePosition, to: ShapePosition) -> [FixedCoordinate] {
    let line = timetable.points(ofShape: shape)
    let inner = from.segment < to.segment ? Array(from.segment + 1...to.segment) : []
    return [from.point] + inner.map { TransitRoutes.coordinate(line[line.startIndex + $0]) } + [to.point]
  }

  /// Returns the position of a call's stop; nil for 0°, 0°, which some feeds use for unknown positions, unless there
  /// are streets nearby.
  private func position(of call: Int) -> FixedCoordinate? {
    let index = Int(timetable.callStops[call])
    let stop = timetable.stops[index]
    guard stop.longitude != 0 || stop.latitude != 0 || !stops.entering[index].isEmpty else { return nil }
    return stop.coordinate
  }

  private static func coordinate(_ point: Timetable.Point) -> FixedCoordinate {
    FixedCoordinate(longitude: point.longitude, latitude: point.latitude)
  }

  /// Returns the positions of a trip's calls on its shape: of all assignments in order, the one with the smallest sum
  /// of squared distances, which distinguishes loops from out-and-back trips. If the shape passes a stop several times,
  /// `shape_dist_traveled` decides.
  private func positions(of trip: Int, on shape: Int) -> [ShapePosition] {
    let line = timetable.points(ofShape: shape).map(TransitRoutes.coordinate)
    let calls = timetable.calls(of: trip)
    let stops = calls.map(position)
    let segments = line.count - 1
    var sums = [Double](repeating: 0, count: segments)
    /// For each call and segment, the segment of the previous call.
    var previousSegments = [[Int32]]()
    for stop in stops {
      var (best, from) = (Double.infinity, Int32(0))
      var own = [Int32](repeating: 0, count: segments)
      for segment in 0..<segments {
        if sums[segment] < best { (best, from) = (sums[segment], Int32(segment)) }
        own[segment] = from
        let metres = stop.map { ShapeRule.nearest(to: $0, from: line[segment], to: line[segment + 1]).metres } ?? 0
        sums[segment] = best + metres * metres
      }
      previousSegments.append(own)
    }
    var segment = sums.indices.min { sums[$0] < sums[$1] } ?? 0
    var guessed: [Int] = []
    for own in previousSegments.reversed() {
      guessed.append(segment)
      segment = Int(own[segment])
    }
    func nearest(on segments: [Int]) -> [(segment: Int, point: FixedCoordinate, metres: Double)] {
      zip(stops, segments).map { stop, segment in
        let (a, b) = (line[segment], line[segment + 1])
        let nearest = stop.map { ShapeRule.nearest(to: $0, from: a, to: b) } ?? (point: a, metres: 0)
        return (segment, nearest.point, nearest.metres)
      }
    }
    var found = nearest(on: guessed.reversed())
    let given = timetable.callSegments.isEmpty ? [] : timetable.callSegments[calls].map { Int($0) }
    if !given.isEmpty, given.allSatisfy({ $0 < segments }) {
      let measured = nearest(on: given)
      typealias Nearest = (segment: Int, point: FixedCoordinate, metres: Double)
      func isElsewhere(_ a: Nearest, _ b: Nearest) -> Bool {
        let (a, b) = a.segment <= b.segment ? (a, b) : (b, a)
        let between = (a.segment..<b.segment).reduce(0) { $0 + line[$1].distance(to: line[$1 + 1]) }
        let along = between + line[b.segment].distance(to: b.point) - line[a.segment].distance(to: a.point)
        return abs(along) > ShapeRule.maximumError
      }
      if zip(measured, found).allSatisfy({ $0.metres <= $1.metres + ShapeRule.maximumError }) {
        found = zip(measured, found).map { isElsewhere($0, $1) ? $0 : $1 }
      }
    }
    var positions = found.map { ShapePosition(segment: $0.segment, point: $0.point) }
    let longest = ShapeRule.longestStep(stops.compactMap(\.self))
    let isNear = found.map { $0.metres <= ShapeRule.maximumMetres }
    for call in positions.indices.dropLast() where isNear[call] && isNear[call + 1] {
      let piece = piece(of: shape, from: positions[call], to: positions[call + 1])
      positions[call].isFollowed = ShapeRule.longestStep(piece) <= longest + ShapeRule.maximumExcess
    }
    return positions
  }
}

/// The conditions under which a part of a shape between two stops is plausible.
enum ShapeRule {
  /// The maximum distance of the shape from either stop.
  static let maximumMetres = 1000.0
  /// No segment is longer than the longest straight line between consecutive stops of the trip plus these metres: a
  /// longer one leads to a stray point and back.
  static let maximumExcess = 5000.0
  /// The accuracy of `shape_dist_traveled`, in metres. A trip's distances are ignored if one is this much farther from
  /// its stop than the nearest position is; nearest positions less than this away along the shape are kept.
  static let maximumError = 100.0

  /// Returns the longest distance in metres between consecutive points; 0 for fewer than two points.
  static func longestStep(_ points: [FixedCoordinate]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { max($0, $1.0.distance(to: $1.1)) }
  }

  /// Returns whether a shape breaks a rule somewhere along a trip with these stops.
  static func isBroken(by line: [FixedCoordinate], for stops: [FixedCoordinate]) -> Bool {
    guard longestStep(line) <= longestStep(stops) + maximumExcess else { return true }
    let segments = line.count - 1
    // Consecutive stops are near consecutive segments.
    var last = 0
    return !stops.allSatisfy { stop in
      let near = (0..<segments).lazy.map { (last + $0) % segments }.first {
        nearest(to: stop, from: line[$0], to: line[$0 + 1]).metres <= maximumMetres
      }
      last = near ?? last
      return near != nil
    }
  }

  /// Returns the point of a segment nearest to a stop, and its distance, on a tangent plane.
  static func nearest(
    to stop: FixedCoordinate, from a: FixedCoordinate, to b: FixedCoordinate
  ) -> (point: FixedCoordinate, metres: Double) {
    let metresPerUnit = Coordinate.metresPerDegree * 1e-7
    let east = metresPerUnit * cosine(of: stop)
    func offset(_ point: FixedCoordinate) -> SIMD2<Double> {
      let degrees = (Double(point.longitude) - Double(stop.longitude)).remainder(dividingBy: 360e7)
      return SIMD2(degrees * east, (Double(point.latitude) - Double(stop.latitude)) * metresPerUnit)
    }
    let (share, square) = offset(a).nearest(along: offset(b) - offset(a))
    func between(_ a: Int32, _ b: Int32) -> Int32 { a + Int32((Double(b) - Double(a)) * share) }
    let point = FixedCoordinate(longitude: between(a.longitude, b.longitude), latitude: between(a.latitude, b.latitude))
    return (point, square.squareRoot())
  }

  private static func cosine(of point: FixedCoordinate) -> Double {
    // Computed as a power series, so that it is the same on every machine.
    let angle = Double(point.latitude) * 1e-7 * Double.pi / 180
    let square = angle * angle
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
  }
}

extension [FixedCoordinate] {
  /// The points without consecutive duplicates; at least two points.
  fileprivate var withoutRepetitions: [FixedCoordinate] {
    var points: [FixedCoordinate] = []
    for point in self where point != points.last { points.append(point) }
    return points.count > 1 ? points : [self[0], self[count - 1]]
  }
}
