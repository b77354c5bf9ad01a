import COsmium
import Geography

/// A point, a line or an area of a map.
struct MapShape {
  enum Kind { case point, line, area }

  /// What it is made of: a node, a way, or a multipolygon's relation.
  enum Origin: UInt8 {
    case node = 0x6E  // n
    case way = 0x77  // w
    case relation = 0x72  // r
  }

  var kind: Kind
  /// Lines, or rings; of a point one line of one point.
  var lines: [[FixedCoordinate]]
}

/// What libosmium calls back.
private final class ShapeHandlers {
  let choose: (MapShape.Origin, Tags) -> MapShape.Kind?
  let handle: (MapShape, Tags) -> Void

  init(choose: @escaping (MapShape.Origin, Tags) -> MapShape.Kind?, handle: @escaping (MapShape, Tags) -> Void) {
    (self.choose, self.handle) = (choose, handle)
  }

  /// As `COsmiumChooser` answers.
  func want(_ type: CChar, _ tags: COsmiumTags) -> Int32 {
    guard let origin = MapShape.Origin(rawValue: UInt8(bitPattern: type)), let kind = choose(origin, Tags(tags)) else {
      return 0
    }
    return kind == .area ? 2 : 1
  }

  func pass(_ shape: COsmiumShape) {
    let kinds: [UInt8: MapShape.Kind] = [0x70: .point, 0x6C: .line, 0x61: .area]  // p, l, a
    guard let kind = kinds[UInt8(bitPattern: shape.type)] else { return }
    var start = 0
    let lines = UnsafeBufferPointer(start: shape.ends, count: shape.ring_count).map { end in
      defer { start = end }
      return (start..<end).map {
        FixedCoordinate(longitude: shape.coordinates[2 * $0], latitude: shape.coordinates[2 * $0 + 1])
      }
    }
    handle(MapShape(kind: kind, lines: lines), Tags(shape.tags))
  }
}

extension OSMSource {
  /// Passes on the shapes that `choose` wants by their tags: points, then areas of relations, then ways. Areas have rings
  /// that are closed, holes among them; what does not close is left out. *Throws*: `MapError`.
  func readShapes(
    choosing choose: @escaping (MapShape.Origin, Tags) -> MapShape.Kind?,
    _ handle: @escaping (MapShape, Tags) -> Void
  ) throws {
    let handlers = ShapeHandlers(choose: choose, handle: handle)
    try withExtendedLifetime(handlers) {
      try call { source, message, size in
        cosmium_read_shapes(
          source, Unmanaged.passUnretained(handlers).toOpaque(),
          { Unmanaged<ShapeHandlers>.fromOpaque($0!).takeUnretainedValue().want($1, $2!.pointee) },
          { Unmanaged<ShapeHandlers>.fromOpaque($0!).takeUnretainedValue().pass($1!.pointee) }, message, size)
      }
    }
  }
}
