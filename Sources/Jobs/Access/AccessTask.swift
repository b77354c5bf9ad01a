import Geography
import Results
import Settings

/// What a job of kind `access` asks for in addition to what all jobs do.
struct AccessTask: JobTask {
  /// A list of places.
  var origins: String
  /// A list of places, a GTFS zip, or `osm:` and the tags of objects of the map.
  var stations: String
  /// The origins' columns of ids and weights.
  var columns: PlaceKeys
  /// How many stations to find for each origin.
  var nearest: Int
  var reach: ReachTask
  /// The longest trip that is looked for, in milliseconds; nil for any.
  var limit: UInt32?
  /// Of lines that count; nil for all.
  var routeTypes: Set<RouteType>?
  /// Whether stops of a timetable that no trip serves count, too.
  var unservedStops: Bool
  /// How many metres apart stops of one name may be that are one station; nil where the input says what a station is.
  var joinStops: Double?
  /// Which stops count, by whether wheelchairs can board there.
  var wheelchairBoarding: WheelchairBoarding
  /// Whether the route to the nearest station is wanted, with steps and shape.
  var hasRoutes: Bool

  enum Keys {
    static let origins = PlaceListKeys.origins
    static let stations = SettingKey(
      "stations",
      SettingType<String>.text.map(
        expected: "a file, or tags of the map, e.g. \"osm:railway=station,subway_entrance\""
      ) { $0.hasPrefix("osm:") && StationTable.query($0) == nil ? nil : $0 },
      "a GTFS zip, a list of places, or tags of the map itself", example: "osm:railway=station,subway_entrance")
    static let nearest = SettingKey(
      "nearest", .wholeNumber(of: "stations", 1...100), default: 3, "how many stations to find for each origin")
    static let direction = ReachTask.Keys.toStations
    static let limit = SettingKey<UInt32?>(
      "limit",
      SettingType<Double>.number(of: "minutes", over: 0, atMost: ReachTask.mostMinutes).map {
        UInt32(($0 * 60_000).rounded())
      },
      otherwise: "none", "minutes of the longest trip that is looked for; at least the last of thresholds", example: 30)
    static let routeTypes = SettingKey<Set<RouteType>?>(
      "routeTypes", RouteType.listType, otherwise: "all", "of a GTFS zip, only stops of lines of these types",
      example: ["metro", "rail"])
    static let unservedStops = SettingKey(
      "unservedStops", .bool, default: false, "keep stops of a GTFS zip that no trip serves")
    static let joinStops = SettingKey<Double?>(
      "joinStops", .number(of: "metres", over: 0, atMost: 1000), otherwise: "none are joined",
      "metres within which stops of one name without a parent_station are one station", example: 150)
    static let wheelchairBoarding = SettingKey<WheelchairBoarding>(
      "wheelchairBoarding", .choice, default: "any",
      "stops that count by wheelchair_boarding: any; possible, unless it says no; known, where it says yes")
    static let routes = SettingKey(
      "routes", .bool, default: false,
      "whether to write the route to each origin's nearest station, with steps and shape")
  }

  static func summary(of kind: JobKind) -> String {
    "the stations nearest to each origin, and what each station and line serves"
  }

  static func keys(of kind: JobKind) -> [SettingDescription] {
    [Keys.origins.description] + PlaceListKeys.columns + [
      Keys.stations.description, Keys.nearest.description,
      ReachTask.Keys.thresholds.description, Keys.limit.description, Keys.direction.description,
      Keys.routeTypes.description, Keys.unservedStops.description,
      Keys.joinStops.description, Keys.wheelchairBoarding.description,
      Keys.routes.description,
      Job.Keys.language.description,
    ]
  }

  init(_ root: SettingsObject, of kind: JobKind) throws {
    origins = try root.value(of: Keys.origins)
    stations = try root.value(of: Keys.stations)
    columns = try PlaceListKeys.keys(root, countsAll: true)
    nearest = try root.value(of: Keys.nearest)
    reach = try ReachTask(root, direction: Keys.direction)
    limit = try root.value(of: Keys.limit)
    if let limit, let last = reach.thresholds.last, limit < UInt32(last) * 1000 {
      let (got, least) = (Double(limit) / 60_000, Double(last) / 60)
      throw root.error(
        Keys.limit,
        "got \(Setting.text(of: got)) minutes, expected at least \(Setting.text(of: least)), the last of thresholds"
          + (root.has(ReachTask.Keys.thresholds)
            ? "" : ", by default \(ReachTask.Keys.thresholds.description.defaultText ?? "none")"))
    }
    routeTypes = try root.value(of: Keys.routeTypes)
    unservedStops = try root.value(of: Keys.unservedStops)
    if unservedStops, routeTypes != nil {
      throw root.error(
        Keys.unservedStops, "routeTypes counts stops by the lines that serve them; leave out one of the two")
    }
    joinStops = try root.value(of: Keys.joinStops)
    wheelchairBoarding = try root.value(of: Keys.wheelchairBoarding)
    hasRoutes = try root.value(of: Keys.routes)
  }

  var files: [String] { [origins, stations] }
  var unit: String { "origins" }
  func unit(of job: Job) -> String { job.hours.count > 1 ? "origins at hours" : unit }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    [folder.access] + (hasRoutes ? [folder.routes] : [])
  }

  var identity: Entries<IdentityKey> {
    var identity = Entries<IdentityKey>()
    identity.setFile(.origins, .originsSHA256, origins)
    identity.setFile(.stations, .stationsSHA256, stations)
    identity.set(.nearest, nearest)
    identity.merge(columns.identity)
    identity.set(.limit, milliseconds: limit)
    identity.set(.routeTypes, RouteType.allCases.filter { routeTypes?.contains($0) == true }.map(\.name))
    if unservedStops { identity.set(.unservedStops, unservedStops) }
    if let joinStops { identity.set(.joinStops, joinStops) }
    if wheelchairBoarding != .any { identity[.wheelchairBoarding] = wheelchairBoarding.rawValue }
    identity.set(.routes, hasRoutes)
    identity.merge(reach.identity)
    return identity
  }

  func read(for job: Job, area: BoundingBox) throws -> any JobInput {
    try AccessInput(self, hours: job.hours.count, map: job.map, area: area, duplicates: job.duplicates)
  }
}
