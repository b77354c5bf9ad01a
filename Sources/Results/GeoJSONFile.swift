import Geography

/// A FeatureCollection in one gzip member, written from chunks that were deflated on their own; a Feature a line.
///
/// While it is being written it has another name: what looks whole is whole.
final class GeoJSONFile {
  let path: String
  private(set) var member: GzipMember
  private var hasFeatures = false

  /// *Throws*: `ResultsError`.
  init(path: String) throws {
    self.path = path
    member = try GzipMember(path: ResultsFolder.unfinished(path))
    try member.append(stored: "{\"type\":\"FeatureCollection\",\"features\":[\n")
  }

  /// Appends Features with a comma and a line's end between them; nothing for none.
  func append(_ features: DeflatedBlock) throws {
    guard features.length > 0 else { return }
    if hasFeatures { try member.append(stored: ",\n") }
    try member.append(features)
    hasFeatures = true
  }

  /// Ends the file and gives it its name.
  func finish() throws {
    try member.append(stored: "\n]}\n")
    try member.finish()
    try ResultsFolder.finish(path)
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
