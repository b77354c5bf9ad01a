import Geography
import Input
import Settings
import Tables
import TransitNetwork

/// The settings of kind `matrix`.
struct MatrixTask: JobTask {
  /// A list of places.
  var origins: String
  /// The list of destinations; nil if the origins are also the destinations.
  var destinations: String?
  /// The id and weight columns of both lists.
  var columns: PlaceKeys
  /// Whether cells have distances as well as times.
  var distances: Bool
  /// The formats of the cells, in the order of `Format`; empty for summaries only.
  var formats: [MatrixWriter.Format]
  var summary: SummaryTask?
  /// The summaries of each cell over the departures of a day; nil for none.
  var hours: HourSummary?

  static func summary(of kind: JobKind) -> String {
    "all times and distances between two lists of places, thousands of times as fast as etas"
  }

  static func results(of kind: JobKind) -> any KindResults.Type { MatrixResults.self }

  init(_ keys: inout KeyReader) throws {
    let (origins, destinations) = (
      try keys.origins(),
      try keys.value(
        "destinations", .path, otherwise: "the origins", "list of places, in the same formats as origins",
        example: "destinations.csv")
    )
    (self.origins, self.destinations) = (origins, destinations)
    keys.enter {
      if let destinations { return try $0.setFile("destinations", destinations) }
      $0[.destinations] = origins
      $0[IdentityKey(digestOf: "destinations")] = $0[IdentityKey(digestOf: "origins")]
    }
    columns = try keys.placeColumns(countsAll: false)
    let requested = try keys.value(
      "distances", .bool, otherwise: "true; false with transit or percentiles",
      "compute distances as well as times; false is faster", example: false)
    let hasLengths = !keys.isTransit && !keys.has("percentiles")
    let distances = requested ?? hasLengths
    self.distances = distances
    keys.enter(.distances, distances, decides: .presentation)
    if distances, !hasLengths {
      throw keys.error("distances", "\(keys.isTransit ? "rides" : "percentiles") have no distances; leave it out")
    }
    let format: [MatrixWriter.Format]? = try keys.value(
      "format", .choices(), otherwise: "[\"sqlite\"], or none with a summary or hours",
      "output of cells: sqlite (rows of JSON in the database), npy (NumPy), csv (one row per cell, gzipped)",
      example: ["sqlite", "npy"])
    summary = try keys.setting(
      "summary", SummaryTask.type, otherwise: "none",
      "summary of each origin's row: nearest, mean, waiting (with times), within:SECONDS,… (destinations and their weight)",
      example: ["nearest", "within:600,900", "mean"], decides: .presentation)
    hours = try keys.setting(
      "hours", HourSummary.type, otherwise: "none",
      "summary of each cell over the departures of a day: worst, mean, p1 to p99 (table matrix_hours)",
      example: ["worst", "mean", "p50", "p90"], decides: .presentation, isAlwaysEntered: false)
    if keys.has("percentiles"), hours != nil || summary?.waiting == true {
      throw keys.error(
        hours != nil ? "hours" : "summary",
        hours != nil
          ? "percentiles summarize the departures already; leave out one of the two"
          : "percentiles have no waits; leave out waiting")
    }
    let chosen = format ?? (summary == nil && hours == nil ? [.sqlite] : [])
    let formats = MatrixWriter.Format.allCases.filter(chosen.contains)
    self.formats = formats
    keys.enter(.format, formats, decides: .presentation)
    guard !formats.isEmpty || summary != nil || hours != nil else {
      throw keys.error("format", "got an empty list and no summary: nothing would be written")
    }
  }

  var optionalKeys: Set<String> { ["limit", "wheelchairBoarding"] }
  var summarizesWaits: Bool { summary?.waiting == true }
  var summarizesHours: Bool { hours != nil }
  var files: [String] { [origins] + (destinations.map { [$0] } ?? []) }
  func unit(of _: Job) -> String { "cells" }

  func outputs(of job: Job, in folder: ResultsFolder) -> [String] {
    let numPy = [folder.travelTimes] + (distances ? [folder.distances] : []) + folder.axes(job.rowAxis.column)
    return (formats.contains(.npy) ? numPy : []) + (formats.contains(.csv) ? [folder.matrix] : [])
  }

  func check(_ keys: KeyReader, with transit: TransitTask) throws {
    guard let last = summary?.within.last, case let limit = transit.rules.limit / 1000, last > limit else { return }
    throw keys.error("summary", "got within:\(last), expected at most \(limit), the limit in seconds")
  }

