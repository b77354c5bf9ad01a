import Geography
import Input
import Settings
import Tables
import TransitNetwork

/// The settings of kind `access`.
struct AccessTask: JobTask {
  /// A list of places.
  var origins: String
  /// A list of places, a GTFS zip, or `osm:` followed by the tags of objects in the map.
  var stations: String
  /// The id and weight columns of the origins.
  var columns: PlaceKeys
  /// The number of stations per origin.
  var nearest: Int
  var reach: ReachTask
  /// The maximum time of a trip in milliseconds; nil for no limit.
  var limit: UInt32?
  /// The line types to use; nil for all.
  var routeTypes: Set<RouteType>?
  /// Whether to use stops that no trip of the timetable serves.
  var unservedStops: Bool
  /// The distance in metres within which stops with the same name are joined into one station; nil for none.
  var joinStops: Double?
  /// The stops to use, by wheelchair access.
  var wheelchairBoarding: WheelchairBoarding
  /// Whether to write the route to the nearest station, with steps and shape.
  var hasRoutes: Bool

  static func summary(of kind: JobKind) -> String {
    "the stations nearest to each origin, and the catchments of stations and lines"
  }

  static func results(of kind: JobKind) -> any KindResults.Type { AccessResults.self }

  init(_ keys: inout KeyReader) throws {
    origins = try keys.origins()
    columns = try keys.placeColumns(countsAll: true)
    stations = try keys.file(
      .init(
        "stations",
        SettingType<String>.text.map(
          expected: "a file, or map tags, e.g. \"osm:railway=station,subway_entrance\""
        ) { $0.hasPrefix("osm:") && StationTable.query($0) == nil ? nil : $0 },
        "GTFS zip, list of places, or tags of map objects", example: "osm:railway=station,subway_entrance"))
    nearest = try keys.setting(
      "nearest", .wholeNumber(of: "stations", 1...100), default: 3, "number of stations to find for each origin")
    let thresholds = try keys.thresholds()
    let limit =
      try keys.value(
        KeyReader.limit("longest trip in minutes; at least the last of thresholds", "none; 120 with transit"))
      ?? (keys.isTransit ? TransitRules.defaultLimit : nil)
    self.limit = limit
    keys.enter { $0.set(.limit, milliseconds: limit) }
    if let limit, let last = thresholds.last, limit < UInt32(last) * 1000 {
      let (minutes, minimum) = (Double(limit) / 60_000, Double(last) / 60)
      throw keys.error(
        "limit",
        "got \(Setting.text(of: minutes)) minutes, expected at least \(Setting.text(of: minimum)), "
          + "the last of thresholds"
          + (keys.has("thresholds") ? "" : ", by default \(KeyReader.thresholds.description.defaultText ?? "none")"))
    }
    let direction = try keys.direction("to", "direction of trips: to the stations or from them")
    reach = ReachTask(thresholds: thresholds, direction: direction)
    routeTypes = try keys.setting(
      "routeTypes", RouteType.listType, otherwise: "all", "stops to use from a GTFS zip, by line type",
      example: ["metro", "rail"])
    unservedStops = try keys.setting(
      "unservedStops", .bool, default: false, "keep stops of a GTFS zip that no trip serves", isAlwaysEntered: false)
    if unservedStops, routeTypes != nil {
      throw keys.error(
        "unservedStops", "routeTypes selects stops by the lines that serve them; leave out one of the two")
    }
    joinStops = try keys.setting(
      "joinStops", .number(of: "metres", over: 0, atMost: 1000), otherwise: "none are joined",
      "metres within which stops with the same name and no parent_station form one station", example: 150,
      isAlwaysEntered: false)
    wheelchairBoarding = try keys.setting(
      "wheelchairBoarding", .choice, default: "any",
      "stations (and vehicles) to use, by wheelchair access: any; possible (all but 2); known (only 1)",
      isAlwaysEntered: false)
    hasRoutes = try keys.setting(
      "routes", .bool, default: false, "write the route to each origin's nearest station, with steps and shape",
      decides: .presentation)
    if keys.isTransit {
      if hasRoutes { throw keys.error("routes", "kind access computes only times for transit; leave out this key") }
      if direction == .fromTargets {
        throw keys.error("direction", "transit trips are computed only to the stations; use \"to\"")
      }
    }
  }

  var optionalKeys: Set<String> { ["language", "noun", "unit"] }
  var hasTrips: Bool { hasRoutes }
  var files: [String] { [origins, stations] }
  func unit(of job: Job) -> String { job.hours.percentiles != nil || job.hours.count > 1 ? "rows" : "origins" }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    [folder.access] + (hasRoutes ? [folder.routes] : [])
  }
}
