import Foundation
import Geography

/// A row of table `backdrop`: the streets, lakes or names of one kind in one part of the map.
package struct BackdropRow: Sendable {
  package var layer: String
  package var kind: String
  package var minZoom: Int
  package var box: BoundingBox
  /// Alternating names and geometries as JSON strings: `"name","geometry",…`.
  package var features: String

  package init(layer: String, kind: String, minZoom: Int, box: BoundingBox, features: String) {
    (self.layer, self.kind, self.minZoom, self.box, self.features) = (layer, kind, minZoom, box, features)
  }

  package static let table = Table<BackdropRow>(
    "backdrop", "group of basemap features, packed by layer, class and zoom",
    [
      .rowNumber("fid"),
      .text(
        "layer",
        "`sea`, `park`, `water`, `railway`, `street`, `place`; `area`: input polygons by id; "
          + "`extent`: bounding box of the map; `hills`: hillshade as a grid, on networks with a DEM"
      ) { $0.layer },
      .text("class", "`motorway` to `path` for streets, `city` and others for places, `origin` for areas") { $0.kind },
      .integer(
        "min_zoom",
        "lowest web map zoom level for drawing; streets replace streets of the same class at lower zoom levels"
      ) { $0.minZoom },
      .lineBreak,
      .real("min_longitude", "degrees; bounding box of the features") { Double($0.box.minLongitude) / 1e7 },
      .real("min_latitude", "degrees") { Double($0.box.minLatitude) / 1e7 },
      .real("max_longitude", "degrees") { Double($0.box.maxLongitude) / 1e7 },
      .real("max_latitude", "degrees") { Double($0.box.maxLatitude) / 1e7 },
      .lineBreak,
      .text(
        "features",
        "alternating names and lines as comma-separated JSON strings; lines are encoded polylines (Google), parts or rings separated by spaces"
      ) { $0.features },
    ])
}

extension BackdropRow {
  /// The lines or rings of each feature.
  package var shapes: [[[FixedCoordinate]]] { features.isEmpty ? [] : geometries.map(EncodedPolyline.lines) }

  /// A named place. Places in the same row differ only in name and point.
  package struct Place {
    package var name: String
    package var kind: String
    package var point: FixedCoordinate
  }

  /// The places of a row of layer `place`.
  package var places: [Place] {
    let strings = (try? JSONDecoder().decode([String].self, from: Data("[\(features)]".utf8))) ?? []
    return stride(from: 0, to: strings.count - 1, by: 2).compactMap { index in
      EncodedPolyline.lines(of: strings[index + 1]).first?.first.map { point in
        Place(name: strings[index], kind: kind, point: point)
      }
    }
  }

  /// Every other JSON string, decoded: in encoded polylines only the backslash is escaped.
  private var geometries: [String] {
    var (strings, current): ([String], [UInt8]) = ([], [])
    var (isInside, isEscaped, isGeometry) = (false, false, false)
    for byte in features.utf8 {
      switch byte {
      case _ where isEscaped:
        if isGeometry { current.append(byte) }
        isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""):
        if isInside && isGeometry { strings.append(String(decoding: current, as: UTF8.self)) }
        if isInside { isGeometry.toggle() } else { current.removeAll(keepingCapacity: true) }
        isInside.toggle()
      default: if isInside && isGeometry { current.append(byte) }
      }
    }
    return strings
  }
}