  func read(for job: Job, in context: JobContext?) throws -> JobInput {
    var keys = columns
    keys.allowsMissing = self.destinations != nil
    func table(_ path: String, _ role: InputPlace.Role) throws -> PlaceTable {
      try PlaceTable(path: path, role: role, area: context.area, keys: keys, duplicates: job.duplicates)
    }
    var first = try table(self.origins, .origin)
    var second = try self.destinations.map { try table($0, .destination) }
    // Each column named by the job must be in at least one of the two files.
    for missing in [\PlaceTable.missing.id, \.missing.weights] {
      if let second, let error = first[keyPath: missing], second[keyPath: missing] != nil { throw error }
    }
    if !(first.places + (second?.places ?? [])).allSatisfy(\.id.isNumber) {
      first.useTextIDs()
      second?.useTextIDs()
    }
    let (origins, destinations) = (first.places, second?.places ?? first.places(as: .destination))
    // A file used for both is read twice, but its notes are printed once.
    let other = self.destinations == self.origins ? nil : second
    let rejected = first.rejected + (other?.rejected ?? [])
    let destinationFile = self.destinations ?? self.origins
    if formats.contains(.sqlite) {
      try MatrixRowLimit.check(
        destinations: destinations.count, in: destinationFile, hasDistances: distances, longestRow: SQLite.longestRow())
    }
    let (cells, count) = (origins.count * destinations.count, job.hours.count)
    let percentiles = job.hours.percentiles?.count
    let times =
      percentiles.map { " (\(cells) at \($0) percentiles of \(count) times)" }
      ?? (count > 1 ? " (\(cells) at each of \(count) hours)" : "")
    let outputs =
      formats.map(\.rawValue) + [summary.map { "summary \($0)" }, hours.map { "hours \($0)" }].compactMap(\.self)
    return JobInput(
      rejected: rejected, notes: first.notes + (other?.notes ?? []),
      weightColumns: [.origin: first.weightColumn, .destination: (second ?? first).weightColumn],
      summary: """
        \(self.origins): \(origins.count.counted("origin")) (\(first.columns))
        \(destinationFile): \(destinations.count.counted("destination")) (\((second ?? first).columns))
        \((cells * (percentiles ?? count)).counted("cell")) to compute\(times), \(rejected.count.counted("row")) to be rejected
        written as: \(outputs.joined(separator: ", "))
        """
    ) { context in
      let snapped = try context.snap("origins", origins)
      let columns = self.destinations == nil ? snapped : try context.snap("destinations", destinations)
      let stops = try context.transit.map { try TransitStops($0, in: context) }
      return MatrixJob(self, from: (origins, snapped), to: (destinations, columns), by: stops, in: context)
    }
  }
}

/// The maximum number of destinations in a row of table `matrix_row`, since SQLite limits the size of a row.
package enum MatrixRowLimit {
  /// Bytes of a row beyond its cells.
  private static let overhead = 1024

  /// Rejects a matrix whose rows might be too long, before anything is computed. *Throws*: `OdometerError`.
  ///
  /// - Parameter longestRow: The maximum bytes of a row.
  package static func check(destinations: Int, in file: String, hasDistances: Bool, longestRow: Int) throws {
    let bytes = CellText.longestCell * (hasDistances ? 2 : 1)
    let maximum = (longestRow - overhead) / bytes
    guard destinations <= maximum else {
      throw .input(
        file,
        "got \(destinations) destinations, expected at most \(maximum): "
          + "SQLite rows have at most \(longestRow) bytes, a destination takes up to \(bytes); "
          + "split the list, or leave sqlite out of format (npy has no limit)")
    }
  }
}

/// The summaries of each origin's row: `["nearest", "within:600,900", "mean", "waiting"]`.
struct SummaryTask: Sendable, CustomStringConvertible {
  var nearest = false
  var mean = false
  var waiting = false
  /// In seconds, ascending.
  var within: [Int] = []

  static let type = SettingType<[String]>.strings.map(
    expected: "a list of \"nearest\", \"mean\", \"waiting\" and \"within:\" with seconds, e.g. \"within:600,900,1800\"",
    choices: ["nearest", "mean", "waiting", "within:"], SummaryTask.init(words:))

  /// Nil for an empty list, and for unknown words.
  init?(words: [String]) {
    for word in words {
      switch word {
      case "nearest": nearest = true
      case "mean": mean = true
      case "waiting": waiting = true
      default:
        guard let seconds = SummaryTask.seconds(word) else { return nil }
        within = Set(within + seconds).sorted()
      }
    }
    guard !words.isEmpty else { return nil }
  }

  /// Parses the seconds in "within:600,900".
  private static func seconds(_ word: String) -> [Int]? {
    guard word.hasPrefix("within:") else { return nil }
    let numbers = word.dropFirst("within:".count).split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Int($0.filter { $0 != " " }) }
      .filter { (1...1_000_000).contains($0) }
    return numbers.count == word.count { $0 == "," } + 1 ? numbers : nil
  }

  var description: String {
    let thresholds = within.map(String.init).joined(separator: ",")
    return [
      nearest ? "nearest" : nil, within.isEmpty ? nil : "within:\(thresholds)", mean ? "mean" : nil,
      waiting ? "waiting" : nil,
    ]
    .compactMap(\.self).joined(separator: " ")
  }
}
