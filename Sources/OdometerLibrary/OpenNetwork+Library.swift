import COdometer
import Foundation
import Geography
import OdometerCommand
import Routing
import StreetNetwork

extension OpenNetwork {
  static func at(_ pointer: OpaquePointer) -> OpenNetwork {
    Unmanaged<OpenNetwork>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  /// Returns a departure in the map's time zone; nil for `ODOMETER_NO_TIME`. *Throws*: `OdometerError`.
  func time(_ milliseconds: Int64) throws -> TripTime? {
    guard milliseconds != .min else { return nil }
    return TripTime(try timestamp(milliseconds))
  }

  /// Converts local times of the map to instants. *Throws*: `OdometerError`.
  func moments(_ milliseconds: [Int64], isArrival: Bool) throws -> TransitMoments {
    guard let clock = LocalClock(timeZone: directions.network.timeZone) else {
      throw .usage("no data for the map's time zone, \(directions.network.timeZone)")
    }
    let dates = try milliseconds.map { milliseconds in
      let local = try timestamp(milliseconds).date.timeIntervalSince1970
      let whole = local.rounded(.down)
      return Date(timeIntervalSince1970: Double(clock.time(ofLocalSeconds: Int(whole))) + (local - whole))
    }
    return TransitMoments(dates: dates, isArrival: isArrival, timeZone: nil)
  }

  func timestamp(_ milliseconds: Int64) throws -> Timestamp {
    // The years 1600 to 9999: the range supported by calendars and timetables.
    guard (-11_676_096_000_000...253_402_300_799_999).contains(milliseconds) else {
      throw .usage("departures: got \(milliseconds) ms since 1970, expected a year from 1600 to 9999")
    }
    return Timestamp(Date(timeIntervalSince1970: Double(milliseconds) / 1000), secondsFromGMT: 0)
  }

  /// The facts about the network that Python shows.
  var info: TextBuffer {
    let network = directions.network
    var text = TextBuffer()
    text.append("{\"facts\":{")
    for (name, value) in network.facts { text.member(String(name.drop { $0 == " " }), value) }
    text.append("}")
    let members = [
      ("path", network.path), ("map", network.mapName), ("profile", network.profile.name),
      ("transport_type", network.profile.transportType.rawValue), ("time_zone", network.timeZone),
    ]
    for (name, value) in members { text.member(name, value) }
    let (southWest, northEast) = (network.box.southWest, network.box.northEast)
    text.append(text: ",\"bounds\":[\(southWest.longitude),\(southWest.latitude),")
    text.append(text: "\(northEast.longitude),\(northEast.latitude)]")
    text.append(text: ",\"workers\":\(workers)}")
    return text
  }
}
