import StreetNetwork
import Tables

/// The two runs and the settings of their comparison: table `job` of a comparison.
package struct ComparisonFacts: Sendable {
  /// The path of a run's database, and the provenance of its results.
  package typealias Run = (path: String, provenance: Provenance)

  package let kind: JobKind
  /// The rows of the table.
  private var values = Entries<IdentityKey>()

  private static let (reasonsKey, precisionKey) = (IdentityKey("reasons"), IdentityKey("precision"))

  /// - Parameters:
  ///   - old: The record of the old run; nil for another program's times.
  ///   - cells: The cells that are compared; nil if rows are.
  init(
    _ oldPath: String, _ old: JobRecord?, _ new: ResultsDatabase, _ threshold: ChangeThreshold,
    _ cells: (old: any MatrixCells, new: any MatrixCells)?
  ) {
    let reasons =
      old.map { ChangeReasons(old: $0, new: new.record, new.kind).description } ?? ComparisonFacts.otherProgram
    let single = [cells?.old, cells?.new].compactMap(\.self).first(where: \.isSingle)
    kind = new.kind
    values[.kind] = kind.rawValue
    values[Self.reasonsKey] = reasons
    values.set(IdentityKey("threshold_ratio"), threshold.ratio)
    values.set(IdentityKey("threshold_amount"), threshold.amount)
    values[Self.precisionKey] = single.map {
      "cells of \($0.name) are 32-bit floats: times over 4.6 hours are compared to seven digits"
    }
    values[.unit] = new.record.identity[.unit]
    if new.record.identity.drivesOnLeft { values[.drivingSide] = IdentityKey.left }
    for (name, path, record) in [("old", oldPath, old ?? JobRecord()), ("new", new.path, new.record)] {
      let provenance = record.provenance
      values[IdentityKey(name)] = path
      for (key, value) in [
        ("version", provenance.version), ("map", provenance.map), ("map_date", provenance.mapDate),
        ("profile", provenance.profile), ("finished", record.run[.finished] ?? ""),
      ] { values[IdentityKey("\(name)_\(key)")] = value }
    }
  }

  /// *Throws*: `ResultsError` if the database is not a comparison's.
  init(_ database: SQLite) throws {
    for (key, value) in try database.rows(
      "SELECT key, value FROM job", decode: { (try $0["key"] as String, try $0["value"] as String) })
    { values[IdentityKey(key)] = value }
    guard let kind = values[.kind].flatMap(JobKind.init(rawValue:)), values[IdentityKey("old")] != nil,
      values[IdentityKey("new")] != nil
    else { throw ResultsError(path: database.path, problem: "not the database of a comparison", cause: .input) }
    self.kind = kind
  }

  package var old: Run { run("old") }
  package var new: Run { run("new") }

  private func run(_ name: String) -> Run {
    func text(_ key: String) -> String { values[IdentityKey("\(name)_\(key)")] ?? "" }
    return (
      values[IdentityKey(name)] ?? "",
      Provenance(version: text("version"), map: text("map"), mapDate: text("map_date"), profile: text("profile"))
    )
  }

  /// The differences between the runs as a whole; "nothing changed" and the remaining differences if their results are
  /// equal.
  package var reasons: String { values[Self.reasonsKey] ?? "" }
  /// A note about cells that are compared as 32-bit floats; nil if there are none.
  package var precision: String? { values[Self.precisionKey] }
  /// Whether the new run's map has left-hand traffic.
  package var drivesOnLeft: Bool { values.drivesOnLeft }
  /// Whether values are square metres, not seconds.
  package var comparesAreas: Bool { kind.results.comparison.comparesAreas }

  /// Returns the unit of a measure of the new run, such as "residents".
  package func unit(of measure: String) -> String { JobRecord(identity: values).unit(of: measure) }

  /// The facts of two runs with equal results.
  var forEqualResults: ComparisonFacts {
    var facts = self
    facts.values[Self.reasonsKey] =
      reasons == ChangeReasons.none ? ComparisonFacts.unchanged : "\(ComparisonFacts.unchanged), though \(reasons)"
    return facts
  }

  private static let unchanged = "nothing changed"
  /// The `reasons` in a comparison with a file.
  static let otherProgram = "another program's times"

  /// The differences between the runs, as part of a sentence.
  package var explanation: String { reasons.hasPrefix(ComparisonFacts.unchanged) ? reasons : "reasons: \(reasons)" }

  /// The differences between the runs, as part of a sentence about equal rows; nil if there are none.
  package var difference: String? {
    let prefix = "\(ComparisonFacts.unchanged), though "
    let difference = reasons.hasPrefix(prefix) ? String(reasons.dropFirst(prefix.count)) : reasons
    return [ComparisonFacts.unchanged, ChangeReasons.none].contains(difference) ? nil : difference
  }

  var entries: [(key: String, value: String)] { values.entries }

  /// Returns names and values for display, with or without the differences between the runs.
  package func listed(withReasons: Bool) -> [(key: String, value: String)] {
    entries.filter { withReasons || $0.key != Self.reasonsKey.rawValue }.sorted { $0.key < $1.key }
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
