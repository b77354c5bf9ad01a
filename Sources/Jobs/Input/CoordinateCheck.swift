import Geography

/// Whether numbers of the input can be a point on the map, and what to say if not.
struct CoordinateCheck {
  /// The map's: a point outside of it that would lie inside with longitude and latitude exchanged is refused with that
  /// advice.
  let area: BoundingBox

  struct Problem: Error { var reason: String }

  /// `what` it is that lies there, for the sentence: "the origin".
  func point(longitude: Double, latitude: Double, of what: String) -> Result<FixedCoordinate, Problem> {
    guard longitude.isFinite, latitude.isFinite else {
      return .failure(Problem(reason: "\(what)'s coordinates are no finite numbers"))
    }
    let swapped = Coordinate(latitude: longitude, longitude: latitude)
    guard abs(latitude) <= 90 else {
      let advice = swapped.isValid ? "; are longitude and latitude exchanged?" : ""
      return .failure(Problem(reason: "\(what)'s latitude \(latitude) lies outside -90…90\(advice)"))
    }
    guard abs(longitude) <= 180 else {
      return .failure(Problem(reason: "\(what)'s longitude \(longitude) lies outside -180…180"))
    }
    let point = FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude))
    let margin: Int32 = 1_000_000  // a tenth of a degree: places a little off the map are no mistake
    if !area.contains(point, margin: margin), swapped.isValid, area.contains(FixedCoordinate(swapped)) {
      return .failure(
        Problem(reason: "\(what) lies outside the map, and inside it with longitude and latitude exchanged"))
    }
    return .success(point)
  }

  /// The number in a column, or what is wrong with it.
  static func number(_ field: String, in column: String) -> Result<Double, Problem> {
    if let number = Double(field) { return .success(number) }
    guard !field.isEmpty else { return .failure(Problem(reason: "\(column) is empty")) }
    let advice = field.contains(",") ? "; decimals are written with a point" : ""
    return .failure(Problem(reason: "\(column) \"\(field)\" is no number\(advice)"))
  }
}
