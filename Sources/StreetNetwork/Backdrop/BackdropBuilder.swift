import Geography
import Hierarchy

/// Packs basemap features into parts: one per layer, kind, zoom and tile.
struct BackdropBuilder {
  private struct Key: Hashable, Comparable {
    var minZoom: UInt8
    var layer: BackdropLayer
    var kind: String
    /// The column and row of a tile in a grid of degrees.
    var x: Int32
    var y: Int32

    static func < (a: Key, b: Key) -> Bool {
      (a.minZoom, a.layer.rawValue, a.kind, a.y, a.x) < (b.minZoom, b.layer.rawValue, b.kind, b.y, b.x)
    }
  }

  private var features: [Key: [BackdropFeature]] = [:]

  /// Adds a feature to the tile that contains its centre. The bounding box of a part covers all of its features.
  mutating func add(_ feature: BackdropFeature) {
    let box = feature.box
    guard !box.isEmpty else { return }
    // Tiles of about 110 km, 14 km and 3.5 km.
    let size: Int32 = feature.minZoom < 9 ? 10_000_000 : feature.minZoom < 12 ? 1_250_000 : 312_500
    let centre = box.centre
    let (x, y) = (centre.longitude / size, centre.latitude / size)
    features[Key(minZoom: feature.minZoom, layer: feature.layer, kind: feature.kind, x: x, y: y), default: []]
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
      // Only a continent-sized map exceeds a record's 32-bit offset; the parts drawn last are then left out.
      guard let end = UInt32(exactly: text.count) else { break }
      records.append(
        Backdrop.Record(box: box, end: end, kind: indices[key.kind]!, minZoom: key.minZoom, layer: key.layer))
    }
    return (records, text, kinds.joined(separator: "\n"))
  }

  /// Joins streets and railways of the same name end to end, which saves points and repeated names.
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
      feature.lines = Strokes(lines).joined().map { $0.drawn(from: feature.minZoom) }
      return feature
    }
  }

  /// Appends a JSON string that is safe in an HTML element.
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

/// The layers of the basemap, from the bottom up.
package enum BackdropLayer: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case sea, park, water, railway, street, place
}

/// A feature of the basemap before it is packed: a street, a lake, a town.
struct BackdropFeature {
  var layer: BackdropLayer
  /// A street's road class or a place's rank; empty for other layers.
  var kind: String
  /// The minimum web map zoom at which the feature is drawn.
  var minZoom: UInt8
  var name: String
  /// Lines, or closed rings of areas.
  var lines: [[FixedCoordinate]]

  var box: BoundingBox { BoundingBox(around: lines.joined()) }
}

