import COsmium
import Foundation

/// Copies of tags, in libosmium's own layout: key, NUL, value, NUL, key, …
///
/// Tags about a tag's origin, which no rule reads, are left out: they are half of the bytes of an American map.
struct TagStore {
  private var bytes: [CChar] = []

  private static let origins = [
    "addr:", "created_by", "description", "fixme", "FIXME", "gnis:", "is_in", "note", "source\0", "source:name",
    "tiger:",
    "website", "wikidata", "wikipedia",
  ].map { $0.utf8.map { CChar(bitPattern: $0) } }

  /// Where the copy of `tags` lies.
  mutating func append(_ tags: Tags) -> Range<Int> {
    let start = bytes.count
    tags.withBytes { tags in
      var at = 0
      while at < tags.count {
        let key = tags.baseAddress! + at
        let size = pairSize(key)
        if !TagStore.isOrigin(key) { bytes.append(contentsOf: tags[at..<at + size]) }
        at += size
      }
    }
    return start..<bytes.count
  }

  /// Calls `body` with a function from ranges to tags, which are valid as long as it runs.
  func withTags(_ body: ((Range<Int>) -> Tags) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      body { range in
        range.isEmpty ? Tags() : Tags(COsmiumTags(bytes: bytes.baseAddress! + range.lowerBound, size: range.count))
      }
    }
  }

  private static func isOrigin(_ key: UnsafePointer<CChar>) -> Bool {
    origins.contains { strncmp(key, $0, $0.count) == 0 }
  }
}

/// Bytes of a key and its value, with their ends.
private func pairSize(_ key: UnsafePointer<CChar>) -> Int {
  let value = strlen(key) + 1
  return value + strlen(key + value) + 1
}
