import Geography

/// What a row says of a place, before its coordinates are checked.
struct PlaceValues {
  var id: String?
  var name: String?
  /// GTFS's `location_type`.
  var part: String?
  /// GTFS's `parent_station`.
  var parent: String?
  /// GTFS's `wheelchair_boarding`.
  var boarding: String?
  var longitude: Double
  var latitude: Double
  /// The rings of an area, as the input has them; empty for a point.
  var rings: [[[Double]]] = []
}

extension PlaceValues {
  /// Where it is, if that is on the earth.
  var points: [FixedCoordinate] { CoordinateCheck.points([(longitude, latitude)]) }

  /// The place that a feature is: of a polygon a point on its surface.
  ///
  init(_ feature: GeoJSONFeature, id: String?) throws(RowProblem) {
    let position = try PlaceValues.position(of: feature.geometry, feature.positions)
    self.init(
      id: id,
      name: feature.text("name"), part: feature.text("location_type"),
      parent: feature.text("parent_station"), boarding: feature.text("wheelchair_boarding"),
      longitude: position.longitude,
      latitude: position.latitude, rings: feature.rings)
  }

  /// Where a geometry is, which is a point or an area.
  static func position(
    of type: String, _ positions: [[Double]]
  ) throws(RowProblem) -> (longitude: Double, latitude: Double) {
    let isArea = ["Polygon", "MultiPolygon"].contains(type)
    guard isArea || type == "Point" || type == "MultiPoint" && positions.count <= 1 else {
      throw RowProblem("got a \(type), expected a Point, Polygon or MultiPolygon")
    }
    guard let position = positions.first, position.count >= 2 else {
      throw RowProblem("the \(type) \(isArea ? "has no surface" : "is empty")")
    }
    return (position[0], position[1])
  }
}
