import Foundation
import Geography

/// A validator for input coordinates, with messages for invalid ones.
package struct CoordinateCheck {
  /// The map's bounding box. A point outside it that would be inside with longitude and latitude swapped is rejected
  /// with a hint to swap them.
  let area: BoundingBox

  package init(area: BoundingBox) { self.area = area }

  /// Returns the point if it is valid. `subject` begins the message: "the origin".
  package func point(_ position: Coordinate, of subject: String) throws(RowProblem) -> FixedCoordinate {
    let (longitude, latitude) = (position.longitude, position.latitude)
    guard longitude.isFinite, latitude.isFinite else {
      throw RowProblem("\(subject)'s coordinates are not finite numbers")
    }
    if let system = projection(longitude, latitude) {
      throw RowProblem("\(subject)'s coordinates \(longitude), \(latitude) look like \(system); expected degrees")
    }
    let swapped = Coordinate(latitude: longitude, longitude: latitude)
    guard abs(latitude) <= 90 else {
      let advice = swapped.isValid ? "; are longitude and latitude swapped?" : ""
      throw RowProblem("\(subject)'s latitude \(latitude) lies outside -90…90\(advice)")
    }
    guard abs(longitude) <= 180 else { throw RowProblem("\(subject)'s longitude \(longitude) lies outside -180…180") }
    let point = FixedCoordinate(position)
    if !area.contains(point, margin: margin), swapped.isValid, area.contains(FixedCoordinate(swapped)) {
      throw RowProblem("\(subject) lies outside the map, but inside with longitude and latitude swapped")
    }
    return point
  }

  /// A tenth of a degree, for places slightly off the map.
  private let margin: Int32 = 1_000_000

  /// Returns the probable projection of coordinates in metres; nil for degrees.
  private func projection(_ x: Double, _ y: Double) -> String? {
    guard abs(x) > 1000 || abs(y) > 1000 else { return nil }
    let isGrid = (100_000...900_000).contains(x) && (0...10_000_000).contains(y)
    // EPSG:3857 is on a sphere (EPSG Guidance Note 7-2, 1024).
    let radius = 6_378_137.0
    let point = Coordinate(latitude: atan(sinh(y / radius)) * 180 / .pi, longitude: x / radius * 180 / .pi)
    guard point.isValid, !isGrid || area != .earth && area.contains(FixedCoordinate(point), margin: margin) else {
      return isGrid ? "UTM or national-grid metres" : "projected metres"
    }
    return "EPSG:3857"
  }

  /// Returns the valid points among positions.
  static func points(_ positions: [Coordinate]) -> [FixedCoordinate] {
    positions.filter(\.isValid).map { FixedCoordinate($0) }
  }

  /// Parses the number in a field. `column` is for messages.
  static func number(_ field: String, in column: String) throws(RowProblem) -> Double {
    if let number = Double(decimal: field) { return number }
    guard !field.isEmpty else { throw RowProblem("\(column) is empty") }
    let advice = field.contains(",") ? "; decimals are written with a point" : ""
    throw RowProblem("\(column) \"\(RowProblem.excerpt(field))\" is not a number\(advice)")
  }

  /// Parses the degrees in a field, with a decimal comma if the file uses decimal commas. `column` is for messages.
  static func degrees(_ field: String, in column: String, decimalCommas: Bool) throws(RowProblem) -> Double {
    if decimalCommas, field.count(where: { $0 == "," }) == 1, !field.contains("."),
      let number = Double(decimal: field.replacing(",", with: "."))
    {
      return number
    }
    if decimalCommas, field.contains(","), Double(decimal: field) == nil {
      throw RowProblem("\(column) \"\(RowProblem.excerpt(field))\" is not a number of degrees")
    }
    return try number(field, in: column)
  }
}
