/// What table `job` is told when a run begins.
package struct JobRecord: Sendable {
  /// Keys and values that decide the results: an unfinished job is gone on with only where all of them are the same.
  package var identity: [(key: String, value: String)]
  /// Of the run itself: when it began, on how many threads.
  package var course: [(key: String, value: String)]

  package init(identity: [(key: String, value: String)], course: [(key: String, value: String)]) {
    (self.identity, self.course) = (identity, course)
  }

  /// What differs from the same keys of a database, as a person would say it.
  func changes(from facts: [String: String]) -> [String] {
    identity.compactMap { key, value in
      guard let before = facts[key] else { return "\(key) is new" }
      if before == value { return nil }
      guard key.hasSuffix("_sha256") else { return "\(key) was \(quoted(before)), is \(quoted(value))" }
      return "the content of \(key.dropLast("_sha256".count)) has changed"
    }
  }

  private func quoted(_ value: String) -> String { value.isEmpty ? "not set" : value }

  var provenance: Provenance {
    let facts = Dictionary(identity.map { ($0.key, $0.value) }) { first, _ in first }
    return Provenance(
      version: facts["version"] ?? "", map: facts["map"].map(lastPathComponent) ?? "",
      mapDate: facts["map_date"] ?? "", profile: facts["profile"] ?? "")
  }
}
