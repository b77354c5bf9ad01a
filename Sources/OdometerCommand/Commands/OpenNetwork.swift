import Foundation
import Geography
import Routing
import StreetNetwork
import TransitNetwork

/// The object behind the C type `odometer_network`: directions, opened with the options of `odometer eta` and options
/// for timetables.
package final class OpenNetwork: Sendable {
  package let directions: Directions
  /// The number of threads per request.
  package let workers: Int
  /// Whether trips use public transport.
  package let isTransit: Bool

  /// - Parameter words: Options with their values: `--map porto.osm.pbf --by automobile`.
  /// - Throws: `OdometerError`, and errors from opening or building a network or from reading feeds.
  package init(_ words: [String]) throws {
    let arguments = try Arguments(words, for: LibraryOptions.self)
    workers = try arguments.workers()
    let opened = try arguments.directions(.standard, isDated: true)
    if let transit = try arguments.transit(on: opened) {
      (directions, isTransit) = (Directions(transit: transit, options: opened.options), true)
      return
    }
    isTransit = false
    let avoids = try arguments.avoids()
    directions = avoids.isEmpty ? opened : try opened.avoiding(avoids)
  }
}

/// The options, in the form of an internal command.
private enum LibraryOptions: Command {
  static let name = "odometer"
  static let summary = ""
  static let operands: [Operand] = []
  static let options =
    [
      CommonOptions.map, CommonOptions.by, CommonOptions.profile, CommonOptions.pace, CommonOptions.elevation,
      CommonOptions.snapLimit, CommonOptions.waitLimit, CommonOptions.speeds, CommonOptions.traffic,
      CommonOptions.avoid, CommonOptions.language, CommonOptions.cache, CommonOptions.workers, gtfs,
    ] + transit
  static let details = ""
  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode { .fault }

  /// The paths of zip files, one per line.
  static let gtfs = Option("gtfs", "FILES", help: "timetables, like the key gtfs of a job")
  static let walkLimit = Option("walk-limit", "SECONDS", help: "like the key walkLimit of a job")
  static let boardingSlack = Option("boarding-slack", "SECONDS", help: "like the key boardingSlack of a job")
  static let limit = Option("limit", "SECONDS", help: "like the key limit of a job")
  static let maximumRides = Option("maximum-rides", "N", help: "like the key maximumRides of a job")
  static let wheelchairBoarding = Option(
    "wheelchair-boarding", "WORD", .choice(TransitNetwork.WheelchairAccess.allCases.map(\.rawValue)),
    help: "like the key wheelchairBoarding of a job")
  static let headways = Option(
    "headways", "WORD", .choice(TransitNetwork.Headways.allCases.map(\.rawValue)),
    help: "like the key headways of a job")
  static let transit = [walkLimit, boardingSlack, limit, maximumRides, headways, wheelchairBoarding]
}

extension Arguments {
  /// Returns timetables on the network of directions; nil without the option `--gtfs`. *Throws*: `OdometerError`, and
  /// errors from reading feeds.
  fileprivate func transit(on directions: Directions) throws -> TransitNetwork? {
    guard let paths = text(LibraryOptions.gtfs)?.split(separator: "\n").map(String.init), !paths.isEmpty else {
      if let option = LibraryOptions.transit.first(where: has) {
        throw .usage("--\(option.name): only for public transport; add --gtfs")
      }
      return nil
    }
    let others = [CommonOptions.speeds, CommonOptions.traffic, CommonOptions.avoid, CommonOptions.waitLimit]
    if let option = others.first(where: has) {
      throw .usage("--\(option.name): vehicles follow their timetable; it has no effect with --gtfs")
    }
    var options = TransitNetwork.Options()
    options.snapLimit = directions.options.snapLimit
    if let seconds = try number(LibraryOptions.walkLimit, 1...7200, of: "seconds") { options.walkLimit = seconds }
    let slack = try value(LibraryOptions.boardingSlack, "whole seconds from 0 to 3600") { text in
      Double(decimal: text).flatMap { (0...3600).contains($0) ? Int(exactly: $0) : nil }
    }
    if let slack { options.boardingSlack = slack }
    if let seconds = try number(LibraryOptions.limit, 1...86_400, of: "seconds") { options.timeLimit = seconds }
    options.maximumRides = try count(LibraryOptions.maximumRides, atMost: 8)
    if let word = try choice(LibraryOptions.headways) {
      options.headways = TransitNetwork.Headways(rawValue: word) ?? .timetable
    }
    if let word = try choice(LibraryOptions.wheelchairBoarding) {
      options.wheelchairBoarding = TransitNetwork.WheelchairAccess(rawValue: word) ?? .any
    }
    return try TransitNetwork(
      gtfs: paths, network: directions.network, cache: text(CommonOptions.cache), options: options)
  }
}
