import Geography
import Tables

/// The origins and stations of a job of kind `access`.
struct AccessInput: JobInput {
  private let task: AccessTask
  private let origins: PlaceTable
  private let stations: StationTable
  /// At how many the stations of each origin are found.
  private let hours: Int

  /// *Throws*: `InputError`, `MapError`.
  init(_ task: AccessTask, hours: Int, map: String, area: BoundingBox, duplicates: DuplicateRule) throws {
    (self.task, self.hours) = (task, hours)
    var origins = try PlaceTable(
      path: task.origins, role: .origin, area: area, keys: task.columns, duplicates: duplicates)
    var stations = try StationTable(
      task.stations, map: map, types: task.routeTypes, area: area, joining: task.joinStops,
      boarding: task.wheelchairBoarding, unserved: task.unservedStops, duplicates: duplicates)
    if !(origins.places.allSatisfy(\.id.isNumber) && stations.idsAreNumbers) {
      origins.useTextIDs()
      stations.useTextIDs()
    }
    self.stations = stations
    self.origins = origins
    guard !origins.weights.contains(where: { $0.name == AccessPlaces.originsMeasure }) else {
      throw InputError(
        file: task.origins,
        problem:
          "a column \(AccessPlaces.originsMeasure) cannot be counted, for the origins themselves are counted under that "
          + "name; rename it, or name the columns to count in weights")
    }
  }

  var rejected: [RejectedRow] { origins.rejected + stations.rejected }
  var notes: [String] { origins.notes + stations.notes }
  var weightColumns: [WeightOwner: String] { [.origin: origins.weightColumn].compactMapValues(\.self) }

  var summary: String {
    let joined = stations.joinedStops == 0 ? "" : ", \(stations.joinedStops) stops joined to others of their name"
    let entrances = stations.entrances.count { $0.place.role == .entrance }
    return """
      \(task.origins): \(origins.places.count) origins (\(origins.columns))
      \(task.stations): \(stations.stations.count) stations, \(entrances) entrances, \
      \(Set(stations.lines.joined()).count) lines\(joined)
      the nearest \(task.nearest) of each origin\(hours > 1 ? " at each of \(hours) hours" : ""), \(rejected.count) rows to be rejected
      """
  }

  func prepare(in context: JobContext) throws -> any PreparedJob {
    let ends = AccessJob.Ends(
      origins: try context.snap("origins", origins.places), stations: try context.snap("stations", stations.stations),
      entrances: try context.snap("entrances", stations.entrances.map(\.place)))
    let ownEntrances = zip(stations.entrances, ends.entrances).filter { $0.0.place.role == .entrance }
    let places = AccessPlaces(
      origins: Array(context.rows(of: origins.places, ends.origins)),
      stations: Array(context.rows(of: stations.stations, ends.stations)),
      entrances: Array(context.rows(of: ownEntrances.map(\.0.place), ownEntrances.map(\.1))),
      weights: origins.weights.map { ($0.name, $0.values) }, lines: stations.lines)
    let areas = origins.areas.backdrop(of: origins.places, class: PlaceRole.origin.rawValue)
    return try AccessJob(task, places, ends, stations.entrances, areas: areas, in: context)
  }
}
