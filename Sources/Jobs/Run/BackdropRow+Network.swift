import Foundation
import Geography
import StreetNetwork
import Tables

extension BackdropRow {
  /// The maximum size of the text; more would make a page too large.
  private static let maximumBytes = 1_800_000

  /// Returns the part of a network's basemap around results, low zooms first, then a row without features for each
  /// class of streets omitted to limit the page's size, then the map's extent, and hills.
  ///
  /// - Parameter reach: The distance in metres that results extend beyond the box.
  static func rows(of network: StreetNetwork, around box: BoundingBox, reach: Double) -> [BackdropRow] {
    // If no place is on the map, only the map's extent is drawn.
    guard !box.isEmpty else { return [extentRow(network.backdrop.extent)] }
    let margin = min(reach / Coordinate.metresPerDegree, 1) * 1e7
    let extent = max(box.width, box.height) + 2 * margin
    let area = box.enlarged(by: margin + max(20_000, extent * 0.15))
    let (parts, omittedClasses) = network.backdrop.parts(overlapping: area, atMost: BackdropRow.maximumBytes)
    return parts.map {
      BackdropRow(layer: "\($0.layer)", kind: $0.kind, minZoom: $0.minZoom, box: $0.box, features: $0.features)
    }
      + omittedClasses.map { BackdropRow(layer: "street", kind: $0, minZoom: 0, box: area, features: "") }
      + [extentRow(network.backdrop.extent)] + hills(of: network, in: area)
  }

  /// Returns a row of layer `hills`, on a network with a DEM; none if elevations are unknown.
  private static func hills(of network: StreetNetwork, in area: BoundingBox) -> [BackdropRow] {
    var box = network.backdrop.extent
    (box.minLongitude, box.maxLongitude) = (
      max(box.minLongitude, area.minLongitude), min(box.maxLongitude, area.maxLongitude)
    )
    (box.minLatitude, box.maxLatitude) = (
      max(box.minLatitude, area.minLatitude), min(box.maxLatitude, area.maxLatitude)
    )
    // The run has already read the DEM; on failure the page has no hills.
    guard !box.isEmpty, let elevation = network.profile.elevation,
      let shade = try? HillShade(elevation, in: box)
    else { return [] }
    let deflater = Deflater()
    deflater.append(TextBytes(shade.light[...]))
    var text = TextBuffer(capacity: 100)
    // An empty last block ends the stream.
    let light = Data(deflater.finishBlock().bytes + [3, 0]).base64EncodedString()
    text.append(text: "\"\(shade.columns) \(shade.rows) \(light)\",")
    text.append(jsonString: EncodedPolyline.text(of: [box.ring]))
    return [BackdropRow(layer: "hills", kind: "", minZoom: 0, box: box, features: text.string())]
  }

  /// Returns a row of layer `extent`: the box outside of which the map is empty.
  private static func extentRow(_ box: BoundingBox) -> BackdropRow {
    var text = TextBuffer(capacity: 100)
    text.append("\"\",")
    text.append(jsonString: EncodedPolyline.text(of: [box.ring]))
    return BackdropRow(layer: "extent", kind: "", minZoom: 0, box: box, features: text.string())
  }
}

extension BoundingBox {
  /// Creates the bounding box of the places of trips; a place with wrong coordinates, far from all streets, must not
  /// extend the box to the whole earth.
  init(around places: some Sequence<SnappedPlace>) {
    self = .empty
    for place in places { if let end = place.usableEnd { extend(to: end.place) } }
  }
}
