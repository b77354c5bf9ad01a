import Geography
import Hierarchy

/// Packs features: those of one kind and zoom in one tile of the map are a part.
struct BackdropBuilder {
  private struct Key: Hashable, Comparable {
    var minZoom: UInt8
    var layer: BackdropLayer
    var kind: String
    var tile: Tile

    static func < (a: Key, b: Key) -> Bool {
      (a.minZoom, a.layer.rawValue, a.kind, a.tile.y, a.tile.x) < (
        b.minZoom, b.layer.rawValue, b.kind, b.tile.y, b.tile.x
      )
    }
  }

  /// A square of degrees.
  private struct Tile: Hashable {
    var x: Int32
    var y: Int32
  }

  private var features: [Key: [BackdropFeature]] = [:]

  /// A feature is in the tile of its middle; the box of a part is around all of its features.
  mutating func add(_ feature: BackdropFeature) {
    let box = feature.box
    guard !box.isEmpty else { return }
    // About 110 km, 14 km and 3 km.
    let size: Int32 = feature.minZoom < 9 ? 10_000_000 : feature.minZoom < 12 ? 1_250_000 : 312_500
    let middle = box.centre
    let tile = Tile(x: middle.longitude / size, y: middle.latitude / size)
    features[Key(minZoom: feature.minZoom, layer: feature.layer, kind: feature.kind, tile: tile), default: []]
      .append(feature)
  }

  func columns() -> (records: [Backdrop.Record], text: [UInt8], kinds: String) {
    let kinds = Set(features.keys.map(\.kind)).sorted()
    let indices = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, UInt16($0)) })
    var records: [Backdrop.Record] = []
    var text: [UInt8] = []
    for (key, features) in features.sorted(by: { $0.key < $1.key }) {
      var box = BoundingBox.empty
      for (index, feature) in BackdropBuilder.joined(features, key.layer).enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        BackdropBuilder.append(json: feature.name.utf8, to: &text)
        text.append(UInt8(ascii: ","))
        BackdropBuilder.append(json: EncodedPolyline.text(of: feature.lines).utf8, to: &text)
        box.formUnion(feature.box)
      }
      // More text than a record can count is a continent's: what is drawn last is left out.
      guard let end = UInt32(exactly: text.count) else { break }
      records.append(
        Backdrop.Record(
          box: box, end: end, kind: indices[key.kind]!, minZoom: key.minZoom, layer: key.layer))
    }
    return (records, text, kinds.joined(separator: "\n"))
  }

  /// Streets and railways of one name are joined end to end: fewer points, and a name once.
  private static func joined(_ features: [BackdropFeature], _ layer: BackdropLayer) -> [BackdropFeature] {
    guard layer == .street || layer == .railway else { return features }
    var names = Interner<String>()
    var lines: [[[FixedCoordinate]]] = []
    for feature in features {
      let index = names.index(of: feature.name)
      if index == lines.count { lines.append([]) }
      lines[index] += feature.lines
    }
    return zip(names.values, lines).map { name, lines in
      var feature = features[0]
      feature.name = name
      feature.lines = Strokes(lines).joined().map { LineSimplifier.drawn($0, from: feature.minZoom) }
      return feature
    }
  }

  /// A JSON string that an element of a page may hold.
  private static func append(json text: String.UTF8View, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "<"): bytes += Array("\\u003c".utf8)
      case ..<0x20: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
