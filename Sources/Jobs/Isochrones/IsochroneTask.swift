import Geography
import Input
import Settings
import Tables

/// The settings of kind `isochrones`.
struct IsochroneTask: JobTask {
  /// A list of places.
  var origins: String
  /// Its columns of ids and weights.
  var columns: PlaceKeys
  var reach: ReachTask
  /// Whether areas are rings, without the area of the previous threshold; else each contains the previous one.
  var hasBands: Bool
  /// The width of an area around its streets, in metres.
  var buffer: Double
  /// Gaps and holes narrower than twice as many metres are closed.
  var smooth: Double
  /// Whether to write the reached parts of streets.
  var hasStreets: Bool

  static func summary(of kind: JobKind) -> String { "the areas within given travel times of places" }

  init(_ keys: inout KeyReader) throws {
    origins = try keys.origins()
    columns = try keys.placeColumns(countsAll: false)
    reach = try ReachTask(
      thresholds: keys.thresholds(),
      direction: keys.direction("from", "direction of trips: from the places or to them"))
    hasBands = try keys.setting("bands", .bool, default: false, "write rings: each area excludes the smaller ones")
    buffer = try keys.setting(
      "buffer", .number(of: "metres", over: 0, atMost: 1000), default: 30,
      "buffer radius around the reached streets, in metres")
    smooth = try keys.setting(
      "smooth", .number(of: "metres", atLeast: 0, atMost: 1000), default: 0,
      "smoothing radius in metres: fills gaps and holes less than twice as wide, so areas are simpler and larger",
      isAlwaysEntered: false)
    hasStreets = try keys.setting(
      "streets", .bool, default: false, "also write the reached parts of streets, cut at the threshold")
  }

  var files: [String] { [origins] }
  var unit: String { JobKind.isochrones.rawValue }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    [folder.isochrones] + (hasStreets ? [folder.reachedStreets] : [])
  }

  func read(for job: Job, in context: JobContext?) throws -> any JobInput {
    var table = try PlaceTable(
      path: origins, role: .origin, area: context.area, keys: columns, duplicates: job.duplicates)
    if !table.places.allSatisfy(\.id.isNumber) { table.useTextIDs() }
    return IsochroneInput(task: self, table: table)
  }
}

/// The places of a job of kind `isochrones`.
private struct IsochroneInput: JobInput {
  let task: IsochroneTask
  let table: PlaceTable

  var rejected: [RejectedRow] { table.rejected }
  var notes: [String] { table.notes }
  var weightColumns: [WeightOwner: String] { [.origin: table.weightColumn].compactMapValues(\.self) }

  var summary: String {
    let minutes = task.reach.thresholds.map { seconds in
      seconds % 60 == 0 ? String(seconds / 60) : String(Double(seconds) / 60)
    }
    return """
      \(task.origins): \(table.places.count.counted("place")) (\(table.columns)), \(table.rejected.count.counted("row")) to be rejected
      \(table.places.count * minutes.count) areas: within \(minutes.joined(separator: ", ")) minutes of each
      """
  }

  func prepare(in context: JobContext) throws -> any PreparedJob { try IsochroneJob(task, table.places, in: context) }
}
