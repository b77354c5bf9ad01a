import Geography

/// A FeatureCollection in one gzip member, written from separately compressed chunks; one Feature per line.
package final class GeoJSONFile: ResumableFile {
  package let path: String
  private var member: GzipMember
  private var hasFeatures: Bool

  /// Creates the file at `path`, or resumes it from `checkpoint`. *Throws*: `ResultsError`.
  package init(path: String, _ provenance: Provenance, from checkpoint: Checkpoint?) throws {
    self.path = path
    let head = "{\"type\":\"FeatureCollection\",\"odometer\":\(provenance.json),\"features\":[\n"
    let part = path.unfinished
    if let checkpoint {
      member = try GzipMember(path: part, from: checkpoint)
      hasFeatures = checkpoint.length > head.utf8.count
    } else {
      member = try GzipMember(path: part)
      try member.append(stored: head)
      hasFeatures = false
    }
  }

  package var checkpoint: Checkpoint { member.checkpoint }

  /// Appends Features separated by a comma and a line feed; writes nothing if there are none.
  package func append(_ features: DeflatedBlock) throws {
    guard features.length > 0 else { return }
    if hasFeatures { try member.append(stored: ",\n") }
    try member.append(features)
    hasFeatures = true
  }

  package func synchronize() throws { try member.synchronize() }

  package func finish() throws {
    try member.append(stored: "\n]}\n")
    try member.finish()
  }
}
