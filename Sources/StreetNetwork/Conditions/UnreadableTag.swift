/// A tag about times that cannot be read, and what has it. No padding: it is written as it is.
struct UnreadableTag: Sendable, BitwiseCopyable {
  var id: Int64
  var kind: Kind
  /// `key=value`, as a name.
  var tag: UInt32

  enum Kind: UInt32, Sendable, BitwiseCopyable { case node, way, relation }
}

extension StreetNetwork {
  /// Tags about times that cannot be read, as `way 123: access:conditional=no @ (wet)`, in the order of the map.
  package var unreadableTags: [String] {
    unreadable.map { "\($0.kind) \($0.id): \(name($0.tag))" }
  }
}
