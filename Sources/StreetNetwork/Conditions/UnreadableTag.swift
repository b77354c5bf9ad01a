/// An unreadable time-dependent tag and its object. It has no padding, since it is written as bytes.
struct UnreadableTag: Sendable, BitwiseCopyable {
  var id: Int64
  // A number, since an enumeration takes one byte regardless of its raw type, plus three bytes of padding.
  private var rawKind: UInt32
  /// The index of `key=value` among the names.
  var tag: UInt32

  enum Kind: UInt32, Sendable { case node, way, relation }

  init(id: Int64, kind: Kind, tag: UInt32) { (self.id, rawKind, self.tag) = (id, kind.rawValue, tag) }

  var kind: Kind { Kind(rawValue: rawKind) ?? .node }
}

extension StreetNetwork {
  /// Unreadable time-dependent tags, such as `way 123: access:conditional=no @ (wet)`, in map order.
  package var unreadableTags: [String] { unreadable.map { "\($0.kind) \($0.id): \(name($0.tag))" } }
}
