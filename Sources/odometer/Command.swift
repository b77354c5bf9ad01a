import Foundation
import Geography
import Results
import Routing
import StreetNetwork

/// One command of the program.
protocol Command {
  /// "network build".
  static var name: String { get }
  static var summary: String { get }
  static var operands: [String] { get }
  static var options: [Arguments.Option] { get }
  /// Further paragraphs of help.
  static var details: String { get }
  static func run(_ arguments: Arguments) throws -> ExitCode
}

extension Command {
  static var usage: String {
    let flags = options.map { option in "[--\(option.name)\(option.value.map { " \($0)" } ?? "")]" }
    return (["odometer", name] + operands + flags).joined(separator: " ")
  }

  static var help: String {
    let names = options.map { "--\($0.name)\($0.value.map { " \($0)" } ?? "")" }
    let width = (names.map(\.count).max() ?? 0) + 2
    let lines = zip(names, options).map { name, option in
      "  \(name)\(String(repeating: " ", count: width - name.count))\(option.help)"
    }
    return """
      \(summary)

      Usage: \((["odometer", name] + operands + ["[options]"]).joined(separator: " "))

      Options:
      \(lines.joined(separator: "\n"))

      \(details)
      """
  }
}

/// Options that several commands share, and what they mean.
enum Shared {
  static let map = Arguments.Option(name: "map", value: "MAP", help: "the map: .osm.pbf, .osm, .osm.gz or .osm.bz2")
  static let by = Arguments.Option(
    name: "by", value: "TYPE", help: "how to travel: walking (default), automobile or cycling")
  static let profile = Arguments.Option(
    name: "profile", value: "FILE", help: "a profile of your own instead of the stock one")
  static let cache = Arguments.Option(
    name: "cache", value: "DIR", help: "where network files are kept (default: beside the map)")
  static let workers = Arguments.Option(
    name: "workers", value: "N", help: "threads (default: one a processor); results are the same for any number")
  static let snapLimit = Arguments.Option(
    name: "snap-limit", value: "METRES", help: "how far a street may be from a place (default: 1000)")

  static let depart = Arguments.Option(
    name: "depart", value: "DATE", help: "when the trip starts, as 2026-11-21T08:30:00+01:00: decides what is open")
  static let arrive = Arguments.Option(name: "arrive", value: "DATE", help: "when the trip ends, in place of --depart")
  static let avoid = Arguments.Option(
    name: "avoid", value: "LIST", help: "tolls, highways or both (tolls,highways): used only where nothing else leads")
  static let language = Arguments.Option(name: "language", value: "NAME", help: "of the instructions: en (default), pt")

  static func profile(_ arguments: Arguments) throws -> Profile {
    let type = try arguments.choice("by", of: Profile.stockNames) ?? "walking"
    return try arguments.text("profile").map { try Profile(path: $0) } ?? .stock(type)
  }

  static func workers(_ arguments: Arguments) throws -> Int {
    try arguments.count("workers") ?? ProcessInfo.processInfo.activeProcessorCount
  }

  static func network(_ map: String, _ arguments: Arguments) throws -> StreetNetwork {
    try StreetNetwork(
      map: map, profile: profile(arguments), cache: arguments.text("cache"),
      workers: ProcessInfo.processInfo.activeProcessorCount, report: report(isQuiet: false))
  }

  /// The database of results: itself, or the one in a folder. *Throws*: `ResultsError` where there is none.
  static func results(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ResultsError(path: path, problem: "there is no such file; a results.sqlite is needed")
    }
    guard isFolder.boolValue else { return path }
    let database = ResultsFolder(path: path).database
    guard FileManager.default.fileExists(atPath: database) else {
      throw ResultsError(path: path, problem: "this folder has no results.sqlite: no job has been finished there")
    }
    return database
  }

  /// Tells what happens to network files: that one is replaced always, that one is built only to a person who waits.
  static func report(isQuiet: Bool) -> @Sendable (NetworkEvent) -> Void {
    { event in
      switch event {
      case .replacing: note("\(event)")
      case .building: if !isQuiet && isatty(STDERR_FILENO) == 1 { note("\(event)") }
      }
    }
  }

  static func directions(_ arguments: Arguments) throws -> Directions {
    var options = Directions.Options()
    if let name = try arguments.choice("language", of: Language.names) {
      options.language = try Language(named: name)
    }
    if let text = arguments.text("snap-limit") {
      guard let limit = Double(text), limit > 0, limit <= Directions.Options.largestSnapLimit else {
        let most = Int(Directions.Options.largestSnapLimit)
        throw UsageError("--snap-limit: found \(text), allowed: a number of metres, over 0, at most \(most)")
      }
      options.snapLimit = limit
    }
    return Directions(network: try network(arguments.required("map", "MAP"), arguments), options: options)
  }

  /// The request from the operands FROM and TO.
  static func request(_ arguments: Arguments) throws -> DirectionsRequest {
    var request = try DirectionsRequest(
      source: place(arguments.operands[0], "FROM"), destination: place(arguments.operands[1], "TO"))
    let departure = try timestamp(arguments, "depart")
    let arrival = try timestamp(arguments, "arrive")
    guard departure == nil || arrival == nil else { throw UsageError("--depart and --arrive: say one of them") }
    request.departureDate = departure?.date
    request.arrivalDate = arrival?.date
    request.timeZone = (departure ?? arrival).flatMap { TimeZone(secondsFromGMT: $0.secondsFromGMT) }
    for word in (arguments.text("avoid") ?? "").split(separator: ",") {
      switch word {
      case "tolls": request.tollPreference = .avoid
      case "highways": request.highwayPreference = .avoid
      default: throw UsageError("--avoid: found \(word), allowed: tolls, highways, tolls,highways")
      }
    }
    return request
  }

  private static func timestamp(_ arguments: Arguments, _ name: String) throws -> Timestamp? {
    guard let text = arguments.text(name) else { return nil }
    guard let timestamp = Timestamp(text) else {
      throw UsageError("--\(name): found \(text), allowed: \(Timestamp.allowed)")
    }
    return timestamp
  }

  private static func place(_ text: String, _ operand: String) throws -> Place {
    let numbers = text.split(separator: ",").map { Double($0.filter { $0 != " " }) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
      throw UsageError("\(operand): found \(text), allowed: latitude,longitude, as 60.1719,24.9414")
    }
    let place = Place(latitude: latitude, longitude: longitude)
    guard place.coordinate.isValid else {
      let advice = abs(latitude) <= 180 && abs(longitude) <= 90 ? "; latitude comes first" : ""
      throw UsageError("\(operand): \(text) lies outside latitude -90…90, longitude -180…180\(advice)")
    }
    return place
  }
}

/// A sentence on stderr.
func note(_ sentence: String) {
  let line = printable(sentence).replacing("\n", with: " ")
  FileHandle.standardError.write(Data("odometer: \(line)\n".utf8))
}
