import Geography
import Settings
import Tables

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

  static func summary(of kind: JobKind) -> String {
    "the stations nearest to each origin, and what each station and line serves"
  }

  init(_ keys: inout KeyReader) throws {
    origins = try keys.origins()
    columns = try keys.placeColumns(countsAll: true)
    stations = try keys.file(
      .init(
        "stations",
        SettingType<String>.text.map(
          expected: "a file, or tags of the map, e.g. \"osm:railway=station,subway_entrance\""
        ) { $0.hasPrefix("osm:") && StationTable.query($0) == nil ? nil : $0 },
        "a GTFS zip, a list of places, or tags of the map itself", example: "osm:railway=station,subway_entrance"))
    nearest = try keys.setting(
      .init(
        "nearest", .wholeNumber(of: "stations", 1...100), default: 3, "how many stations to find for each origin"))
    let thresholds = try keys.thresholds()
    let limit =
      try keys.value(
        KeyReader.limit(
          "minutes of the longest trip that is looked for; at least the last of thresholds", "none; 120 with transit"))
      ?? (keys.isTransit ? TransitTask.usualLimit : nil)
    self.limit = limit
    keys.enter { $0.set(.limit, milliseconds: limit) }
    if let limit, let last = thresholds.last, limit < UInt32(last) * 1000 {
      let (got, least) = (Double(limit) / 60_000, Double(last) / 60)
      throw keys.error(
        "limit",
        "got \(Setting.text(of: got)) minutes, expected at least \(Setting.text(of: least)), the last of thresholds"
          + (keys.has("thresholds") ? "" : ", by default \(KeyReader.thresholds.description.defaultText ?? "none")"))
    }
    let direction = try keys.direction("to", "whether trips lead to the stations or from them")
    reach = ReachTask(thresholds: thresholds, direction: direction)
    routeTypes = try keys.setting(
      .init(
        "routeTypes", RouteType.listType, otherwise: "all", "of a GTFS zip, only stops of lines of these types",
        example: ["metro", "rail"]))
    unservedStops = try keys.setting(
      .init(
        "unservedStops", .bool, default: false, "keep stops of a GTFS zip that no trip serves"), isAlwaysEntered: false)
    if unservedStops, routeTypes != nil {
      throw keys.error(
        "unservedStops", "routeTypes counts stops by the lines that serve them; leave out one of the two")
    }
    joinStops = try keys.setting(
      .init(
        "joinStops", .number(of: "metres", over: 0, atMost: 1000), otherwise: "none are joined",
        "metres within which stops of one name without a parent_station are one station", example: 150),
      isAlwaysEntered: false)
    wheelchairBoarding = try keys.setting(
      .init(
        "wheelchairBoarding", .choice, default: "any",
        "stops that count by wheelchair_boarding: any; possible, unless it says no; known, where it says yes"),
      isAlwaysEntered: false)
    hasRoutes = try keys.setting(
      .init(
        "routes", .bool, default: false,
        "whether to write the route to each origin's nearest station, with steps and shape"))
    if keys.isTransit {
      if hasRoutes { throw keys.error("routes", "transit has times alone; leave it out") }
      if direction == .fromTargets {
        throw keys.error("direction", "transit trips are computed by departure, to the stations; use \"to\"")
      }
    }
  }

  var files: [String] { [origins, stations] }
  var unit: String { "origins" }
  func unit(of job: Job) -> String {
    job.hours.percentiles != nil ? "origins at percentiles" : job.hours.count > 1 ? "origins at hours" : unit
  }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    [folder.access] + (hasRoutes ? [folder.routes] : [])
  }

  func read(for job: Job, area: BoundingBox) throws -> any JobInput {
    try AccessInput(self, hours: job.hours.count, map: job.map, area: area, duplicates: job.duplicates)
  }
}
