import COsmium

/// A mutable list of an object's tags, used to test the object without one of them.
struct TagList: Sendable {
  var pairs: [(key: String, value: String)] = []

  init(_ tags: Tags) {
    tags.withBytes { bytes in
      var at = 0
      while at < bytes.count {
        let key = String(cString: bytes.baseAddress! + at)
        at += key.utf8.count + 1
        let value = String(cString: bytes.baseAddress! + at)
        at += value.utf8.count + 1
        pairs.append((key, value))
      }
    }
  }

  subscript(key: String) -> String? { pairs.first { $0.key == key }?.value }

  func without(_ indices: Int...) -> TagList {
    var list = self
    list.pairs = pairs.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
    return list
  }

  /// Returns a copy with a tag added or replaced.
  func with(_ key: String, _ value: String) -> TagList {
    var list = self
    list.pairs.removeAll { $0.key == key }
    list.pairs.append((key, value))
    return list
  }

  /// Calls `body` with the tags in the format that rules expect, valid only during the call.
  func withTags<R>(_ body: (Tags) -> R) -> R {
    var bytes: [CChar] = []
    for (key, value) in pairs {
      for text in [key, value] { bytes.append(contentsOf: text.utf8CString) }
    }
    return bytes.withUnsafeBufferPointer { bytes in
      body(Tags(COsmiumTags(bytes: bytes.baseAddress, size: bytes.count)))
    }
  }
}
