import StreetNetwork
import Tables

/// The two runs and the settings of their comparison: table `job` of a comparison.
package struct ComparisonFacts: Sendable {
  /// One of the two runs.
  package struct Run: Sendable {
    /// The path of its database.
    package var path: String
    package var provenance: Provenance
    var finished: String
  }

  package let kind: JobKind
  package let old: Run
  package let new: Run
  /// The differences between the runs as a whole; "nothing changed" and the remaining differences if their results are
  /// equal.
  package private(set) var reasons: String
  /// A note about cells that are compared as 32-bit floats; nil if there are none.
  package let precision: String?
  private let threshold: ChangeThreshold
  /// Whether the new run's map has left-hand traffic.
  package let drivesOnLeft: Bool
  /// The new run's key `unit`.
  private let units: String?

  /// - Parameter floats: The files of 32-bit floats that cells are read from.
  init(old: ResultsDatabase, new: ResultsDatabase, _ threshold: ChangeThreshold, floats: [String]) {
    kind = new.kind
    (self.old, self.new) = (Run(old), Run(new))
    reasons = ChangeReasons(old: old.record, new: new.record, kind).description
    precision = ComparisonFacts.precision(floats)
    self.threshold = threshold
    drivesOnLeft = new.record.identity.drivesOnLeft
    units = new.record.identity[.unit]
  }

  /// Returns the unit of a measure of the new run, such as "residents".
  package func unit(of measure: String) -> String {
    var record = JobRecord()
    record.identity[.unit] = units
    return record.unit(of: measure)
  }

  /// Creates the facts of results compared with another program's times.
  init(_ times: TravelTimes, _ new: ResultsDatabase, _ threshold: ChangeThreshold, floats: [String]) {
    (kind, self.threshold, drivesOnLeft) = (new.kind, threshold, new.record.identity.drivesOnLeft)
    old = Run(path: times.path, provenance: Provenance(version: "", map: "", mapDate: "", profile: ""), finished: "")
    self.new = Run(new)
    reasons = "another program's times"
    precision = ComparisonFacts.precision(floats)
    units = new.record.identity[.unit]
  }

  private static func precision(_ floats: [String]) -> String? {
    floats.first.map { "cells of \($0) are 32-bit floats: times over 4.6 hours are compared to seven digits" }
  }

  /// The facts of two runs with equal results.
  var forEqualResults: ComparisonFacts {
    var facts = self
    facts.reasons =
      reasons == ChangeReasons.none ? ComparisonFacts.unchanged : "\(ComparisonFacts.unchanged), though \(reasons)"
    return facts
  }

  private static let unchanged = "nothing changed"

  /// The differences between the runs, as part of a sentence.
  package var explanation: String { reasons.hasPrefix(ComparisonFacts.unchanged) ? reasons : "reasons: \(reasons)" }

  /// The differences between the runs, as part of a sentence about equal rows; nil if there are none.
  package var difference: String? {
    let prefix = "\(ComparisonFacts.unchanged), though "
    let difference = reasons.hasPrefix(prefix) ? String(reasons.dropFirst(prefix.count)) : reasons
    return [ComparisonFacts.unchanged, ChangeReasons.none].contains(difference) ? nil : difference
  }

  /// Whether values are square metres, not seconds.
  package var comparesAreas: Bool { kind.results.comparison.comparesAreas }

  // MARK: Storage

  private static let (kindKey, reasonsKey, precisionKey) = ("kind", "reasons", "precision")
  private static let (ratioKey, amountKey) = ("threshold_ratio", "threshold_amount")
  private static let (versionKey, mapKey, dateKey, profileKey, finishedKey) = (
    "version", "map", "map_date", "profile", "finished"
  )

  var entries: [(key: String, value: String)] {
    func entries(_ name: String, _ run: Run) -> [(key: String, value: String)] {
      [
        (name, run.path), ("\(name)_\(Self.versionKey)", run.provenance.version),
        ("\(name)_\(Self.mapKey)", run.provenance.map), ("\(name)_\(Self.dateKey)", run.provenance.mapDate),
        ("\(name)_\(Self.profileKey)", run.provenance.profile), ("\(name)_\(Self.finishedKey)", run.finished),
      ]
    }
    return [
      (Self.kindKey, kind.rawValue), (Self.reasonsKey, reasons), (Self.ratioKey, String(threshold.ratio)),
      (Self.amountKey, String(threshold.amount)),
    ] + (precision.map { [(Self.precisionKey, $0)] } ?? [])
      + (units.map { [(IdentityKey.unit.rawValue, $0)] } ?? [])
      + (drivesOnLeft ? [(IdentityKey.drivingSide.rawValue, IdentityKey.left)] : []) + entries("old", old)
      + entries("new", new)
  }

  /// *Throws*: `ResultsError` if the database is not a comparison's.
  init(_ database: SQLite) throws {
    let entries = try database.rows("SELECT key, value FROM job") {
      (try $0["key"] as String, try $0["value"] as String)
    }
    let facts = Dictionary(entries) { first, _ in first }
    guard let kind = facts[Self.kindKey].flatMap(JobKind.init(rawValue:)), let old = facts["old"],
      let new = facts["new"]
    else { throw ResultsError(path: database.path, problem: "not the database of a comparison", cause: .input) }
    func run(_ name: String, _ path: String) -> Run {
      func text(_ key: String) -> String { facts["\(name)_\(key)"] ?? "" }
      return Run(
        path: path,
        provenance: Provenance(
          version: text(Self.versionKey), map: text(Self.mapKey), mapDate: text(Self.dateKey),
          profile: text(Self.profileKey)), finished: text(Self.finishedKey))
    }
    self.kind = kind
    (self.old, self.new) = (run("old", old), run("new", new))
    reasons = facts[Self.reasonsKey] ?? ""
    precision = facts[Self.precisionKey]
    units = facts[IdentityKey.unit.rawValue]
    drivesOnLeft = facts[IdentityKey.drivingSide.rawValue] == IdentityKey.left
    threshold = ChangeThreshold(
      ratio: facts[Self.ratioKey].flatMap { Double($0) } ?? 0, amount: facts[Self.amountKey].flatMap { Double($0) } ?? 0
    )
  }

  /// Returns names and values for display, with or without the differences between the runs.
  package func listed(withReasons: Bool) -> [(key: String, value: String)] {
    entries.filter { withReasons || $0.key != Self.reasonsKey }.sorted { $0.key < $1.key }
  }
}

