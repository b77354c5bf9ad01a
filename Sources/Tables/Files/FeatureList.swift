import Geography

/// The Features of a chunk, compressed as they arrive, separated by a comma and a line feed.
package final class FeatureList {
  private let deflater = Deflater()
  private var isEmpty = true

  package init() {}

  /// Appends a Feature, which `body` writes; `text` is a buffer to reuse.
  package func append(_ text: inout TextBuffer, _ body: (inout TextBuffer) -> Void) {
    text.removeAll()
    if !isEmpty { text.append(",\n") }
    body(&text)
    deflater.append(text)
    isEmpty = false
  }

  /// Returns the Features appended so far; the next one begins a new chunk.
  package func finishBlock() -> DeflatedBlock {
    isEmpty = true
    return deflater.finishBlock()
  }
}
