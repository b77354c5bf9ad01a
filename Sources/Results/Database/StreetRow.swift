import Geography

/// A row of table `street`: a street of the map, simplified.
package struct StreetRow: Sendable {
  package var roadClass: String
  package var points: [FixedCoordinate]

  package init(roadClass: String, points: [FixedCoordinate]) {
    self.roadClass = roadClass
    self.points = points
  }

  static let table = Table<StreetRow>(
    "street", "street around the places, as a backdrop of maps",
    [
      .rowNumber("fid"),
      .text("class", "the road's class: `motorway` to `path`") { $0.roadClass },
      .geometry("geom", .lineString) { GeometryBlob(line: $0.points[...]) },
    ])
}
