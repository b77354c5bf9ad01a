import Geography
import Jobs
import Settings
import Tables
import TestMaps
import Testing

/// The descriptions of keys match the keys that jobs read.
struct JobKeyTests {
  private func job(_ settings: [String]) throws -> Job {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var job = try Job(path: scratch.write("{\n\(settings.joined(separator: ",\n"))\n}", to: "job.json5"))
    job.file = "job.json5"
    return job
  }

  /// Returns all settings of a job as text.
  private func shown(_ settings: [String]) throws -> String {
    var job = try job(settings)
    // Phrases are dictionaries, which are printed in no fixed order.
    let language = job.language.name
    job.language = .english
    return "\(job) \(language)"
  }

  private func required(_ kind: JobKind) -> [String] {
    kind.keys.map(\.setting).filter(\.isRequired).map { key in
      "\(key.name): \(key.name == "kind" ? "\"\(kind.rawValue)\"" : key.example)"
    }
  }

  @Test(arguments: JobKind.allCases) func requiredKeysMakeAJob(kind: JobKind) throws {
    #expect(try job(required(kind)).kind == kind)
  }

  @Test(arguments: JobKind.allCases) func everyExampleIsAccepted(kind: JobKind) throws {
    for key in kind.keys.map(\.setting) where !key.isRequired {
      #expect(throws: Never.self, "\(key.name)") { try job(settings(with: key, of: kind)) }
    }
  }

  /// Returns a job with the example of a key and the settings that the key needs.
  private func settings(with key: SettingDescription, of kind: JobKind) -> [String] {
    var settings = required(kind) + ["\(key.name): \(key.example)"]
    let isOfTransit =
      ["gtfs", "walkLimit", "boardingSlack", "maximumRides", "headways"].contains(key.name)
      || ["limit", "wheelchairBoarding"].contains(key.name) && kind != .access
      || key.name == "percentiles" && kind == .isochrones
    if isOfTransit {
      settings = settings.filter { !$0.hasPrefix("transportType:") } + ["transportType: \"transit\""]
      if key.name != "gtfs" { settings.append("gtfs: \"feed.zip\"") }
    }
    if key.name == "percentiles" { settings.append("departures: [\"07:00\", \"08:00\"]") }
    return settings
  }

  @Test(arguments: JobKind.allCases) func describedDefaultsAreTheOnesInUse(kind: JobKind) throws {
    let defaults = kind.keys.compactMap { key -> String? in
      guard case .value(let text) = key.setting.absence else { return nil }
      return "\(key.name): \(text)"
    }
    #expect(!defaults.isEmpty)
    #expect(try shown(required(kind)) == shown(required(kind) + defaults))
  }

  /// Ensures that the test above would detect a default that differs from its description.
  @Test func differentValuesMakeADifferentJob() throws {
    let plain = try shown(required(.access))
    for setting in [
      "nearest: 4", "thresholds: [5, 10]", "direction: 'from'", "routes: true", "snapLimit: 999", "language: 'pt'",
    ] {
      #expect(try plain != shown(required(.access) + [setting]), "\(setting)")
    }
  }

  @Test(arguments: JobKind.allCases) func unknownKeysListTheKeysOfTheKind(kind: JobKind) throws {
    let error = try #require(throws: OdometerError.self) { try job(required(kind) + ["zzzzzzzzzz: 1"]) }
    let list = try #require(error.problem.split(separator: " expected one of ").last)
    let offered = Set(list.split(separator: ", ").map(String.init))
    #expect(offered == Set(kind.keys.map(\.name)))
  }

  @Test(arguments: JobKind.allCases) func everyKeyIsDescribedOncePerKind(kind: JobKind) {
    #expect(Set(kind.keys.map(\.name)).count == kind.keys.count)
    #expect(kind.keys.filter(\.setting.isRequired).map(\.name).contains("output"))
  }

  @Test(arguments: Job.keys.map(\.setting.summary)) func summariesAreOneShortLine(summary: String) {
    #expect((3...120).contains(summary.count) && !summary.contains("\n") && !summary.hasSuffix("."))
  }

  @Test func keysAreListedOncePerDescription() throws {
    let origins = Job.keys.filter { $0.name == "origins" }
    #expect(origins.map(\.kinds) == [[.matrix, .access, .isochrones]])
    let directions = Job.keys.filter { $0.name == "direction" }
    #expect(directions.map(\.setting.defaultText) == ["\"to\"", "\"from\""])
    let limits = Job.keys.filter { $0.name == "limit" }
    #expect(
      limits.map(\.kinds) == [[.access], [.routes, .etas, .matrix]]
        && limits.allSatisfy { $0.setting.unit == "minutes" })
    #expect(limits.map(\.setting.defaultText) == ["none; 120 with transit", "120"])
  }
}
