import Settings
import StreetNetwork

/// What a job of kind `isochrones` asks for beside what all jobs do.
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

  init(_ root: SettingsObject) throws {
    origins = try root.string("origins")
    reach = try ReachTask(root, direction: "from")
    hasBands = try root.optionalBool("bands") ?? false
    buffer = try root.optionalNumber("buffer", over: 0, atMost: 1000, unit: "a number of metres") ?? 30
    hasStreets = try root.optionalBool("streets") ?? false
  }

  /// For table `job`.
  var facts: [(String, String)] {
    [
      ("origins", origins), ("bands", String(hasBands)), ("buffer", String(buffer)), ("streets", String(hasStreets)),
    ] + reach.facts
  }
}
