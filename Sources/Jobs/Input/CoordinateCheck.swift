import Geography

/// Whether numbers of the input can be a point on the map, and what to say if not.
struct CoordinateCheck {
  /// The map's: a point outside of it that would lie inside with longitude and latitude exchanged is refused with that
  /// advice.
  let area: BoundingBox

  /// `what` it is that lies there, for the sentence: "the origin".
  func point(longitude: Double, latitude: Double, of what: String) throws(RowProblem) -> FixedCoordinate {
    guard longitude.isFinite, latitude.isFinite else {
      throw RowProblem("\(what)'s coordinates are not finite numbers")
    }
    let swapped = Coordinate(latitude: longitude, longitude: latitude)
    guard abs(latitude) <= 90 else {
      let advice = swapped.isValid ? "; are longitude and latitude exchanged?" : ""
      throw RowProblem("\(what)'s latitude \(latitude) lies outside -90…90\(advice)")
    }
    guard abs(longitude) <= 180 else {
      throw RowProblem("\(what)'s longitude \(longitude) lies outside -180…180")
    }
    let point = FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude))
    let margin: Int32 = 1_000_000  // a tenth of a degree: places a little off the map are accepted
    if !area.contains(point, margin: margin), swapped.isValid, area.contains(FixedCoordinate(swapped)) {
      throw RowProblem("\(what) lies outside the map, and inside it with longitude and latitude exchanged")
    }
    return point
  }

  /// The number in a column.
  static func number(_ field: String, in column: String) throws(RowProblem) -> Double {
    if let number = Double(field) { return number }
    guard !field.isEmpty else { throw RowProblem("\(column) is empty") }
    let advice = field.contains(",") ? "; decimals are written with a point" : ""
    // The wording is kept: it is in tables that are compared byte for byte.
    throw RowProblem("\(column) \"\(field)\" is no number\(advice)")
  }
}
