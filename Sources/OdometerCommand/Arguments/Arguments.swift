import Foundation
import Geography
import Input
import Jobs
import Routing
import Settings
import StreetNetwork

/// The arguments of a command, split into options and operands.
///
/// glibc's getopt_long is not used, since it mistakes a negative latitude ("-30.03,-51.23") for options.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  /// Parses the words of a command line. *Throws*: `OdometerError`.
  init(_ words: [String], for command: any Command.Type) throws {
    var rest = words[...]
    var isOperandsOnly = false
    while let word = rest.popFirst() {
      if isOperandsOnly || !Arguments.isOption(word) {
        operands.append(word)
      } else if word == "--" {
        isOperandsOnly = true
      } else {
        try readOption(word, &rest, of: command)
      }
    }
    let minimum = command.operands.count { !$0.isOptional }
    let maximum = command.operands.last?.isRepeated == true ? Int.max : command.operands.count
    guard (minimum...maximum).contains(operands.count) else {
      let expected = command.operands.map(\.usage).joined(separator: " ")
      let found = operands.isEmpty ? "nothing" : operands.joined(separator: " ")
      throw .usage("\(command.name): got \(found), expected \(expected.isEmpty ? "options only" : expected)")
    }
  }

  private mutating func readOption(
    _ word: String, _ rest: inout ArraySlice<String>, of command: any Command.Type
  ) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = command.options.first(where: { "--\($0.name)" == parts[0] }) else {
      throw .usage("\(command.name): unknown option \(parts[0])\(Arguments.advice(on: parts[0], for: command))")
    }
    guard values[option.name] == nil else { throw .usage("--\(option.name) is given twice") }
    guard option.placeholder != nil else {
      guard parts.count == 1 else { throw .usage("--\(option.name) takes no value, got \(word)") }
      values[option.name] = ""
      return
    }
    // A word that starts with two dashes is the next option: a value that starts with dashes needs "=".
    let next = parts.count > 1 ? parts[1] : rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    guard let value = next, !value.isEmpty else { throw .usage("--\(option.name) needs a value: \(option.usage)") }
    if parts.count == 1 { rest.removeFirst() }
    values[option.name] = value
  }

  /// Returns whether a word is an option. Coordinates may start with a minus sign, and "-" alone is an operand.
  static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !second.isNumber && second != "."
  }

  private static func advice(on word: String, for command: any Command.Type) -> String {
    let names = command.options.map(\.name) + ["help"]
    let name = String(word.drop { $0 == "-" })
    let starting = names.filter { $0.hasPrefix(name) }
    let suggestion = starting.count == 1 ? starting[0] : Suggestion.nearest(to: name, of: names)
    return suggestion.map { "; did you mean --\($0)?" } ?? "; odometer \(command.name) --help lists the options"
  }
}

extension Arguments {
  func has(_ option: Option) -> Bool { values[option.name] != nil }

  func text(_ option: Option) -> String? { values[option.name] }

  /// Returns the first operand, a file or a folder. *Throws*: `OdometerError` if it is missing.
  func existingFile() throws -> String {
    guard FileManager.default.fileExists(atPath: operands[0]) else { throw .input(operands[0], "no such file") }
    return operands[0]
  }

  func required(_ option: Option) throws -> String {
    guard let value = text(option) else { throw .usage("\(option.usage) is missing") }
    return value
  }

  /// Returns the value of an option; nil if the option is missing. *Throws*: `OdometerError` if `read` returns nil.
  func value<Value>(_ option: Option, _ expected: @autoclosure () -> String, _ read: (String) -> Value?) throws
    -> Value?
  {
    guard let text = text(option) else { return nil }
    guard let value = read(text) else { throw .usage("--\(option.name): got \(text), expected \(expected())") }
    return value
  }

  func count(_ option: Option, atMost maximum: Int = 1024) throws -> Int? {
    try value(option, "a whole number from 1 to \(maximum)") {
      Int($0).flatMap { (1...maximum).contains($0) ? $0 : nil }
    }
  }

