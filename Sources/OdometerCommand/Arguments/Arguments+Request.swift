import Foundation
import Geography
import Routing
import Settings
import StreetNetwork

extension Arguments {
  /// The request from the operands FROM and TO.
  func request() throws -> DirectionsRequest {
    var request = try DirectionsRequest(
      source: Arguments.place(operands[0], "FROM"), destination: Arguments.place(operands[1], "TO"))
    let departure = try timestamp(CommonOptions.depart)
    let arrival = try timestamp(CommonOptions.arrive)
    guard departure == nil || arrival == nil else {
      throw UsageError("--depart and --arrive are mutually exclusive")
    }
    request.departureDate = departure?.date
    request.arrivalDate = arrival?.date
    request.timeZone = (departure ?? arrival).flatMap { TimeZone(secondsFromGMT: $0.secondsFromGMT) }
    let avoids = try avoids()
    if avoids.contains(.tolls) { request.tollPreference = .avoid }
    if avoids.contains(.highways) { request.highwayPreference = .avoid }
    return request
  }

  /// What `--avoid` names.
  func avoids() throws -> Profile.Avoidance {
    var avoids: Profile.Avoidance = []
    for word in (text(CommonOptions.avoid) ?? "").split(separator: ",") {
      switch word {
      case "tolls": avoids.insert(.tolls)
      case "highways": avoids.insert(.highways)
      default:
        let question = Suggestion.question(String(word), of: ["tolls", "highways"])
        throw UsageError("--avoid: got \(word), expected tolls, highways or tolls,highways\(question)")
      }
    }
    return avoids
  }

  private func timestamp(_ option: Option) throws -> Timestamp? {
    guard let text = text(option) else { return nil }
    guard let timestamp = Timestamp(text) else {
      throw UsageError("--\(option.name): got \(text), expected \(Timestamp.allowed)")
    }
    return timestamp
  }

  private static func place(_ text: String, _ operand: String) throws -> Place {
    do throws(Coordinate.TextError) {
      return Place(coordinate: try Coordinate(parsing: text))
    } catch {
      switch error {
      case .notTwoNumbers:
        throw UsageError("\(operand): got \(text), expected latitude,longitude, e.g. 60.1719,24.9414")
      case .outOfRange(let point):
        guard min(abs(point.latitude), abs(point.longitude)) <= 1000 else {
          throw UsageError(
            "\(operand): \(text) looks like metres of a projection such as EPSG:3857; expected degrees, "
              + "latitude,longitude, e.g. 60.1719,24.9414")
        }
        let advice = error.isSwapped ? "; latitude comes first" : ""
        throw UsageError("\(operand): \(text) is outside latitude -90…90, longitude -180…180\(advice)")
      }
    }
  }

  /// Notes what a person should know of where a request's places lie. *Throws*: `UsageError` where one is on the map with
  /// latitude and longitude exchanged alone.
  func checkPlaces(of request: DirectionsRequest, _ directions: Directions, _ console: Console) throws {
    let box = directions.network.box
    for (operand, place) in zip(["FROM", "TO"], [request.source, request.destination]) {
      let point = place.coordinate
      let exchanged = Coordinate(latitude: point.longitude, longitude: point.latitude)
      // A tenth of a degree: places a little off the map are accepted.
      guard !box.contains(FixedCoordinate(point), margin: 1_000_000), exchanged.isValid,
        box.contains(FixedCoordinate(exchanged), margin: 1_000_000)
      else { continue }
      throw UsageError(
        "\(operand): \(point.latitude),\(point.longitude) lies outside the map, and inside it with latitude and longitude "
          + "exchanged; latitude comes first")
    }
    for note in try directions.placeNotes(request) { console.note(note) }
  }
}
