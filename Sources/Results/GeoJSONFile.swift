import Geography

/// A FeatureCollection in one gzip member, written from chunks that were deflated on their own; a Feature a line.
final class GeoJSONFile: GrowingFile {
  let path: String
  private var member: GzipMember
  private var hasFeatures: Bool

  /// The file at `path`, begun, or gone on with from `mark`. *Throws*: `ResultsError`.
  init(path: String, _ provenance: Provenance, from mark: FileMark?) throws {
    self.path = path
    let head = "{\"type\":\"FeatureCollection\",\"odometer\":\(provenance.json),\"features\":[\n"
    let part = ResultsFolder.unfinished(path)
    if let mark {
      member = try GzipMember(path: part, from: mark)
      hasFeatures = mark.length > head.utf8.count
    } else {
      member = try GzipMember(path: part, comment: provenance.description)
      try member.append(stored: head)
      hasFeatures = false
    }
  }

  var mark: FileMark { member.mark }

  /// Appends Features with a comma and a line's end between them; nothing for none.
  func append(_ features: DeflatedBlock) throws {
    guard features.length > 0 else { return }
    if hasFeatures { try member.append(stored: ",\n") }
    try member.append(features)
    hasFeatures = true
  }

  func synchronize() throws { try member.synchronize() }

  func finish() throws {
    try member.append(stored: "\n]}\n")
    try member.finish()
  }
}

/// Features of a chunk: deflated as they come, a comma and a line's end between two.
package final class FeatureList {
  private let deflater = Deflater()
  private var isEmpty = true

  package init() {}

  /// Appends a Feature, written by `body` into a text that is empty.
  package func append(_ text: inout TextBuffer, _ body: (inout TextBuffer) -> Void) {
    text.removeAll()
    if !isEmpty { text.append(",\n") }
    body(&text)
    deflater.append(text)
    isEmpty = false
  }

  /// The features so far; the next one begins a new chunk.
  package func finishBlock() -> DeflatedBlock {
    isEmpty = true
    return deflater.finishBlock()
  }
}
