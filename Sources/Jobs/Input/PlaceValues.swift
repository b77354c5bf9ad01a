import Geography

/// What a row says of a place, before its coordinates are checked.
struct PlaceValues {
  var id: String?
  var name: String?
  /// GTFS's `location_type`.
  var part: String?
  /// GTFS's `parent_station`.
  var parent: String?
  var longitude: Double
  var latitude: Double
}

extension PlaceValues {
  /// The place that a GeoJSON feature is.
  init(_ feature: GeoJSONFeature) throws(RowProblem) {
    guard feature.geometry == "Point", let position = feature.positions.first, position.count >= 2 else {
      throw RowProblem("got a \(feature.geometry), expected a Point")
    }
    let properties = feature.properties
    self.init(
      id: feature.id ?? properties["id"], name: properties["name"], part: properties["location_type"],
      parent: properties["parent_station"], longitude: position[0], latitude: position[1])
  }
}
