import Foundation
import Geography
import Jobs
import Routing
import StreetNetwork

extension Arguments {
  /// The profile that a map is used with: a network file's own, which options may only repeat.
  ///
  /// - Parameter type: How to travel where `--by` does not say.
  func profile(of map: String, by type: String = "walking") throws -> Profile {
    let said = try choice(CommonOptions.by)
    let named = try text(CommonOptions.profile).map { try Profile.named($0) }
    guard StreetNetwork.isNetworkFile(map) else { return try travelled(named ?? .stock(said ?? type)) }
    for option in [CommonOptions.pace, CommonOptions.elevation] {
      guard let given = text(option) else { continue }
      throw UsageError(
        "--\(option.name): got \(given), but \(map) is a network file, whose speeds are in it; name the extract")
    }
    let own = try StreetNetwork.profile(ofNetworkFile: map)
    // Of a profile of one's own its type is enough.
    let names = [own.name] + (Profile.stockNames.contains(own.name) ? [] : [own.transportType.rawValue])
    if let said, !names.contains(said) {
      throw UsageError("--by: got \(said), but \(map) is a network file by \(own.name)")
    }
    if let named, named.text != own.text {
      throw UsageError(
        "--profile: got \(named.name), but \(map) is a network file that was built with another one, \(own.name)")
    }
    return own
  }

  /// The profile at the pace, and on the ground, that options say.
  private func travelled(_ profile: Profile) throws -> Profile {
    var profile = profile
    if let text = text(CommonOptions.pace) {
      guard profile.knowsPace else {
        throw UsageError("--pace: got \(text), but profile \(profile.name) has no pace; expected one of people on foot")
      }
      guard let pace = Double(decimal: text), pace >= 0.5, pace <= 20 else {
        throw UsageError("--pace: got \(text), expected km/h from 0.5 to 20")
      }
      profile = try profile.paced(pace)
    }
    return try text(CommonOptions.elevation).map { try profile.on(Elevation(path: $0)) } ?? profile
  }

  func workers() throws -> Int {
    try count(CommonOptions.workers) ?? ControlGroups.workers
  }

  /// The network of a map, opened or built.
  func network(
    of map: String, by type: String = "walking", _ console: Console
  ) throws -> StreetNetwork {
    let profile = try profile(of: map, by: type)
    return try StreetNetwork(
      map: map, profile: profile, cache: text(CommonOptions.cache),
      workers: ControlGroups.workers,
      report: console.networkEvents(building: map, profile))
  }

  /// Directions on the network of `--map`.
  ///
  /// - Parameter isDated: Whether requests may have dates; nil: where one is given.
  func directions(_ console: Console, isDated: Bool? = nil) throws -> Directions {
    var options = Directions.Options()
    if let name = try choice(CommonOptions.language) { options.language = try Language(named: name) }
    if let text = text(CommonOptions.snapLimit) {
      guard let limit = Double(decimal: text), limit > 0, limit <= Directions.Options.largestSnapLimit else {
        let most = Int(Directions.Options.largestSnapLimit)
        throw UsageError("--snap-limit: got \(text), expected metres above 0, at most \(most)")
      }
      options.snapLimit = limit
    }
    if let text = text(CommonOptions.waitLimit) {
      let most = Directions.Options.largestWaitLimit / 60
      guard let minutes = Double(text), minutes >= 0, minutes <= most else {
        throw UsageError("--wait-limit: got \(text), expected minutes from 0 to \(Int(most))")
      }
      options.waitLimit = minutes * 60
    }
    let speeds = SpeedInputs(
      files: [text(CommonOptions.speeds)].compactMap(\.self), traffic: text(CommonOptions.traffic))
    let isDated = isDated ?? (has(CommonOptions.depart) || has(CommonOptions.arrive))
    guard isDated || !has(CommonOptions.waitLimit) else {
      throw UsageError("--wait-limit needs --depart or --arrive: without a time nothing is waited for")
    }
    guard speeds.isEmpty || isDated else {
      throw UsageError("--speeds and --traffic need --depart or --arrive: free flow has no hours")
    }
    return Directions(network: try network(of: required(CommonOptions.map), console), options: options) { network in
      speeds.isEmpty ? nil : try speeds.speeds(on: network)
    }
  }
}

extension Console {
  /// Notes what happens to network files: a replaced one always, what a map lacks unless all is to be quiet, a new one only
  /// where a person is waiting.
  func networkEvents(isQuiet: Bool) -> @Sendable (NetworkEvent) -> Void {
    { event in
      switch event {
      case .replacing: note("\(event)")
      case .lacksRelations: if !isQuiet { note("\(event)") }
      case .building: if !isQuiet && isatty(STDERR_FILENO) == 1 { note("\(event)") }
      }
    }
  }

  /// The same, of a network that is built only if it fits in memory: in so many bytes, or in what the machine has.
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
