import Tables

/// What table `job` says of a run, by what it means.
package struct JobRecord: Sendable {
  /// What decides the results: an unfinished run is resumed only where all of it is the same.
  package var identity: Entries<IdentityKey>
  /// When, where and how fast the run went: what differs between equal results.
  package var run: Entries<RunKey>
  /// What came out, in numbers.
  package var figures: Entries<FigureKey>

  package init(
    identity: Entries<IdentityKey> = .init(), run: Entries<RunKey> = .init(), figures: Entries<FigureKey> = .init()
  ) {
    (self.identity, self.run, self.figures) = (identity, run, figures)
  }

  static let table = Table<(key: String, value: String)>(
    "job", "fact about the run",
    [
      .textKey("key", "what it is: settings, digests of inputs, counts, times") { $0.key },
      .optionalText("value", "as text; lists are separated by commas, an item with a comma is in quotes") { $0.value },
    ])

  /// The kind of job. *Throws*: `ResultsError` where the database at `path` says nothing of a kind that is known.
  func kind(of path: String) throws -> JobKind {
    guard let kind = identity[.kind].flatMap(JobKind.init(rawValue:)) else {
      throw ResultsError(path: path, problem: "not a results database of a job", cause: .input)
    }
    return kind
  }

  package var provenance: Provenance {
    Provenance(
      version: identity[.version] ?? "", map: identity[.map].map(lastPathComponent) ?? "",
      mapDate: identity[.mapDate] ?? "", profile: identity[.profile] ?? "")
  }

  /// Why an earlier run was another job's: its kind, how one travels, the job file's name; nil for the same job's.
  func otherness(than earlier: JobRecord) -> String? {
    func phrase(_ key: String, _ now: String?, _ before: String?) -> String? {
      guard let now, let before, now != before else { return nil }
      return "\(key) was \(before), now \(now)"
    }
    return phrase(IdentityKey.kind.rawValue, identity[.kind], earlier.identity[.kind])
      ?? phrase(IdentityKey.transportType.rawValue, identity[.transportType], earlier.identity[.transportType])
      ?? phrase(
        RunKey.jobFile.rawValue, run[.jobFile].map(lastPathComponent), earlier.run[.jobFile].map(lastPathComponent))
  }

  /// What differs from an earlier run's identity, one phrase per key.
  package func changes(from earlier: JobRecord) -> [String] {
    let gone = earlier.identity.keys.filter { identity[$0] == nil }
    return (identity.keys + gone).compactMap { key in
      if key.deciding(identity[key]) == key.deciding(earlier.identity[key]) { return nil }
      guard let before = earlier.identity[key] else { return "\(key.rawValue) is new" }
      let now = identity[key] ?? ""
      if before == now { return nil }
      guard !key.isDigest else { return "the content of \(key.subject) changed" }
      return "\(key.rawValue) was \(before.isEmpty ? "not set" : before), now \(now.isEmpty ? "not set" : now)"
    }
  }
}

extension JobRecord {
  /// Of the entries of a table `job`.
  package init(entries: [(key: String, value: String)]) {
    self.init()
    for (key, value) in entries {
      if let key = RunKey(rawValue: key) {
        run[key] = value
      } else if FigureKey.isKnown(key) {
        figures[FigureKey(key)] = value
      } else {
        identity[IdentityKey(key)] = value
      }
    }
  }

  /// The same but for what another record does not know: before there is a network not all is known.
  package func known(to other: JobRecord) -> JobRecord {
    var known = self
    for key in identity.keys where other.identity[key] == nil { known.identity[key] = nil }
    return known
  }

  /// As table `job` has them.
  package var entries: [(key: String, value: String)] { identity.entries + run.entries + figures.entries }
}
