import COsmium
import Foundation

/// Copies of tags in libosmium's format: key, NUL, value, NUL, key, …
///
/// Tags that no rule reads, such as addresses and data sources, are left out: they make up half of the bytes of an
/// American map. Names and road numbers seldom affect rules (an exception is the line of a ferry), and thousands of
/// ways differ only in names and numbers. Such ways form a class, for which the rules are evaluated once; the effects
/// of names are evaluated for each way (`WayClassifier`).
struct TagStore {
  private var bytes: [CChar] = []
  /// The tags of the first object in each class.
  private var classTags: [Range<Int>] = []
  private var hashes: [UInt64] = []
  /// Classes by hash, in a table that is at most half full.
  private var slots = [UInt32](repeating: .max, count: 1024)
  /// Whether each object has a class of its own and keeps all tags, for profiles whose rules read names or tags that
  /// are otherwise left out.
  private let hasClassPerObject: Bool

  init(hasClassPerObject: Bool = false) { self.hasClassPerObject = hasClassPerObject }

  /// The prefixes of the keys left out; a prefix that ends in NUL is a whole key.
  private static let origins = [
    "addr:", "created_by", "description", "fixme", "FIXME", "gnis:", "is_in", "note", "source\0", "source:name",
    "tiger:",
    "website", "wikidata", "wikipedia",
  ]
  /// The same prefixes by their first byte.
  private static let originsByByte = (0..<256).map { byte in
    origins.filter { Int($0.utf8.first!) == byte }.map { $0.utf8.map { CChar(bitPattern: $0) } }
  }
  private static let names = ["name", "ref"]

  /// Returns whether objects of one class may differ in a key: a name, a road number, or a key left out.
  static func mayDifferWithinClass(_ key: String) -> Bool {
    names.contains(key) || isLeftOut(key)
  }

  /// Returns whether tags with a key are left out unless each object has a class of its own.
  static func isLeftOut(_ key: String) -> Bool { key.withCString(isOrigin) }

  /// Copies `tags`, and returns the copy's range and its class; classes are numbered in order of appearance.
  mutating func append(_ tags: Tags) -> (range: Range<Int>, kind: UInt32) {
    let start = bytes.count
    var hash: UInt64 = 0
    tags.withBytes { tags in
      var at = 0
      while at < tags.count {
        let key = tags.baseAddress! + at
        let keySize = strlen(key) + 1
        let size = keySize + strlen(key + keySize) + 1
        if hasClassPerObject || !TagStore.isOrigin(key) {
          bytes.append(contentsOf: tags[at..<at + size])
          hash = TagStore.hash(key, TagStore.isName(key, keySize) ? keySize : size, from: hash)
        }
        at += size
      }
    }
    let range = start..<bytes.count
    return (range, hasClassPerObject ? addClass(range, hash) : kind(of: range, hash))
  }

  var classCount: Int { classTags.count }

  /// Removes the last tags, unless their class is new.
  mutating func removeLast(_ range: Range<Int>) {
    if classTags.last != range { bytes.removeSubrange(range) }
  }

  private mutating func addClass(_ range: Range<Int>, _ hash: UInt64) -> UInt32 {
    classTags.append(range)
    hashes.append(hash)
    return UInt32(classTags.count - 1)
  }

  private mutating func kind(of range: Range<Int>, _ hash: UInt64) -> UInt32 {
    var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while slots[slot] != .max {
      let kind = Int(slots[slot])
      if hashes[kind] == hash, haveSameClass(classTags[kind], range) { return UInt32(kind) }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = addClass(range, hash)
    if classTags.count * 2 > slots.count { grow() }
    return UInt32(classTags.count - 1)
  }

  private mutating func grow() {
    slots = Array(repeating: .max, count: slots.count * 2)
    for (kind, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
      while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(kind)
    }
  }

  private func haveSameClass(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var (x, y) = (a.lowerBound, b.lowerBound)
      while x < a.upperBound && y < b.upperBound {
        let (first, second) = (bytes.baseAddress! + x, bytes.baseAddress! + y)
        let (firstKey, secondKey) = (strlen(first) + 1, strlen(second) + 1)
        let (firstSize, secondSize) = (
          firstKey + strlen(first + firstKey) + 1, secondKey + strlen(second + secondKey) + 1
        )
        guard firstKey == secondKey, memcmp(first, second, firstKey) == 0 else { return false }
        if !TagStore.isName(first, firstKey) {
          guard firstSize == secondSize, memcmp(first, second, firstSize) == 0 else { return false }
        }
        x += firstSize
        y += secondSize
      }
      return x == a.upperBound && y == b.upperBound
    }
  }

  /// Calls `body` with a function that returns the tags of a range; the tags are valid only during the call of `body`.
  func withTags(_ body: ((Range<Int>) -> Tags) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      body { range in
        range.isEmpty ? Tags() : Tags(COsmiumTags(bytes: bytes.baseAddress! + range.lowerBound, size: range.count))
      }
    }
  }

  private static func isName(_ key: UnsafePointer<CChar>, _ size: Int) -> Bool {
    size == 5 ? memcmp(key, "name", 5) == 0 : size == 4 && memcmp(key, "ref", 4) == 0
  }

  private static func isOrigin(_ key: UnsafePointer<CChar>) -> Bool {
    originsByByte[Int(UInt8(bitPattern: key[0]))].contains { strncmp(key, $0, $0.count) == 0 }
  }

  /// Hashes eight bytes at a time by multiplication and shifts.
  private static func hash(_ bytes: UnsafePointer<CChar>, _ count: Int, from start: UInt64) -> UInt64 {
    var hash = start ^ UInt64(count)
    let raw = UnsafeRawPointer(bytes)
    var at = 0
    while at < count {
      var word: UInt64 = 0
      if at + 8 <= count {
        word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      } else {
        for byte in at..<count { word = word << 8 | UInt64(UInt8(bitPattern: bytes[byte])) }
      }
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      at += 8
    }
    return hash
  }
}
