import COdometer
import Foundation
import Geography
import OdometerCommand
import Routing
import StreetNetwork
import Tables

/// See `odometer.h`.
@c @implementation
public func odometer_open(
  _ pointers: UnsafePointer<UnsafePointer<CChar>?>, _ count: Int32, _ network: UnsafeMutablePointer<OpaquePointer?>
) -> Int32 {
  Outcome.of {
    let opened = try OpenNetwork(words(pointers, count))
    network.pointee = OpaquePointer(Unmanaged.passRetained(opened).toOpaque())
  }
}

/// See `odometer.h`.
@c @implementation
public func odometer_install(
  _ path: UnsafePointer<CChar>, _ cache: UnsafePointer<CChar>, _ answer: UnsafeMutablePointer<odometer_answer>
) -> Int32 {
  Outcome.of {
    var text = TextBuffer()
    text.append(jsonString: try StreetNetwork.install(String(cString: path), in: String(cString: cache)))
    answer.initialize(to: odometer_answer(text))
  }
}

/// See `odometer.h`.
@c @implementation
public func odometer_close(_ network: OpaquePointer) {
  Unmanaged<OpenNetwork>.fromOpaque(UnsafeRawPointer(network)).release()
}

/// See `odometer.h`.
@c @implementation
public func odometer_message() -> UnsafePointer<CChar> { Outcome.message }

/// The names of statuses, which are never freed.
private nonisolated(unsafe) let statusNames = Dictionary(
  uniqueKeysWithValues: TripStatus.allCases.map { ($0.rawValue, UnsafePointer<CChar>(strdup($0.row.rawValue)!)) })

/// See `odometer.h`.
@c @implementation
public func odometer_status_name(_ status: odometer_status) -> UnsafePointer<CChar>? { statusNames[status] }

/// See `odometer.h`.
@c @implementation
public func odometer_info(_ network: OpaquePointer, _ answer: UnsafeMutablePointer<odometer_answer>) -> Int32 {
  Outcome.of { answer.initialize(to: odometer_answer(OpenNetwork.at(network).info)) }
}

/// See `odometer.h`.
@c @implementation
public func odometer_free(_ answer: UnsafeMutablePointer<odometer_answer>) { answer.pointee.free() }

/// See `odometer.h`.
@c @implementation
public func odometer_cancel(_ network: OpaquePointer) { OpenNetwork.at(network).directions.cancel() }

/// See `odometer.h`.
@c @implementation
public func odometer_run(_ pointers: UnsafePointer<UnsafePointer<CChar>?>, _ count: Int32) -> Int32 {
  Program.main(words(pointers, count))
}
