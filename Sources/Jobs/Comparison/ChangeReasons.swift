import Tables

/// What differs between two runs as a whole, from what their keys mean.
package struct ChangeReasons: CustomStringConvertible {
  private let changed: [(key: IdentityKey, meaning: IdentityKey.Meaning)]
  private let kind: JobKind

  package init(old: JobRecord, new: JobRecord, _ kind: JobKind) {
    self.kind = kind
    let keys = new.identity.keys + old.identity.keys.filter { new.identity[$0] == nil }
    // Kinds of a family can be compared: that the kind differs is no reason.
    changed = keys.filter { $0 != .kind && old.identity[$0] ?? "" != new.identity[$0] ?? "" }
      .map { ($0, $0.meaning(in: new.identity[$0] == nil ? old : new)) }
  }

  package var description: String {
    let settings = keys(.setting).map(\.subject).sorted()
    // Of other kinds a row's own places are all of the input that matters to it.
    let hasInput = kind.results.comparison.dependsOnWholeInput && !keys(.input).isEmpty
    let reasons = [
      keys(.map).isEmpty ? nil : "map changed", keys(.profile).isEmpty ? nil : "profile changed",
      settings.isEmpty ? nil : "settings changed (\(settings.joined(separator: ", ")))",
      hasInput ? "input changed" : nil, keys(.version).isEmpty ? nil : "version changed",
    ].compactMap(\.self)
    return reasons.isEmpty ? ChangeReasons.none : reasons.joined(separator: ", ")
  }

  static let none = "unexplained"

  private func keys(_ meaning: IdentityKey.Meaning) -> [IdentityKey] {
    changed.filter { $0.meaning == meaning }.map(\.key)
  }
}
