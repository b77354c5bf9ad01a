import StreetNetwork

/// Files that say how slow streets are, where no job file names them.
package struct SpeedInputs: Sendable {
  private var task = SpeedsTask()

  package init(files: [String], traffic: String?) {
    task.inputs = files.map { SpeedInput(file: $0) }
    task.traffic = traffic
  }

  package var isEmpty: Bool { task.isEmpty }

  /// The speeds of a network's streets: opened where they were made before, else read and kept.
  ///
  /// - Throws: `InputError`, `SettingsError`, `SpeedError`, `CacheError`.
  package func speeds(on network: StreetNetwork) throws -> StreetSpeeds {
    try task.speeds(on: network, week: nil).speeds
  }
}
