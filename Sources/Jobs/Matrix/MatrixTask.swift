import Results
import Settings

/// What a job of kind `matrix` asks for in addition to what all jobs do.
package struct MatrixTask: Sendable {
  /// A list of places.
  package var origins: String
  /// Another one; the origins themselves if nil.
  package var destinations: String?
  /// Whether cells have distances as well as times.
  package var distances: Bool
  /// In what the cells are written, in the order of `Format`; empty where only a summary is wanted.
  package var formats: [MatrixWriter.Format]
  package var summary: SummaryTask?

  package enum Keys {
    package static let origins = PlaceListKeys.origins
    package static let destinations = SettingKey<String?>(
      "destinations", .text, otherwise: "the origins", "list of places, as origins", example: "destinations.csv")
    package static let distances = SettingKey(
      "distances", .bool, default: true, "whether cells have distances as well as times; without them it is faster")
    package static let format = SettingKey<[MatrixWriter.Format]?>(
      "format", .choices(), otherwise: "[\"sqlite\"], or none with a summary",
      "files of the cells: sqlite (rows of JSON in the database), npy (NumPy), csv (one row per cell, gzipped)",
      example: ["sqlite", "npy"])
    package static let summary = SettingKey<SummaryTask?>(
      "summary", SummaryTask.type, otherwise: "none",
      "what to keep of each origin's row: nearest, mean, within:SECONDS,… (how many destinations, and how much weight)",
      example: ["nearest", "within:600,900", "mean"])
  }

  init(_ root: SettingsObject) throws {
    origins = try root.value(of: Keys.origins)
    destinations = try root.value(of: Keys.destinations)
    distances = try root.value(of: Keys.distances)
    summary = try root.value(of: Keys.summary)
    let chosen = try root.value(of: Keys.format) ?? (summary == nil ? [.sqlite] : [])
    formats = MatrixWriter.Format.allCases.filter(chosen.contains)
    guard !formats.isEmpty || summary != nil else {
      throw root.error(Keys.format, "got an empty list and no summary: nothing would be written")
    }
  }
}
