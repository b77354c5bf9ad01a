import Hierarchy
import Results
import Settings
import StreetNetwork

/// What a job of kind `access` asks for beside what all jobs do.
package struct AccessTask: Sendable {
  /// A list of places.
  package var origins: String
  /// A list of places, a GTFS zip, or `osm:` and the tags of objects of the map.
  package var stations: String
  /// What of origins' columns is counted; nil for all that are numbers.
  package var weights: [String]?
  /// How many stations to find for each origin.
  package var nearest: Int
  package var reach: ReachTask
  /// The longest trip that is looked for, in milliseconds; nil for any.
  package var limit: UInt32?
  /// Of lines that count; nil for all.
  package var routeTypes: Set<RouteType>?
  /// Whether the way to the nearest station is wanted, with steps and shape.
  package var hasRoutes: Bool

  init(_ root: SettingsObject) throws {
    origins = try root.string("origins")
    stations = try root.string("stations")
    if stations.hasPrefix("osm:"), StationTable.query(stations) == nil {
      throw root.error(
        "stations", "found \"\(stations)\", allowed: a file, or tags as \"osm:railway=station,subway_entrance\"")
    }
    weights = root.has("weights") ? try root.strings("weights") : nil
    let most = 100.0
    let count = try root.optionalNumber("nearest", over: 0, atMost: most, unit: "a whole number") ?? 3
    guard count == count.rounded() else { throw root.error("nearest", "found \(count), allowed: a whole number") }
    nearest = Int(count)
    reach = try ReachTask(root, direction: "to")
    let minutes = try root.optionalNumber("limit", over: 0, atMost: ReachTask.mostMinutes, unit: "a number of minutes")
    limit = minutes.map { UInt32(($0 * 60_000).rounded()) }
    if let limit, let last = reach.thresholds.last, limit < UInt32(last) * 1000 {
      throw root.error("limit", "it is less than the last of thresholds")
    }
    if root.has("routeTypes") {
      let allowed = RouteType.allCases.map { "\($0)" }.joined(separator: ", ")
      routeTypes = Set(
        try root.strings("routeTypes").map { name in
          guard let type = RouteType(name: name) else {
            throw root.error("routeTypes", "found \"\(name)\", allowed: a list of \(allowed)")
          }
          return type
        })
    }
    hasRoutes = try root.optionalBool("routes") ?? false
  }

  /// For table `job`.
  var facts: [(String, String)] {
    let types = RouteType.allCases.filter { routeTypes?.contains($0) == true }
    return [
      ("origins", origins), ("stations", stations), ("nearest", String(nearest)),
      ("weights", weights?.joined(separator: ",") ?? ""), ("limit", limit.map { String($0 / 1000) } ?? ""),
      ("route_types", types.map { "\($0)" }.joined(separator: ",")), ("routes", String(hasRoutes)),
    ] + reach.facts
  }
}

/// What jobs about reach within times ask for.
package struct ReachTask: Sendable {
  /// Seconds, ascending.
  package var thresholds: [Int]
  /// Whether trips lead to the places that are asked about (stations; centres of isochrones), or from them.
  package var direction: NearestTable.Direction

  static let mostMinutes = 1440.0

  init(_ root: SettingsObject, direction usual: String) throws {
    let minutes =
      try root.optionalNumbers("thresholds", over: 0, atMost: ReachTask.mostMinutes, unit: "minutes") ?? [5, 10, 15]
    thresholds = Set(minutes.map { max(1, Int(($0 * 60).rounded())) }).sorted()
    let word = try root.optionalChoice("direction", of: ["to", "from"]) ?? usual
    direction = word == "to" ? .toTargets : .fromTargets
  }

  var facts: [(String, String)] {
    [
      ("thresholds", thresholds.map(String.init).joined(separator: ",")),
      ("direction", direction == .toTargets ? "to" : "from"),
    ]
  }
}