  func number(_ option: Option, _ range: ClosedRange<Double>, of unit: String) throws -> Double? {
    func short(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
    return try value(option, "\(unit) from \(short(range.lowerBound)) to \(short(range.upperBound))") {
      Double(decimal: $0).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Returns the value of an option that takes one of several words.
  func choice(_ option: Option) throws -> String? {
    guard let text = text(option) else { return nil }
    guard case .choice(let choices) = option.values, !choices.contains(text) else { return text }
    throw Arguments.unknown(text, of: choices, for: "--\(option.name)")
  }

  /// Returns the operand at `index`, which names a case of `Choice`.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ index: Int, of command: any Command.Type) throws
    -> Choice
  {
    let (text, operand) = (operands[index], command.operands[index])
    guard let choice = Choice(rawValue: text) else {
      throw Arguments.unknown(text, of: Choice.allCases.map(\.rawValue), for: operand.name)
    }
    return choice
  }

  static func unknown(_ text: String, of choices: [String], for name: String) -> OdometerError {
    let question = Suggestion.question(text, of: choices)
    return .usage("\(name): got \(text), expected \(choices.alternatives)\(question)")
  }
}

extension Arguments {
  /// Returns the request given by the operands FROM and TO, or by an Apple Maps link.
  func request() throws -> DirectionsRequest {
    var request = try parsedEnds()
    let departure = try value(CommonOptions.depart, Timestamp.allowed) { Timestamp($0) }
    let arrival = try value(CommonOptions.arrive, Timestamp.allowed) { Timestamp($0) }
    guard departure == nil || arrival == nil else { throw .usage("--depart and --arrive are mutually exclusive") }
    request.departureDate = departure?.date
    request.arrivalDate = arrival?.date
    request.timeZone = (departure ?? arrival).flatMap { TimeZone(secondsFromGMT: $0.secondsFromGMT) }
    let avoids = try avoids()
    if avoids.contains(.tolls) { request.tollPreference = .avoid }
    if avoids.contains(.highways) { request.highwayPreference = .avoid }
    return request
  }

  private func parsedEnds() throws -> DirectionsRequest {
    let currentLocation = try text(CommonOptions.here).map { try Arguments.place($0, "--here") }
    if let url = URL(string: operands[0]), ["maps", "http", "https"].contains(url.scheme?.lowercased()) {
      guard operands.count == 1 else { throw .usage("got \(operands[1]) after a link, which names both places") }
      let legs = try DirectionsRequest.legs(url: url, currentLocation: currentLocation)
      guard legs.count == 1 else {
        throw .usage(
          "the link has \((legs.count - 1).counted("waypoint")), expected none; a job of kind routes takes such links as its pairs"
        )
      }
      guard legs[0].transportType != .transit else {
        throw .usage("the link asks for public transport; use a job with transportType transit and gtfs")
      }
      return legs[0]
    }
    guard operands.count > 1 else { throw .usage("TO is missing: got only FROM, which is not a Maps link") }
    return try DirectionsRequest(
      source: Arguments.place(operands[0], "FROM"), destination: Arguments.place(operands[1], "TO"))
  }

  func avoids() throws -> Profile.Avoidance {
    var avoids: Profile.Avoidance = []
    for word in (text(CommonOptions.avoid) ?? "").split(separator: ",") {
      switch word {
      case "tolls": avoids.insert(.tolls)
      case "highways": avoids.insert(.highways)
      default:
        let question = Suggestion.question(String(word), of: ["tolls", "highways"])
        throw .usage("--avoid: got \(word), expected tolls, highways or tolls,highways\(question)")
      }
    }
    return avoids
  }

  static func place(_ text: String, _ operand: String) throws -> Place {
    do throws(Coordinate.TextError) {
      return Place(coordinate: try Coordinate(parsing: text))
    } catch {
      switch error {
      case .notTwoNumbers:
        throw .usage("\(operand): got \(text), expected latitude,longitude, e.g. 60.1719,24.9414")
      case .outOfRange(let point):
        guard min(abs(point.latitude), abs(point.longitude)) <= 1000 else {
          throw .usage(
            "\(operand): \(text) looks like projected metres (such as EPSG:3857); expected degrees, "
              + "latitude,longitude, e.g. 60.1719,24.9414")
        }
        let advice = error.isSwapped ? "; latitude comes first" : ""
        throw .usage("\(operand): \(text) is outside latitude -90…90, longitude -180…180\(advice)")
      }
    }
  }

  /// Prints notes about the places of a request. *Throws*: `OdometerError` if a place is on the map only when its
  /// coordinates are swapped.
  func checkPlaces(of request: DirectionsRequest, _ directions: Directions, _ console: Console) throws {
    let box = directions.network.box
    for (operand, place) in zip(["FROM", "TO"], [request.source, request.destination]) {
      let point = place.coordinate
      let swapped = Coordinate(latitude: point.longitude, longitude: point.latitude)
      // A tenth of a degree: places slightly off the map are accepted.
      guard !box.contains(FixedCoordinate(point), margin: 1_000_000), swapped.isValid,
        box.contains(FixedCoordinate(swapped), margin: 1_000_000)
      else { continue }
      throw .usage(
        "\(operand): \(point.latitude),\(point.longitude) lies outside the map, but inside with latitude and longitude "
          + "swapped; latitude comes first")
    }
    for note in try directions.placeNotes(request) { console.note(note) }
  }
}

extension Arguments {
  /// Returns the profile for a map. A network file contains a profile, which options may only repeat.
  ///
  /// - Parameter type: The transport mode if `--by` is missing.
  func profile(of map: String, by type: String = "walking") throws -> Profile {
    if text(CommonOptions.by) == Job.transitName {
      throw .usage("--by: transit has no network of its own; build one for walking")
    }
    let requested = try choice(CommonOptions.by)
    let named = try text(CommonOptions.profile).map { try Profile.named($0) }
    guard StreetNetwork.isNetworkFile(map) else { return try adjusted(named ?? .stock(requested ?? type)) }
    for option in [CommonOptions.pace, CommonOptions.elevation] {
      guard let given = text(option) else { continue }
      throw .usage(
        "--\(option.name): got \(given), but \(map) is a network file, which contains its speeds; pass the extract instead"
      )
    }
    let networkProfile = try StreetNetwork.profile(ofNetworkFile: map)
    // If the profile is a file, its transport type may be repeated instead of its name.
    let names =
      [networkProfile.name]
      + (Profile.stockNames.contains(networkProfile.name) ? [] : [networkProfile.transportType.rawValue])
    if let requested, !names.contains(requested) {
      throw .usage("--by: got \(requested), but \(map) is a network file for \(networkProfile.name)")
    }
    if let named, named.text != networkProfile.text {
      throw .usage(
        "--profile: got \(named.name), but \(map) is a network file built with another profile, \(networkProfile.name)"
      )
    }
    return networkProfile
  }

  /// Returns the profile with the pace and elevation from the options.
  private func adjusted(_ profile: Profile) throws -> Profile {
    var profile = profile
    if let text = text(CommonOptions.pace), !profile.hasPace {
      throw .usage("--pace: got \(text), but profile \(profile.name) has no pace; expected a profile for walking")
    }
    if let pace = try number(CommonOptions.pace, 0.5...20, of: "km/h") { profile = try profile.paced(pace) }
    return try text(CommonOptions.elevation).map { try profile.on(Elevation(path: $0)) } ?? profile
  }

  /// The current paths of a finished job's files.
  var locatedFiles: LocatedFiles {
    LocatedFiles(map: text(CommonOptions.movedMap), profile: text(CommonOptions.profile))
  }

  func workers() throws -> Int { try count(CommonOptions.workers) ?? ControlGroups.workers }

  /// Returns the network of a map, opened or built.
  func network(
    of map: String, by type: String = "walking", _ console: Console
  ) throws -> StreetNetwork {
    let profile = try profile(of: map, by: type)
    return try StreetNetwork(
      map: map, profile: profile, cache: text(CommonOptions.cache), workers: ControlGroups.workers,
      report: console.networkEvents(building: map, profile))
  }

  /// Returns directions on the network of `--map`.
  ///
  /// - Parameters:
  ///   - isDated: Whether requests may have dates; nil means only if an option sets one.
  ///   - type: The transport type of the request, if any.
  func directions(_ console: Console, isDated: Bool? = nil, for type: TransportType? = nil) throws -> Directions {
    var options = Directions.Options()
    if let name = try choice(CommonOptions.language) { options.language = try Language(named: name) }
    let maximumSnapLimit = Directions.Options.largestSnapLimit
    options.snapLimit =
      try value(CommonOptions.snapLimit, "metres above 0, at most \(Int(maximumSnapLimit))") {
        Double(decimal: $0).flatMap { $0 > 0 && $0 <= maximumSnapLimit ? $0 : nil }
      } ?? options.snapLimit
    let maximumMinutes = Directions.Options.largestWaitLimit / 60
    let minutes = try value(CommonOptions.waitLimit, "minutes from 0 to \(Int(maximumMinutes))") {
      Double(decimal: $0).flatMap { (0...maximumMinutes).contains($0) ? $0 : nil }
    }
    if let minutes { options.waitLimit = minutes * 60 }
    let speeds = try SpeedInputs(speedFiles(), traffic: text(CommonOptions.traffic))
    let hasDate = isDated ?? (has(CommonOptions.depart) || has(CommonOptions.arrive))
    guard hasDate || !has(CommonOptions.waitLimit) else {
      throw .usage("--wait-limit needs --depart or --arrive: without a time no trip waits")
    }
    guard speeds.isEmpty || hasDate else {
      throw .usage("--speeds and --traffic need --depart or --arrive: speeds depend on the time")
    }
    let network = try network(of: required(CommonOptions.map), by: type?.rawValue ?? "walking", console)
    let directions = try Directions(networks: [network], speeds, options: options)
    // The library prints nothing.
    if isDated == nil, !speeds.files.isEmpty { try speeds.speeds(on: network).facts.notes.forEach(console.say) }
    return directions
  }
}

extension Arguments {
  /// Returns the files of `--speeds`: a path, or the value of a job's key `speeds`. *Throws*: `OdometerError`.
  private func speedFiles() throws -> [SpeedInput] {
    guard let text = text(CommonOptions.speeds) else { return [] }
    guard text.hasPrefix("[") || text.hasPrefix("{") else { return [SpeedInput(file: text)] }
    let setting: Setting
    do {
      setting = try JSON5Parser.parse(text)
    } catch {
      throw .usage("--speeds: not valid JSON5: \(error.problem)")
    }
    do {
      return try SpeedInput.all(of: setting)
    } catch {
      throw .usage("--speeds: \(error.reason)")
    }
  }
}

extension Console {
  /// Returns a handler that prints notes about network files: always if a file is replaced; unless `isQuiet`, also about
  /// gaps in a map and, on a terminal, about a new file.
  func networkEvents(isQuiet: Bool) -> @Sendable (NetworkEvent) -> Void {
    { event in
      switch event {
      case .replacing: note("\(event)")
      case .lacksRelations: if !isQuiet { warn("\(event)") }
      case .building: if !isQuiet && isatty(STDERR_FILENO) == 1 { note("\(event)") }
      }
    }
  }

  /// Returns a handler that also stops a build that would not fit in `memory` bytes, or in the machine's memory if nil.
  func networkEvents(
    building map: String, _ profile: Profile, memory: Int? = nil
  ) -> @Sendable (NetworkEvent) throws -> Void {
    let note = networkEvents(isQuiet: false)
    return { event in
      if event.precedesBuilding { try BuildForecast.check(map: map, profile: profile, memory: memory) }
      note(event)
    }
  }
}
