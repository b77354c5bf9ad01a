import Foundation
import Geography
import Input
import OpeningHours
import Routing
import Settings
import StreetNetwork
import Tables

/// A validated job file.
package struct Job: Sendable {
  package let kind: JobKind
  /// The settings specific to the kind.
  let task: any JobTask
  package var map: String
  /// The transport type on streets; walking in transit jobs.
  package var transportType: TransportType
  /// The public transport settings; nil in a job without transit.
  let transit: TransitTask?
  /// The profile of the network file; nil if the map is an extract.
  let networkProfile: Profile?
  /// The name of a stock profile, or the path of a profile file; nil for the stock profile of the transport type.
  package var profile: String?
  /// The DEM: a raster, or a folder of tiles; nil for none.
  let elevation: String?
  /// The walking speed on level ground in km/h; nil for the profile's.
  let pace: Double?
  package var output: String
  /// The output folder as the user wrote it, with the placeholder for a date.
  let writtenOutput: String
  /// The number of days of results to keep if the output folder has a date; nil for all.
  package let keep: Int?
  /// Whether each run writes an index of all runs into the folder above its output.
  let updatesIndex: Bool
  /// The path of a file of sentinel pairs with permitted ranges; nil for none.
  let sentinels: String?
  /// The minimum share of ok rows, from 0 to 1; nil if one ok row is enough.
  package let minimumShare: Double?
  /// The maximum distance from a place to its street, in metres.
  package var snapLimit: Double
  package var snapLegs: Bool?
  /// The path of a GeoJSON MultiPolygon; trips with an end outside it are not computed.
  package var coverage: String?
  /// The departure or arrival of trips whose rows have no time of their own.
  package var departure: Timestamp?
  package var arrival: Timestamp?
  /// The longest wait at a closed street, in minutes.
  package var waitLimit: Double
  /// The public holidays; nil if the job has none.
  package var holidays: Holidays?
  /// The hours of trips, as written in the job file.
  let hours: HoursTask
  /// The resolved hours of trips; nil if the job has none.
  var departures: Departures?
  /// The clock of `timeZone`, or else of the map's time zone. Nil until the network is known, or if the system has no
  /// data for the time zone: instants then keep their own offset.
  var clock: LocalClock?
  /// Handling of rows with duplicate ids.
  let duplicates: DuplicateRule
  var wantsAlternates: Bool
  package var avoids: Profile.Avoidance
  /// The inputs of speeds by hour.
  let speeds: SpeedInputs
  package var language: Language
  /// Whether each route gets a Maps link.
  package var writesLinks = false
  /// The number of rows to verify at the end; nil for none.
  package var verify: Int?
  /// The memory limit in bytes; nil for the machine's memory.
  package var memory: Int?
  /// The job file.
  package var file: String
  let text: JobText
  /// Closures that add the keys' values to the job's identity.
  private let entries: [@Sendable (inout Entries<IdentityKey>) throws -> Void]

  /// Reads the job file at `path`, or standard input for "-".
  ///
  /// - Parameter output: The folder for results, in place of the job file's.
  /// - Throws: An error with the key, the value and what was expected.
  package init(path: String, output: String? = nil) throws {
    let settings =
      path == Job.standardInput
      ? try SettingsFile(name: Job.standardInputName, bytes: FileHandle.standardInput.readToEnd() ?? Data())
      : try SettingsFile(path: path)
    try self.init(settings, output: output)
  }

  private static let standardInput = "-"
  package static let standardInputName = "standard input"

  init(_ settings: SettingsFile, output option: String? = nil) throws {
    var keys = try KeyReader(settings.root)
    try self.init(&keys, file: settings.name, text: JobText(bytes: Array(settings.bytes)), output: option)
    try keys.finish()
    try checkNetworkFile(keys)
  }

  /// Reads every key, in the order in which help lists them.
  init(_ keys: inout KeyReader, file: String = "", text: JobText = JobText(bytes: []), output option: String? = nil)
    throws
  {
    (self.file, self.text) = (file, text)
    _ = try keys.value(KeyReader.kindKey)
    kind = keys.kind
    map = try keys.value(
      .init(
        "map", .path,
        "OpenStreetMap extract (.osm.pbf, .osm, .osm.gz, .osm.bz2) or .network file; paths are relative to the current folder",
        example: "map.osm.pbf"))
    networkProfile =
      try !keys.isDescribing && StreetNetwork.isNetworkFile(map) ? StreetNetwork.profile(ofNetworkFile: map) : nil
    let takesNetworkTransport = networkProfile != nil && !keys.has("transportType")
    let transportName =
      try takesNetworkTransport
      ? networkProfile!.transportType.rawValue
      : keys.value(
        .init(
          "transportType", .word(of: TransportType.allCases.map(\.rawValue) + [Job.transitName]),
          "transport mode; optional if the map is a network file", example: "walking"))
    keys.isTransit = transportName == Job.transitName
    transportType = keys.isTransit ? .walking : TransportType(rawValue: transportName) ?? .walking
    // The key is optional if the option is given.
    let ownOutput =
      option == nil || keys.has("output")
      ? try keys.value(
        .init(
          "output", .path, "folder for the results (or use --output); {date} becomes the date on which the run starts",
          example: "results")) : nil
    output = option ?? ownOutput ?? ""
    writtenOutput = output
    if let word = OutputTemplate.unknownPlaceholder(in: output) {
      throw .settings(
        file: file,
        problem: "output: got \(word) in \(output), expected \(OutputTemplate.placeholder), once, or no braces")
    }
    keys.endSection()
    task = try kind.task.init(&keys)
    wantsAlternates = try keys.setting(
      "requestsAlternateRoutes", .bool, default: false,
      "find up to two alternate routes per pair: alternatives 1 and 2 in the tables", as: "alternate_routes",
      decides: .presentation, applies: task.optionalKeys.contains("requestsAlternateRoutes"))
    language = try keys.setting(
      "language", SettingType<String>.word(of: Language.names).map { try? Language(named: $0) }, default: "en",
      "language of the instructions", decides: .presentation,
      applies: task.optionalKeys.contains("language"))
    try Job.readReportKeys(&keys, task.optionalKeys)
    keys.endSection()
    speeds = try SpeedInputs(&keys)
    keys.enter { [speeds] in try speeds.enter(in: &$0) }
    profile = try keys.setting(
      "profile", .path, otherwise: "the stock profile of the transportType",
      "stock profile (\(Profile.stockNames.joined(separator: ", "))) or profile file, complete or with a base",
      example: "wheelchair", as: "profile_file", decides: .presentation)
    pace = try keys.setting(
      "pace", .number(of: "km/h", atLeast: 0.5, atMost: 20), otherwise: "the profile's pace",
      "walking speed on level ground in km/h; scaled on slopes, stairs and rough surfaces", example: 4,
      isAlwaysEntered: false)
    elevation = try keys.setting(
      "elevation", .path, otherwise: "none: slopes only from incline=*",
      "DEM: a raster or folder of tiles that GDAL reads, or HGT files (N49E008.hgt), which do not need GDAL",
      example: "elevation.tif")
    departure = try keys.setting(
      "departureDate", .date, otherwise: "none: conditional tags are ignored",
      "departure time of trips; decides which turns, streets and ferries are open",
      example: "2026-11-20T08:00:00+02:00")
    arrival = try keys.setting(
      "arrivalDate", .date, otherwise: "none",
      "arrival time of trips, instead of departureDate; areas need direction: \"to\"",
      example: "2026-11-20T09:00:00+02:00")
    hours = try HoursTask(&keys)
    transit = try TransitTask.read(&keys, task.optionalKeys)
    if let transit { try task.check(keys, with: transit) }
    waitLimit = try keys.setting(
      "waitLimit", .number(of: "minutes", atLeast: 0, atMost: Directions.Options.largestWaitLimit / 60), default: 60,
      "longest wait for a closed street in minutes; ferries and trains are exempt",
      isAlwaysEntered: !kind.task.keysWithoutEffect.contains("waitLimit"))
    holidays = try keys.setting(
      "holidays",
      SettingType<[String]>.strings.map(name: "list of dates", expected: "a list of days, e.g. 2026-12-25") { list in
        let days = list.compactMap { CalendarDay($0) }
        return days.count == list.count ? Holidays(days) : nil
      }, otherwise: "none", "public holidays, for opening hours and conditions with PH",
      example: ["2026-12-25", "2026-12-26"])
    avoids = Profile.Avoidance(
      tolls: try keys.setting(
        "tollPreference", .choice, default: "any",
        "avoid: use toll roads only to reach places that cannot be reached otherwise"),
      highways: try keys.setting(
        "highwayPreference", .choice, default: "any",
        "avoid: use motorways only to reach places that cannot be reached otherwise"))
    snapLimit = try keys.setting(
      "snapLimit", Directions.Options.snapLimitType, default: 1000,
      "maximum metres from a place to its street; beyond it the status is placemark_not_found")
    snapLegs = try keys.value(
      "snapLegs", .bool, otherwise: "true on foot, else false",
      "include the straight line between a place and its street in time, distance and shape", example: true)
    let coverage = try keys.value(
      "coverage", .path, otherwise: "none",
      "GeoJSON MultiPolygon; trips with an end outside it have status outside_coverage", example: "coverage.geojson")
    self.coverage = coverage
    keys.enter { try $0.setFile("coverage", coverage ?? "") }
    keep = try keys.value(
      "keep", .wholeNumber(of: "results", 1...10_000), otherwise: "all",
      "number of finished results to keep, the newest ones, if output contains {date}", example: 14)
    updatesIndex = try keys.value(
      .init("index", .bool, default: false, "write index.html, a page of all runs in the folder above the output"))
    sentinels = try keys.value(
      "sentinels", .path, otherwise: "none",
      "CSV of pairs with min_seconds, max_seconds, min_metres, max_metres; checked first; exit code 6 on failure",
      example: "sentinels.csv")
    minimumShare = try keys.value(
      "minimumShare", .share, otherwise: "at least one row",
      "minimum share of ok rows; a run with a smaller share finishes with exit code 7", example: 0.95)
    duplicates = try keys.setting(
      "duplicates", .choice, default: "reject",
      "handling of rows with duplicate ids: reject them, or number them: a, a#2, a#3", isAlwaysEntered: false)
    verify = try keys.value(
      "verify", .wholeNumber(of: "rows", 1...1_000_000), otherwise: "none",
      "number of random rows to recompute by plain Dijkstra at the end; sums are checked, too", example: 1000)
    memory = try keys.value(
      "memory",
      SettingType<String>.text.map(
        name: "size", expected: "a size in MB, GB, MiB or GiB, e.g. \"500 MB\"", MemoryLimit.bytes),
      otherwise: "the machine's memory", "memory limit; a job that does not fit is refused", example: "4 GB")
    entries = keys.identity
    if departure != nil && arrival != nil {
      throw keys.error("arrivalDate", "a trip has a departureDate or an arrivalDate, not both")
    }
  }

  /// Reads the title, noun and units of the report, which are stored only in table `job`.
  private static func readReportKeys(_ keys: inout KeyReader, _ optionalKeys: Set<String>) throws {
    _ = try keys.setting(
      "title", .text, otherwise: "from the kind", "title of the report", example: "Who reaches a hospital?",
      decides: .presentation, isAlwaysEntered: false)
    // Kinds that do not use a key reject it.
    if optionalKeys.contains("noun") {
      _ = try keys.setting(
        "noun", .text, otherwise: "stations; places for isochrones",
        "plural noun for the stations or places in the report", example: "hospitals",
        decides: .presentation, isAlwaysEntered: false)
    }
    if optionalKeys.contains("unit") {
      _ = try keys.setting(
        "unit", .words, otherwise: "the columns' names", "units of weights, by column",
        example: .object(["population": .text("residents")], keyLines: [:]), decides: .presentation,
        isAlwaysEntered: false)
    }
  }

  /// The job's identity, from the values of its keys. *Throws*: `OdometerError` if a file cannot be read.
  package var identity: Entries<IdentityKey> {
    get throws { try entries.reduce(into: Entries()) { identity, enter in try enter(&identity) } }
  }

  /// Returns the job's profile, with its pace, elevation and avoidances.
  func loadProfile() throws -> Profile {
    if let networkProfile { return try checked(networkProfile) }
    let profile = try self.profile.map { try Profile.named($0) } ?? .stock(transportType)
    guard profile.transportType == transportType else {
      throw .settings(
        file: file,
        problem: "profile: \(profile.name) is for transportType \(profile.transportType.rawValue), "
          + "but the job's is \(transportType.rawValue)")
    }
    let paced = try paced(profile)
    return try (elevation.map { try paced.on(Elevation(path: $0)) } ?? paced).avoiding(avoids)
  }

  private func paced(_ profile: Profile) throws -> Profile {
    guard let pace else { return profile }
    guard profile.hasPace else {
      throw .settings(file: file, problem: "pace: profile \(profile.name) has no usualPace, which pace requires")
    }
    return try profile.paced(pace)
  }

  /// The value of the key `transportType`.
  var transportName: String { transit == nil ? transportType.rawValue : Job.transitName }

  /// The departure or arrival in local time, for closures; nil without a date.
  var localTime: LocalTime? { (departure ?? arrival).map(localTime) }

  /// Converts an instant to the job's local time.
  private func localTime(_ moment: Timestamp) -> LocalTime { onClock(moment).localTime(holidays ?? .none) }

  /// Converts an instant to the job's clock.
  private func onClock(_ moment: Timestamp) -> Timestamp { clock.map { moment.onClock($0) } ?? moment }

  /// The departure or arrival on the job's clock; nil without a date.
  var tripTime: TripTime? { departure.map { tripTime($0) } ?? arrival.map { tripTime($0, isArrival: true) } }

  /// The times of trips without a time of their own: the job's hours, or else its date; a single nil in free flow.
  var tripTimes: [TripTime?] { departures?.times ?? [tripTime] }

  /// Returns the time of a row's trip: the row's own, or else the job's hour, or else the job's date; nil in free flow.
  func tripTime(of own: PairTable.RowTime?, atHour hour: Int?) -> TripTime? {
    own.map { tripTime($0.moment, isArrival: $0.isArrival) } ?? hour.flatMap { departures?.hours[$0].time } ?? tripTime
  }

  /// Returns the time of a trip that departs or arrives at an instant.
  func tripTime(_ moment: Timestamp, isArrival: Bool = false) -> TripTime {
    TripTime(onClock(moment), holidays: holidays ?? .none, isArrival: isArrival)
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

struct JobText: Sendable, CustomStringConvertible {
  let bytes: [UInt8]
  /// Omits the text, since jobs with different texts may be equal.
  var description: String { "…" }
}

extension SettingType<Timestamp> {
  fileprivate static var date: SettingType {
    SettingType<String>.text.map(name: "date", expected: Timestamp.allowed) { Timestamp($0) }
  }
}

/// Jobs whose map is a network file: settings fixed by the build may be repeated, but not changed.
extension Job {
  /// *Throws*: `OdometerError` if a key contradicts the network file.
  func checkNetworkFile(_ keys: KeyReader) throws {
    guard let networkProfile else { return }
    guard networkProfile.transportType == transportType else {
      throw keys.error(
        "transportType",
        "got \(transportType.rawValue), but the map \(map) is a network file for "
          + "\(networkProfile.transportType.rawValue)")
    }
    for key in ["pace", "elevation"] where keys.has(key) {
      throw keys.error(
        key,
        "the map \(map) is a network file, which contains its speeds; leave the key out, or set map to the extract")
    }
    for (key, avoidance) in [("tollPreference", Profile.Avoidance.tolls), ("highwayPreference", .highways)]
    where avoids.contains(avoidance) != networkProfile.avoids.contains(avoidance) {
      throw keys.error(
        key,
        "the map \(map) is a network file that avoids \(networkProfile.avoids.words), but the job avoids "
          + "\(avoids.words); set map to a network file that was built that way, or to the extract")
    }
  }

  /// Returns the profile of the network file. *Throws*: `OdometerError` if the job names a different one.
  private func checked(_ networkProfile: Profile) throws -> Profile {
    guard let profile, try Profile.named(profile).text != networkProfile.text else { return networkProfile }
    throw .settings(
      file: file,
      problem:
        "profile: the map \(map) is a network file that was built with another profile, \(networkProfile.name); "
        + "leave the key out, or set map to the extract")
  }
}

extension Job {
  /// Creates the job of a run from its record. *Throws*: `OdometerError`; `ResultsError` if the record has no job file.
  ///
  /// - Parameter files: New paths of the map and profile; nil to use the job file's.
  package init(
    of record: JobRecord, in path: String, output: String? = nil, at files: LocatedFiles? = nil
  ) throws {
    guard let text = record.run[.jobText], let name = record.run[.jobFile] else {
      throw ResultsError(
        path: path, problem: "its table job has no job_text: an older version wrote these results", cause: .input)
    }
    let settings = try SettingsFile(name: name, bytes: Data(text.utf8))
    try self.init(files?.settings(of: record, name).patching(settings) ?? settings, output: output)
    writesLinks = record.identity.flag(.links) ?? false
    // Older versions had no limit on waits.
    if record.identity[.waitLimit] == nil { waitLimit = Directions.Options.largestWaitLimit / 60 }
  }

  /// Creates the job of finished results, with its hours. *Throws*: `OdometerError`, `ResultsError`.
  init(of database: ResultsDatabase, on network: StreetNetwork) throws {
    let record = database.record
    self = try Job(of: record, in: database.path, output: database.path.folder, at: LocatedFiles())
      .resolved(on: network, now: record.started ?? Date())
  }

  /// Creates the job whose shards are merged. *Throws*: `OdometerError`.
  package init(of shards: ShardSet, output: String? = nil) throws {
    let name = shards.header.record.run[.jobFile] ?? "the shards' job file"
    try self.init(SettingsFile(name: name, bytes: Data(shards.header.jobText)), output: output)
    writesLinks = shards.header.writesLinks
  }
}

/// New paths of a run's map and profile, if they have moved; otherwise they are found through the run's record.
package struct LocatedFiles: Sendable {
  package var map: String?
  package var profile: String?
  package init(map: String? = nil, profile: String? = nil) { (self.map, self.profile) = (map, profile) }

  /// Returns keys that replace those of the job file: the current paths of the run's files, and the transport mode.
  fileprivate func settings(of record: JobRecord, _ name: String) throws -> SettingsFile {
    let identity = record.identity
    var keys: [String: Any] = [:]
    keys["map"] = map ?? (identity.text(.networkFile) ?? identity.text(.map)).map(record.located)
    keys["transportType"] = identity.text(.transportType)
    keys["profile"] =
      profile ?? identity.text(.profileFile).map { Profile.stockNames.contains($0) ? $0 : record.located($0) }
    keys["elevation"] = identity.text(.elevation).map(record.located)
    let feeds = identity.list(IdentityKey("gtfs"))
    if !feeds.isEmpty { keys["gtfs"] = feeds.map(record.located) }
    return try SettingsFile(name: name, bytes: JSONSerialization.data(withJSONObject: keys))
  }
}

extension JobRecord {
  /// Returns the path of a file of the run: in the run's working folder if the file exists there, else as recorded.
  func located(_ file: String) -> String {
    guard !file.hasPrefix("/"), let folder = run[.workingFolder] else { return file }
    let path = (folder as NSString).appendingPathComponent(file)
    return FileManager.default.fileExists(atPath: path) ? path : file
  }
}

extension SettingType<[String]> {
  /// An object with strings, as a list of alternating names and values, sorted by name.
  fileprivate static var words: SettingType {
    SettingType<Setting>.any(
      "words by name", expected: "an object with strings, e.g. { population: \"residents\" }"
    ).map {
      guard case .object(let values, _) = $0 else { return nil }
      let words = values.sorted { $0.key < $1.key }.map { name, value -> [String] in
        if case .text(let text) = value, !text.isEmpty { [name, text] } else { [] }
      }
      return words.contains([]) ? nil : words.flatMap(\.self)
    }
  }
}