extension ComparisonFacts.Run {
  init(_ database: ResultsDatabase) {
    self.init(
      path: database.path, provenance: database.record.provenance, finished: database.record.run[.finished] ?? "")
  }
}

/// The differences between two runs, from their keys.
package struct ChangeReasons: CustomStringConvertible {
  private let changed: [(key: IdentityKey, meaning: IdentityKey.Meaning)]
  private let kind: JobKind
  /// Whether both runs have stock profiles.
  private let areStock: Bool

  package init(old: JobRecord, new: JobRecord, _ kind: JobKind) {
    self.kind = kind
    areStock = [old.identity, new.identity].allSatisfy { identity in
      identity.text(.profileFile).map { Profile.stockNames.contains($0) } ?? (identity.text(.networkFile) == nil)
    }
    let keys = new.identity.keys + old.identity.keys.filter { new.identity[$0] == nil }
    // Kinds of the same family can be compared, so a different kind is not a reason.
    changed = keys.filter { $0 != .kind && ChangeReasons.value($0, in: old) != ChangeReasons.value($0, in: new) }
      .map { ($0, $0.meaning(in: new.identity[$0] == nil ? old : new)) }
  }

  /// Returns the value of a key; percentiles are sorted, since their order is not a difference.
  private static func value(_ key: IdentityKey, in record: JobRecord) -> [String] {
    key == .percentiles ? record.identity.list(key).sorted() : [record.identity[key] ?? ""]
  }

  package var description: String {
    let settings = keys(.setting).map(\.jobKey).sorted()
    // The input is a reason if there is no other, or if rows depend on more than their own places and columns.
    let isInput =
      !keys(.input).isEmpty
      && (kind.results.comparison.dependsOnWholeInput
        || keys(.input).contains { [.speedsSHA256, .trafficSHA256].contains($0) }
        || keys(.map).isEmpty && keys(.profile).isEmpty && settings.isEmpty && keys(.version).isEmpty)
    let reasons = [
      keys(.map).isEmpty ? nil : "map changed", hasNewProfile ? "profile changed" : nil,
      settings.isEmpty ? nil : "settings changed (\(settings.joined(separator: ", ")))",
      isInput ? "input changed" : nil, keys(.version).isEmpty ? nil : "version changed",
    ].compactMap(\.self)
    return reasons.isEmpty ? ChangeReasons.none : reasons.joined(separator: ", ")
  }

  /// Whether the profile changed, and not only settings that are part of its digest.
  private var hasNewProfile: Bool {
    let isOfSettings = areStock && keys(.version).isEmpty && keys(.profile) == [.profileSHA256]
    let settings: Set<IdentityKey> = [.pace, .tollPreference, .highwayPreference]
    return !keys(.profile).isEmpty && !(isOfSettings && keys(.setting).contains(where: settings.contains))
  }

  static let none = "unexplained"

  private func keys(_ meaning: IdentityKey.Meaning) -> [IdentityKey] {
    changed.filter { $0.meaning == meaning }.map(\.key)
  }
}
