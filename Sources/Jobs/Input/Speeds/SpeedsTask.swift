import Foundation
import Geography
import Settings
import StreetNetwork
import Tables

/// How slow streets are, as far as a job file says it: files of speeds, and a file of traffic by class.
struct SpeedsTask: Sendable {
  var inputs: [SpeedInput] = []
  var traffic: String?

  fileprivate static let expected =
    "a path, a list of paths, or objects { file, format, days, from, to, duplicates, fill }"

  /// None.
  init() {}

  init(_ keys: inout KeyReader) throws {
    let setting = try keys.value(
      .init(
        "speeds", .any("file or list of files", expected: SpeedsTask.expected), otherwise: "none: free flow",
        "files of speeds by OpenStreetMap's ids and hours; as objects with format, days, from, to, duplicates, fill",
        example: ["speeds.csv.gz"]))
    traffic = try keys.value(
      .init(
        "traffic", .path, otherwise: "none", "file of slowness by road class and hours, for streets without speeds",
        example: "city.traffic.json5"))
    guard let setting else { return }
    do throws(RowProblem) {
      if case .list(let items) = setting {
        guard !items.isEmpty else { throw RowProblem("got an empty list, expected \(SpeedsTask.expected)") }
        for item in items { inputs.append(try SpeedInput(item)) }
      } else {
        inputs = [try SpeedInput(setting)]
      }
    } catch {
      throw keys.error("speeds", error.reason)
    }
  }

  var isEmpty: Bool { inputs.isEmpty && traffic == nil }
  var files: [String] { inputs.map(\.file) + [traffic].compactMap(\.self) }

  /// What of it decides the results; nothing where it says nothing.
  func enter(in identity: inout Entries<IdentityKey>) {
    if !inputs.isEmpty {
      identity.set(.speeds, inputs.map(\.file))
      identity[.speedsSHA256] = digest.hexadecimal
    }
    if let traffic { identity.setFile("traffic", traffic) }
  }

  /// Of all files and how they are read.
  private var digest: [UInt8] {
    Digest.of(
      inputs.reduce(into: [UInt8]()) { bytes, input in
        bytes += (try? Digest.of(file: input.file)) ?? []
        bytes += Array("\(input.format?.rawValue ?? "") \(input.hours) \(input.use)".utf8)
      })
  }

  /// The speeds of a network's streets: opened where they were made before, else read and kept.
  ///
  /// - Parameter week: A day of it, whose speed limits count; nil for a week as they are all.
  /// - Throws: `InputError`, `SettingsError`, `SpeedError`, `CacheError`.
  func speeds(on network: StreetNetwork, week: LocalTime?) throws -> JobSpeeds {
    // A file that is missing is told before anything is opened.
    for input in inputs { _ = try InputBlocks(path: input.file) }
    let watched = inputs.map { WatchedFile(path: $0.file) }
    let sources = SpeedSources(
      digest: digest, uses: inputs.map(\.use), traffic: try traffic.map { try TrafficTable(path: $0) }, week: week
    ) { join in
      let read = Result { try SpeedReading.read(inputs, into: &join) }
      try watched.check(\.isSame)
      try read.get()
    }
    let (speeds, facts) = try StreetSpeeds.known(of: network, sources)
    return JobSpeeds(speeds: speeds, facts: facts)
  }
}

extension SpeedInput {
  /// A path, or an object that says how it is read.
  fileprivate init(_ setting: Setting) throws(RowProblem) {
    switch setting {
    case .text(let path) where !path.isEmpty: self.init(file: path)
    case .object(let values, _): try self.init(values)
    default: throw RowProblem("got \(setting.json5), expected \(SpeedsTask.expected)")
    }
  }

  private init(_ values: [String: Setting]) throws(RowProblem) {
    let known = ["file", "format", "days", "from", "to", "duplicates", "fill"]
    var texts: [String: String] = [:]
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard known.contains(key) else {
        throw RowProblem("unknown key \(key), expected one of \(known.joined(separator: ", "))")
      }
      guard case .text(let text) = value else { throw RowProblem("\(key) is \(value.json5), expected a text") }
      texts[key] = text
    }
    guard let file = texts["file"], !file.isEmpty else { throw RowProblem("an object has no file") }
    self.init(file: file)
    if let name = texts["format"] {
      guard let format = SpeedFormat(rawValue: name) else {
        let names = SpeedFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw RowProblem("format is \"\(name)\", expected one of \(names)")
      }
      self.format = format
    }
    if let duplicates = texts["duplicates"] {
      guard duplicates == "mean" else { throw RowProblem("duplicates is \"\(duplicates)\", expected \"mean\"") }
      use.allowsDuplicates = true
    }
    if let fill = texts["fill"] {
      guard fill == "ratio" else { throw RowProblem("fill is \"\(fill)\", expected \"ratio\"") }
      use.fillsByRatio = true
    }
    hasHours = ["days", "from", "to"].contains { texts[$0] != nil }
    if hasHours {
      hours = try WeekHours(days: texts["days"] ?? "", from: texts["from"] ?? "", to: texts["to"] ?? "")
    }
  }
}
