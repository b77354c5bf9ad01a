import Geography
import Input
import Routing
import StreetNetwork
import Transit

/// Creates routes of transit trips, with their steps and rides. One object per thread.
package final class TransitRoutes {
  private let stops: TransitStops
  private let shapes: RideShapes

  package init(_ stops: TransitStops) {
    self.stops = stops
    shapes = RideShapes(stops.schedule.timetable)
  }

  package var timetable: Timetable { stops.schedule.timetable }

  /// A part of a trip in a vehicle: its data from the timetable, and its texts.
  package struct Ride {
    package var vehicle: TransitTrip.Vehicle
    package var words: TransitRide
    /// Indices of the timetable's stops.
    package var from: Int
    package var to: Int
  }

  /// The route of a trip, and its rides.
  ///
  /// - Parameters:
  ///   - moment: Its departure, or arrival, in milliseconds from midnight of the schedule's date.
  ///   - schedule: The timetable in its window; nil for that of the stops.
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
    legs.append(walk([origin], stops.entering[start], taking: trip.access, to: start, from: origin.place))
    time += trip.access
    for (index, vehicle) in trip.vehicles.enumerated() {
      let (from, to) = (stop(of: vehicle.boarding), stop(of: vehicle.alighting))
      if index > 0 {
        let before = stop(of: trip.vehicles[index - 1].alighting)
        if before != from, !vehicle.staysSeated {
          legs.append(
            walk(stops.leaving[before], stops.entering[from], taking: vehicle.walk, to: from, from: coordinate(before)))
        }
        time += vehicle.walk
      }
      // Riders who stay seated wait in the vehicle.
      let waiting = vehicle.departure * 1000 - time
      if !vehicle.staysSeated, waiting > 0 { legs.append(wait(waiting, at: from)) }
      let ride = ride(vehicle, from: from, to: to, schedule)
      let taken = vehicle.arrival * 1000 - (vehicle.staysSeated ? time : vehicle.departure * 1000)
      legs.append(TransitLeg(.ride(ride), taking: taken, to: name(of: to), between: (coordinate(from), coordinate(to))))
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

  private func walk(
    _ sources: [TripEnd], _ targets: [TripEnd], taking milliseconds: Int, to stop: Int, from start: FixedCoordinate
  ) -> TransitLeg {
    TransitLeg(
      .walk(from: sources, to: targets), taking: milliseconds, to: name(of: stop), between: (start, coordinate(stop)))
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
      along: shapes.points(from: vehicle.boarding, to: vehicle.alighting))
  }

  private func stop(of call: Int) -> Int { Int(timetable.callStops[call]) }

  private func coordinate(_ stop: Int) -> FixedCoordinate {
    FixedCoordinate(longitude: timetable.stops[stop].longitude, latitude: timetable.stops[stop].latitude)
  }

  /// A stop's name, otherwise its id.
  private func name(of stop: Int) -> String {
    let name = timetable.text(timetable.stops[stop].name)
    return name.isEmpty ? timetable.text(timetable.stops[stop].id) : name
  }
}
