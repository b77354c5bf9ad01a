import Jobs
import Tables

extension PageData {
  /// What the map is drawn upon: the rows' texts as they are, and which streets are left out.
  mutating func add(_ backdrop: [BackdropRow]) {
    let rows = backdrop.filter { !$0.features.isEmpty }.map { row in
      "[\"\(row.layer)\",\"\(row.kind)\",\(row.minZoom),[\(row.features)]]"
    }
    add("backdrop", "[\(rows.joined(separator: ",\n"))]")
    let leftOut = backdrop.filter(\.features.isEmpty).map { PageData.words[$0.kind] ?? $0.kind }
    guard !leftOut.isEmpty else { return }
    add("leftOut", PageData.json("Left out of the map, which is large: \(leftOut.joined(separator: ", "))."))
  }

  /// Classes of streets, for a reader.
  private static let words = [
    "motorway": "motorways", "trunk": "trunk roads", "primary": "primary roads", "secondary": "secondary roads",
    "tertiary": "tertiary roads", "street": "residential streets", "livingStreet": "living streets",
    "service": "service roads", "track": "tracks", "path": "paths", "other": "ferries and other connections",
    "origin": "the polygons of origins",
  ]
}
