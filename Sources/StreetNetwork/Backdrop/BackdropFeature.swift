import Geography

/// A street, a lake, a town: what is drawn under results, before it is packed.
struct BackdropFeature {
  var layer: BackdropLayer
  /// A street's road class, a place's rank; empty for others.
  var kind: String
  /// The zoom of web maps from which it is drawn.
  var minZoom: UInt8
  var name: String
  /// Lines; of areas rings, whose last points are their first.
  var lines: [[FixedCoordinate]]

  var box: BoundingBox { BoundingBox(around: lines.joined()) }
}
