import Foundation
import Results
import Routing
import Settings
import StreetNetwork

/// What a job file asks for, checked.
package struct Job: Sendable {
  package let kind: JobKind
  /// What the kind asks for.
  let task: any JobTask
  package var map: String
  package var transportType: TransportType
  /// Of the network file that is the map; nil for other maps.
  let networkProfile: Profile?
  /// The name of a stock profile, or the path of one's own; the stock profile of the transport type if nil.
  package var profile: String?
  /// The raster of the ground's heights, or the folder of its tiles; nil for none.
  let elevation: String?
  /// Kilometres per hour on the flat; nil for the profile's.
  let pace: Double?
  package var output: String
  /// The same as it was written: with the word for a date.
  let writtenOutput: String
  /// How many days of results a folder with a date keeps; nil for all.
  package let keep: Int?
  /// A file of pairs with what they must take; nil for none.
  let sentinels: String?
  /// How many of the rows must be ok, from 0 to 1; nil for one row.
  package let minimumShare: Double?
  /// Metres.
  package var snapLimit: Double
  package var snapLegs: Bool?
  /// A GeoJSON MultiPolygon; pairs with an end outside are not computed.
  package var coverage: String?
  /// When trips start or end, unless a row says so itself.
  package var departure: Timestamp?
  package var arrival: Timestamp?
  /// Minutes that trips wait at most for a closed street.
  package var waitLimit: Double
  /// Nil where the job names none.
  package var holidays: Holidays?
  /// The hours of trips, as the job file says them.
  let hours: HoursTask
  /// The clocks that they are by; nil for those of the map.
  let clock: LocalClock?
  /// The hours of trips, once they are resolved; nil where the job has none.
  var departures: Departures?
  /// What becomes of a row whose id an earlier one has.
  let duplicates: DuplicateRule
  var wantsAlternates: Bool
  package var avoids: Profile.Avoidance
  /// How slow streets are at which hours.
  let speeds: SpeedsTask
  package var language: Language
  /// Whether each route gets the link that opens it in Maps.
  package var writesLinks = false
  /// How many rows are computed again by plain Dijkstra in the end; nil for none.
  package var verify: Int?
  /// How many bytes of memory the job may use; nil for what the machine has.
  package var memory: Int?
  /// The job file.
  package var file: String
  /// What it is made of, as the job file has it.
  let text: JobText

  /// Reads the job file at `path`, or standard input where that is "-".
  ///
  /// - Parameter output: The folder for results, where that is not the job file's.
  /// - Throws: An error that names the key, what it got and what it expected.
  package init(path: String, output: String? = nil) throws {
    let settings =
      path == Job.standardInput
      ? try SettingsFile(
        name: Job.nameOfStandardInput, bytes: FileHandle.standardInput.readToEnd() ?? Data())
      : try SettingsFile(path: path)
    try self.init(settings, output: output)
  }

  private static let standardInput = "-"
  package static let nameOfStandardInput = "standard input"

  init(_ settings: SettingsFile, output option: String? = nil) throws {
    let root = settings.root
    file = settings.name
    text = JobText(bytes: Array(settings.bytes))
    root.expect(Job.keys.map(\.name))
    kind = try root.value(of: Keys.kind)
    root.expect(kind.keys.map(\.name)) { [kind] in Job.home(of: $0, not: kind) }
    for key in kind.task.keysWithoutMeaning.sorted() where root.has(key) {
      throw root.error(key, Job.home(of: key, not: kind) ?? "it means nothing to kind \(kind.rawValue)")
    }
    map = try root.value(of: Keys.map)
    networkProfile = try StreetNetwork.isNetworkFile(map) ? StreetNetwork.profile(ofNetworkFile: map) : nil
    let isKnown = networkProfile != nil && !root.has(Keys.transportType)
    transportType = try isKnown ? networkProfile!.transportType : root.value(of: Keys.transportType)
    profile = try root.value(of: Keys.profile)
    pace = try root.value(of: Keys.pace)
    elevation = try root.value(of: Keys.elevation)
    task = try kind.task.init(root, of: kind)
    // With the option, the key may be missing.
    let own = option == nil || root.has(Keys.output) ? try root.value(of: Keys.output) : nil
    output = option ?? own ?? ""
    writtenOutput = output
    keep = try root.value(of: Keys.keep)
    if let word = OutputTemplate.unknownWord(in: output) {
      throw SettingsError(
        file: file, problem: "output: got \(word) in \(output), expected \(OutputTemplate.word), once, or no braces")
    }
    sentinels = try root.value(of: Keys.sentinels)
    minimumShare = try root.value(of: Keys.minimumShare)
    duplicates = try root.value(of: Keys.duplicates)
    snapLimit = try root.value(of: Keys.snapLimit)
    snapLegs = try root.value(of: Keys.snapLegs)
    coverage = try root.value(of: Keys.coverage)
    departure = try root.value(of: Keys.departureDate)
    arrival = try root.value(of: Keys.arrivalDate)
    waitLimit = try root.value(of: Keys.waitLimit)
    holidays = try root.value(of: Keys.holidays)
    hours = try HoursTask(root)
    clock = try root.value(of: HoursTask.Keys.timeZone)
    wantsAlternates = try root.value(of: Keys.requestsAlternateRoutes)
    avoids = Profile.Avoidance(
      tolls: try root.value(of: Keys.tollPreference), highways: try root.value(of: Keys.highwayPreference))
    speeds = try SpeedsTask(root)
    language = try root.value(of: Keys.language)
    verify = try root.value(of: Keys.verify)
    memory = try root.value(of: Keys.memory)
    if departure != nil && arrival != nil {
      throw root.error(Keys.arrivalDate, "a trip has a departureDate or an arrivalDate, not both")
    }
    if wantsAlternates && kind != .routes {
      throw root.error(
        Keys.requestsAlternateRoutes, "kind \(kind.rawValue) has no routes to choose from; use kind routes")
    }
    try root.finish()
    try checkNetworkFile(root)
  }

  /// What decides the results, as far as the kind's own settings say it.
  package var identity: Entries<IdentityKey> { task.identity }

  /// The profile the job travels by.
  func loadProfile() throws -> Profile {
    if let networkProfile { return try ownProfile(networkProfile) }
    let profile = try self.profile.map { try Profile.named($0) } ?? .stock(transportType)
    guard profile.transportType == transportType else {
      throw SettingsError(
        file: file,
        problem: "profile: \(profile.name) is for transportType \(profile.transportType.rawValue), "
          + "the job's is \(transportType.rawValue)")
    }
    let paced = try paced(profile)
    return try (elevation.map { try paced.on(Elevation(path: $0)) } ?? paced).avoiding(avoids)
  }

  private func paced(_ profile: Profile) throws -> Profile {
    guard let pace else { return profile }
    guard profile.knowsPace else {
      throw SettingsError(
        file: file, problem: "pace: profile \(profile.name) has no usualPace that another pace could be measured by")
    }
    return try profile.paced(pace)
  }

  /// When trips start, or end, by the clocks there: decides what is open; nil where no date is set.
  var localTime: LocalTime? { (departure ?? arrival).map(localTime) }

  /// A moment in the calendar of the job.
  func localTime(_ moment: Timestamp) -> LocalTime { moment.localTime(holidays ?? .none) }

  /// When trips start, or end, on the clock; nil where no date is set.
  var tripTime: TripTime? { departure.map { tripTime($0) } ?? arrival.map { tripTime($0, isArrival: true) } }

  /// When a trip starts, or ends.
  ///
  /// - Parameter clock: That speeds go by; nil for the one that the moment was read from.
  func tripTime(_ moment: Timestamp, isArrival: Bool = false, by clock: LocalClock? = nil) -> TripTime {
    TripTime(clock.map { moment.onClock($0) } ?? moment, holidays: holidays ?? .none, isArrival: isArrival)
  }

  package var options: Directions.Options {
    var options = Directions.Options()
    options.snapLimit = snapLimit
    options.countsSnapLegs = snapLegs
    options.waitLimit = waitLimit * 60
    options.language = language
    return options
  }
}

/// The text of a job file.
struct JobText: Sendable, CustomStringConvertible {
  let bytes: [UInt8]
  /// Jobs of other texts may be the same.
  var description: String { "…" }
}
