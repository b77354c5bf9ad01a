import Geography
import Tables
import Transit
import TransitNetwork

extension RideRow {
  /// Creates a row for a trip; the caller sets the pair.
  ///
  /// - Parameter number: The number of the ride, from 1.
  init(
    _ ride: TransitRoutes.Ride, number: Int, of timetable: Timetable, at instant: TransitInstant, hasShapes: Bool
  ) {
    let (vehicle, words) = (ride.vehicle, ride.words)
    let trip = timetable.trips[timetable.trip(of: vehicle.boarding)]
    let line = timetable.lines[Int(trip.line)]
    self.init()
    (self.number, self.line, routeType) = (number, words.line, line.type == Timetable.none ? -1 : Int(line.type))
    (color, textColor) = (RideRow.optional(line.color), RideRow.optional(line.textColor))
    (headsign, feed, tripID) = (words.headsign, Int(line.feed) + 1, timetable.text(trip.id))
    (fromStopID, fromStop) = (timetable.text(timetable.stops[ride.from].id), words.stop)
    (toStopID, toStop) = (timetable.text(timetable.stops[ride.to].id), words.lastStop)
    departure = instant.text(ofSecondsFromMidnight: vehicle.departure)
    arrival = instant.text(ofSecondsFromMidnight: vehicle.arrival)
    (stops, staysSeated) = (words.stops, words.staysSeated)
    centimetres = Int64(words.centimetres)
    if hasShapes { shape = GeometryBlob(line: words.points[...]) }
  }

  private static func optional(_ color: UInt32) -> Int? { color == Timetable.none ? nil : Int(color) }
}
