import Geography
import OpeningHours
import Settings
import StreetNetwork

/// The sources of speeds, as in a job's keys `speeds` and `traffic`: files of speeds, and a traffic table.
package struct SpeedInputs: Sendable {
  package let files: [SpeedInput]
  /// A file, or the name of a stock table.
  package let traffic: String?

  package init(_ files: [SpeedInput] = [], traffic: String? = nil) { (self.files, self.traffic) = (files, traffic) }

  package var isEmpty: Bool { files.isEmpty && traffic == nil }
  /// The path of the traffic file; nil for a stock table.
  package var trafficFile: String? { traffic.flatMap { TrafficTable.stockNames.contains($0) ? nil : $0 } }

  /// The digest of all files of speeds with their options.
  package var digest: [UInt8] {
    Digest.of(
      files.reduce(into: [UInt8]()) { bytes, input in
        bytes += (try? Digest.of(file: input.file)) ?? []
        bytes += Array("\(input.format?.rawValue ?? "") \(input.hours ?? .all) \(input.use)".utf8)
      })
  }

  /// Returns the speeds of a network's streets: opened if they exist, otherwise read and stored.
  ///
  /// - Parameter week: A time in the week whose speed limits apply; nil for a typical week.
  /// - Throws: `InputError`, `SettingsError`, `SpeedError`, `CacheError`.
  package func speeds(
    on network: StreetNetwork, week: LocalTime? = nil
  ) throws -> (speeds: StreetSpeeds, facts: SpeedFacts) {
    // A missing file is reported before anything is opened.
    for input in files { _ = try InputBlocks(path: input.file) }
    let watched = files.map { WatchedFile(path: $0.file) }
    let sources = SpeedSources(
      digest: digest, uses: files.map(\.use), traffic: try traffic.map { try TrafficTable(named: $0) }, week: week
    ) { join in
      let read = Result { try SpeedReading.read(files, into: &join) }
      try watched.check(\.isSame)
      try read.get()
    }
    return try StreetSpeeds.load(for: network, sources)
  }
}
