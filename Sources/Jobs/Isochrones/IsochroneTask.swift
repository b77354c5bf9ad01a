import Geography
import Results
import Settings

/// What a job of kind `isochrones` asks for in addition to what all jobs do.
struct IsochroneTask: JobTask {
  /// A list of places.
  var origins: String
  /// Its columns of ids and weights.
  var columns: PlaceKeys
  var reach: ReachTask
  /// Whether each area is without the one of the threshold before: rings; else each holds the one before.
  var hasBands: Bool
  /// How far an area reaches around the streets in it, in metres.
  var buffer: Double
  /// Gaps and holes narrower than twice as many metres are closed.
  var smooth: Double
  /// Whether the parts of streets that are reached are wanted.
  var hasStreets: Bool

  enum Keys {
    static let origins = PlaceListKeys.origins
    static let direction = ReachTask.Keys.fromPlaces
    static let bands = SettingKey(
      "bands", .bool, default: false, "whether areas are rings, each without the area before; else each holds it")
    static let buffer = SettingKey(
      "buffer", .number(of: "metres", over: 0, atMost: 1000), default: 30,
      "metres that an area reaches around its streets")
    static let smooth = SettingKey(
      "smooth", .number(of: "metres", atLeast: 0, atMost: 1000), default: 0,
      "closes gaps and holes narrower than twice as many metres: areas that are easier to read, and larger")
    static let streets = SettingKey(
      "streets", .bool, default: false, "whether to write the reached parts of streets, too, cut where the time is up")
  }

  static func summary(of kind: JobKind) -> String {
    "the areas within given travel times of places"
  }

  static func keys(of kind: JobKind) -> [SettingDescription] {
    [Keys.origins.description] + PlaceListKeys.columns + [
      ReachTask.Keys.thresholds.description, Keys.direction.description,
      Keys.bands.description, Keys.buffer.description, Keys.smooth.description, Keys.streets.description,
    ]
  }

  init(_ root: SettingsObject, of kind: JobKind) throws {
    origins = try root.value(of: Keys.origins)
    columns = try PlaceListKeys.keys(root, countsAll: false)
    reach = try ReachTask(root, direction: Keys.direction)
    hasBands = try root.value(of: Keys.bands)
    buffer = try root.value(of: Keys.buffer)
    smooth = try root.value(of: Keys.smooth)
    hasStreets = try root.value(of: Keys.streets)
  }

  var files: [String] { [origins] }
  var unit: String { JobKind.isochrones.rawValue }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    [folder.isochrones] + (hasStreets ? [folder.reachedStreets] : [])
  }

  var identity: Entries<IdentityKey> {
    var identity = Entries<IdentityKey>()
    identity.setFile(.origins, .originsSHA256, origins)
    identity.merge(columns.identity)
    identity.set(.bands, hasBands)
    identity.set(.buffer, buffer)
    if smooth > 0 { identity.set(.smooth, smooth) }
    identity.set(.streets, hasStreets)
    identity.merge(reach.identity)
    return identity
  }

  func read(for job: Job, area: BoundingBox) throws -> any JobInput {
    var table = try PlaceTable(path: origins, role: .origin, area: area, keys: columns, duplicates: job.duplicates)
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
      \(task.origins): \(table.places.count) places (\(table.columns)), \(table.rejected.count) rows to be rejected
      \(table.places.count * minutes.count) areas: within \(minutes.joined(separator: ", ")) minutes of each
      """
  }

  func prepare(in context: JobContext) throws -> any PreparedJob {
    try IsochroneJob(task, table.places, in: context)
  }
}
