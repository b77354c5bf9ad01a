import COsmium
import Foundation

/// The tags of an object while it is being read: a view of libosmium's memory, gone after the callback.
struct Tags {
  private let bytes: UnsafePointer<CChar>?
  private let size: Int

  init(_ tags: COsmiumTags) {
    bytes = tags.bytes
    size = tags.size
  }

  var isEmpty: Bool { size == 0 }

  /// The value of `key`. *Complexity*: O(tags), a comparison each.
  subscript(key: String) -> String? {
    guard var at = bytes else { return nil }
    let end = at + size
    return key.withCString { key in
      while at < end {
        let value = at + strlen(at) + 1
        if strcmp(at, key) == 0 { return String(cString: value) }
        at = value + strlen(value) + 1
      }
      return nil
    }
  }
}