/// The basemap as text, built with the network; clipping it to the bounding box of a job takes microseconds.
///
/// Parts are sorted by ascending zoom: to limit the size, take the first ones.
package struct Backdrop: Sendable {
  /// The location of a part in the text.
  struct Record: BitwiseCopyable, Sendable {
    var box: BoundingBox
    /// The end offset of the part's text, which begins where the previous part's text ends.
    var end: UInt32
    /// The index of the part's kind in `kinds`.
    var kind: UInt16
    var minZoom: UInt8
    var layer: BackdropLayer
  }

  /// Features of one kind in one tile, in the format used by pages.
  package struct Part: Sendable {
    package var layer: BackdropLayer
    package var kind: String
    package var minZoom: Int
    package var box: BoundingBox
    /// `"name","geometry","name","geometry",…`: names and encoded polylines as JSON strings, with no "<" in them.
    package var features: String
  }

  let records: Column<Record>
  let text: Column<UInt8>
  /// All kinds, one per line.
  private let kinds: [String]

  init(records: Column<Record>, text: Column<UInt8>, kinds: String) {
    (self.records, self.text) = (records, text)
    self.kinds = kinds.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the parts that overlap a box, with at most the given number of bytes of text, and the street classes left
  /// out.
  ///
  /// The features of one layer and zoom are included completely or not at all: half of a town's streets would look like
  /// a whole town. Once a class of streets is left out, no further ones are included. If the finer lines of streets do
  /// not fit, those nearest to the centre of the box are included, and "detail" is among the classes left out.
  package func parts(overlapping box: BoundingBox, atMost bytes: Int) -> (parts: [Part], leftOut: [String]) {
    var groups: [[(record: Record, text: Range<Int>)]] = []
    var start = 0
    for record in records.buffer {
      let range = start..<Int(record.end)
      start = range.upperBound
      guard record.box.intersects(box) else { continue }
      if let last = groups.last?[0].record, last.minZoom == record.minZoom, last.layer == record.layer {
        groups[groups.count - 1].append((record, range))
      } else {
        groups.append([(record, range)])
      }
    }
    var (parts, leftOut): ([Part], [String]) = ([], [])
    var remaining = bytes
    for group in groups {
      let size = group.reduce(0) { $0 + $1.text.count }
      let layer = group[0].record.layer
      guard size <= remaining, layer != .street || leftOut.isEmpty else {
        guard layer == .street else { continue }
        let known = Set(parts.lazy.filter { $0.layer == .street }.map(\.kind))
        let finer = group.filter { known.contains(kinds[Int($0.record.kind)]) }
        if !finer.isEmpty, leftOut.isEmpty {
          for (record, text) in Backdrop.nearest(finer, to: box.centre) where text.count <= remaining {
            remaining -= text.count
            parts.append(part(record, text))
          }
        }
        let missing = group.map { kinds[Int($0.record.kind)] }.map { known.contains($0) ? Backdrop.detail : $0 }
        for kind in missing where !leftOut.contains(kind) { leftOut.append(kind) }
        continue
      }
      remaining -= size
      parts += group.map { part($0.record, $0.text) }
    }
    return (parts, leftOut)
  }

  /// The class reported as left out if not all finer lines of streets fit.
  package static let detail = "detail"

  private static func nearest(
    _ group: [(record: Record, text: Range<Int>)], to middle: FixedCoordinate
  ) -> [(record: Record, text: Range<Int>)] {
    group.map { (part: $0, metres: $0.record.box.centre.coordinate.distance(to: middle.coordinate)) }
      .sorted { ($0.metres, $0.part.text.lowerBound) < ($1.metres, $1.part.text.lowerBound) }.map(\.part)
  }

  /// The bounding box of the streets and the sea around it; empty without streets.
  package var extent: BoundingBox {
    var box = BoundingBox.empty
    for record in records.buffer where record.layer == .street { box.formUnion(record.box) }
    return box.isEmpty ? box : SeaAreas.frame(around: box)
  }

  private func part(_ record: Record, _ range: Range<Int>) -> Part {
    Part(
      layer: record.layer, kind: kinds[Int(record.kind)], minZoom: Int(record.minZoom), box: record.box,
      features: String(decoding: text.buffer[range], as: UTF8.self))
  }
}

extension RoadClass {
  /// The minimum web map zoom at which streets of the class are drawn.
  fileprivate var minZoom: UInt8 {
    switch self {
    case .motorway: 5
    case .trunk: 7
    case .primary: 8
    case .secondary, .other: 10
    case .tertiary: 11
    case .street: 12
    case .livingStreet: 13
    case .service, .track, .path: 14
    }
  }

  /// The zooms at which the class has a separate level of detail: four zooms apart, the last at street level.
  fileprivate var levels: [UInt8] { minZoom < 12 ? Array(stride(from: minZoom, to: 12, by: 4)) + [13] : [minZoom] }
}

extension BackdropBuilder {
  /// Adds the streets of a network, except gates and lines that cross squares.
  mutating func add(
    _ streets: [Street], points: [FixedCoordinate], _ attributes: [StreetAttributes], names: (UInt32) -> String
  ) {
    var kinds: [RoadClass: String] = [:]
    for (index, street) in streets.enumerated() where !street.flags.contains(.gate) {
      let attributes = attributes[Int(street.attributes)]
      guard !attributes.traits.contains(.square) else { continue }
      let line = Array(points[streets.shape(of: index, points.count)])
      let kind = kinds[attributes.roadClass] ?? "\(attributes.roadClass)"
      kinds[attributes.roadClass] = kind
      for zoom in attributes.roadClass.levels {
        add(BackdropFeature(layer: .street, kind: kind, minZoom: zoom, name: names(attributes.name), lines: [line]))
      }
    }
  }
}
