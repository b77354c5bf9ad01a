/// A tag about times that cannot be read, and what has it. No padding: it is written as it is.
struct UnreadableTag: Sendable, BitwiseCopyable {
  var id: Int64
  // As a number: an enumeration takes one byte, whatever its raw values, and three more that nobody writes.
  private var rawKind: UInt32
  /// `key=value`, as a name.
  var tag: UInt32

  enum Kind: UInt32, Sendable { case node, way, relation }

  init(id: Int64, kind: Kind, tag: UInt32) { (self.id, rawKind, self.tag) = (id, kind.rawValue, tag) }

  var kind: Kind { Kind(rawValue: rawKind) ?? .node }
}

extension StreetNetwork {
  /// Tags about times that cannot be read, as `way 123: access:conditional=no @ (wet)`, in the order of the map.
  package var unreadableTags: [String] {
    unreadable.map { "\($0.kind) \($0.id): \(name($0.tag))" }
  }
}
