extension StreetAttributes {
  /// Whether both are on one square, where nobody is told of corners, and all lines across are one way onto it.
  func isSameSquare(as other: StreetAttributes) -> Bool {
    traits.contains(.square) && other.traits.contains(.square) && name == other.name && kind == other.kind
  }
}
