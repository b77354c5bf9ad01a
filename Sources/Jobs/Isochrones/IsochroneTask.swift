import Settings

/// What a job of kind `isochrones` asks for in addition to what all jobs do.
package struct IsochroneTask: Sendable {
  /// A list of places.
  package var origins: String
  package var reach: ReachTask
  /// Whether each area is without the one of the threshold before: rings; else each holds the one before.
  package var hasBands: Bool
  /// How far an area reaches around the streets in it, in metres.
  package var buffer: Double
  /// Whether the stretches of streets themselves are wanted.
  package var hasStreets: Bool

  package enum Keys {
    package static let origins = PlaceListKeys.origins
    package static let direction = ReachTask.Keys.fromPlaces
    package static let bands = SettingKey(
      "bands", .bool, default: false, "whether areas are rings, each without the area before; else each holds it")
    package static let buffer = SettingKey(
      "buffer", .number(of: "metres", over: 0, atMost: 1000), default: 30,
      "metres that an area reaches around its streets")
    package static let streets = SettingKey(
      "streets", .bool, default: false, "whether to write the reached parts of streets, too, cut where the time is up")
  }

  init(_ root: SettingsObject) throws {
    origins = try root.value(of: Keys.origins)
    reach = try ReachTask(root, direction: Keys.direction)
    hasBands = try root.value(of: Keys.bands)
    buffer = try root.value(of: Keys.buffer)
    hasStreets = try root.value(of: Keys.streets)
  }

  /// For table `job`.
  package var facts: [(String, String)] {
    [
      ("origins", origins), ("bands", String(hasBands)), ("buffer", String(buffer)), ("streets", String(hasStreets)),
    ] + reach.facts
  }
}
