import COdometer
import Foundation
import Geography
import Jobs
import OdometerCommand
import Routing
import Tables

/// See `odometer.h`.
@c @implementation
public func odometer_isochrones(
  _ network: OpaquePointer, _ places: UnsafePointer<odometer_places>, _ limits: UnsafePointer<Double>,
  _ limitCount: Int64, _ buffer: Double, _ toPlaces: Int32, _ departure: Int64,
  _ answer: UnsafeMutablePointer<odometer_answer>
) -> Int32 {
  Outcome.of {
    let network = OpenNetwork.at(network)
    let isCancelled = network.directions.cancellation()
    let places = try places.pointee.coordinates("places")
    guard (1...1000).contains(limitCount) else {
      throw .usage("limits: got \(limitCount) values, expected 1 to 1000")
    }
    let limits = Array(UnsafeBufferPointer(start: limits, count: Int(limitCount)))
    if let invalid = limits.first(where: { !(1...86_400).contains($0) }) {
      throw .usage("limits: got \(invalid), expected seconds from 1 to 86400")
    }
    let date = try departure == .min ? nil : network.timestamp(departure).date
    let parts = try network.run(Array(places.indices), isCancelled) {
      { index in
        var request = IsochroneRequest(place: Place(coordinate: places[index]), travelTimes: limits)
        request.direction = toPlaces == 0 ? .fromPlace : .toPlace
        request.buffer = buffer
        (request.departureDate, request.arrivalDate) = toPlaces == 0 ? (date, nil) : (nil, date)
        request.timeZone = .gmt
        return try part(index, request, network.directions, isCancelled)
      }
    }
    answer.initialize(to: odometer_answer(parts))
  }
}

/// Returns the areas of one place.
private func part(
  _ index: Int, _ request: IsochroneRequest, _ directions: Directions, _ isCancelled: @escaping () -> Bool
) throws -> AnswerPart {
  var text = TextBuffer()
  var shapes = Shapes()
  do {
    for area in try directions.calculateIsochronesAndWait(request, isCancelled) {
      text.separate()
      // A place that is too far from its street for the time limit reaches nothing.
      let status: RowStatus = area.isClosed ? .directionsNotFound : area.polygons.isEmpty ? .beyondLimit : .ok
      text.append(text: "{\"place\":\(index),\"status\":\"\(status.rawValue)\",\"travel_time\":\(area.travelTime)")
      if status == .ok { text.append(text: ",\"area\":\(area.area),\"street_length\":\(area.streetLength)") }
      text.append(text: ",\"polygons\":")
      text.list(area.polygons) { text, rings in
        text.list(rings) { text, ring in shapes.append(points: ring.map { FixedCoordinate($0) }, to: &text) }
      }
      text.append("}")
    }
  } catch let error as DirectionsError {
    guard TripStatus(error) == .placemarkNotFound else { throw error }
    text.append(text: "{\"place\":\(index),\"status\":\"\(RowStatus.placemarkNotFound.rawValue)\"}")
  }
  return AnswerPart(text: text.string(), points: shapes.points)
}

/// See `odometer.h`.
@c @implementation
public func odometer_match(
  _ network: OpaquePointer, _ fixes: UnsafePointer<odometer_places>, _ times: UnsafePointer<Double>?,
  _ accuracies: UnsafePointer<Double>?, _ speeds: UnsafePointer<Double>?, _ courses: UnsafePointer<Double>?,
  _ received: UnsafePointer<Double>?, _ ends: UnsafePointer<Int64>, _ traceCount: Int64,
  _ answer: UnsafeMutablePointer<odometer_answer>
) -> Int32 {
  Outcome.of {
    let network = OpenNetwork.at(network)
    let isCancelled = network.directions.cancellation()
    let places = try fixes.pointee.coordinates("fixes")
    guard (0...Int64(Int32.max)).contains(traceCount) else {
      throw .usage("traces: got \(traceCount), expected at most \(Int32.max)")
    }
    let ends = Array(UnsafeBufferPointer(start: ends, count: Int(traceCount)))
    guard zip([0] + ends, ends).allSatisfy({ $0 <= $1 }), ends.allSatisfy({ (0...Int64(places.count)).contains($0) })
    else { throw .usage("ends: expected ascending counts of fixes, at most \(places.count)") }
    // Times beyond the calendar's range are ignored.
    func date(_ seconds: Double?) -> Date? {
      seconds.flatMap { abs($0) < 1e11 ? Date(timeIntervalSince1970: $0) : nil }
    }
    let all = places.indices.map { index in
      var fix = Fix(coordinate: places[index], timestamp: date(times?[index]))
      if let metres = accuracies?[index], metres > 0 { fix.horizontalAccuracy = metres }
      if let speed = speeds?[index], speed >= 0 { fix.speed = speed }
      if let course = courses?[index], course.isFinite { fix.course = course }
      fix.received = date(received?[index])
      // Rounded in the same way as in a job.
      return fix.rounded
    }
    let parts = try network.run(Array(ends.indices), isCancelled) {
      { index in
        let fixes = Array(all[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])])
        return try network.directions.withRouter(isCancelled) { router, _ in
          let match = TraceMatcher(router, MatchOptions()).match(fixes)
          var text = TextBuffer()
          var shapes = Shapes()
          MatchedTrace(id: String(index), fixes: fixes, match: match, router: router).append(to: &text) {
            shapes.append($1, to: &$0)
          }
          return AnswerPart(text: text.string(), points: shapes.points)
        }
      }
    }
    answer.initialize(to: odometer_answer(parts))
  }
}
