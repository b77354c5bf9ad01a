import COsmium
import Foundation

/// The tags of an object: a view of memory that is libosmium's, gone after the callback, or a `TagStore`'s.
struct Tags {
  private let bytes: UnsafePointer<CChar>?
  private let size: Int

  init(_ tags: COsmiumTags) {
    bytes = tags.bytes
    size = tags.size
  }

  /// No tags.
  init() { self.init(COsmiumTags(bytes: nil, size: 0)) }

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

  /// All of them, as libosmium keeps them: key, NUL, value, NUL, key, …
  func withBytes(_ body: (UnsafeBufferPointer<CChar>) -> Void) {
    body(UnsafeBufferPointer(start: bytes, count: size))
  }

  func hasKey(endingWith suffix: String) -> Bool {
    hasKey { key, size in
      size >= suffix.utf8.count && strcmp(key + size - suffix.utf8.count, suffix) == 0
    }
  }

  func hasKey(beginningWith prefix: String) -> Bool {
    hasKey { key, _ in strncmp(key, prefix, prefix.utf8.count) == 0 }
  }

  private func hasKey(where isMeant: (UnsafePointer<CChar>, Int) -> Bool) -> Bool {
    guard var at = bytes else { return false }
    let end = at + size
    while at < end {
      let size = strlen(at)
      if isMeant(at, size) { return true }
      at += size + 1
      at += strlen(at) + 1
    }
    return false
  }
}

extension Tags {
  /// Whether a way is a bridge or a tunnel. A passage through a building is on the ground.
  var isOffGround: Bool {
    if let bridge = self["bridge"], bridge != "no" { return true }
    guard let tunnel = self["tunnel"] else { return false }
    return !["no", "building_passage"].contains(tunnel)
  }
}
