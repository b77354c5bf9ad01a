import Foundation
import Geography
import Results

/// A list of places: those that can be used, in the order of the file, and the rows that cannot be used.
///
/// A CSV has columns for longitude and latitude, found by name, and perhaps `id`, `name` and a number that counts as
/// weight; in GeoJSON a Point is a place, and the same names are properties.
package struct PlaceTable {
  package private(set) var places: [InputPlace] = []
  package private(set) var rejected: [RejectedRow] = []
  private let file: String
  private let role: InputPlace.Role
  private let check: CoordinateCheck

  /// Reads the file at `path`. `area` is the map's. *Throws*: `InputError`.
  package init(path: String, role: InputPlace.Role, area: BoundingBox = .earth) throws {
    file = path
    self.role = role
    check = CoordinateCheck(area: area)
    let bytes = try inputBytes(of: path)
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      try readGeoJSON(bytes)
    } else {
      try readCSV(bytes)
    }
    if places.isEmpty { throw InputError(file: path, noneUsableOf: rejected) }
  }

  /// The same places at the other end of pairs.
  package func places(as role: InputPlace.Role) -> [InputPlace] {
    places.map { place in
      var place = place
      place.role = role
      return place
    }
  }

  private mutating func readCSV(_ bytes: [UInt8]) throws {
    var rows = CSVReader(bytes)
    guard let header = rows.next() else { throw InputError(file: file, problem: "the file has no rows") }
    let columns = try PlaceColumns(header.fields, file: file)
    while let row = rows.next() {
      guard row.fields.count == header.fields.count else {
        reject(row.line, row.text, "found \(row.fields.count) fields, the header has \(header.fields.count)")
        continue
      }
      let numbers = columns.axes.map { CoordinateCheck.number(row.fields[$0.index], in: $0.name) }
      switch (numbers[0], numbers[1]) {
      case (.failure(let problem), _), (_, .failure(let problem)): reject(row.line, row.text, problem.reason)
      case (.success(let longitude), .success(let latitude)):
        accept(
          longitude: longitude, latitude: latitude, id: columns.text("id", row.fields),
          name: columns.text("name", row.fields), weight: columns.weight(row.fields), line: row.line, text: row.text)
      }
    }
  }

  private mutating func readGeoJSON(_ bytes: [UInt8]) throws {
    guard let features = GeoJSONReader(bytes) else {
      throw InputError(file: file, problem: "found JSON without features; a GeoJSON FeatureCollection is needed")
    }
    for item in features {
      guard let feature = item.feature else {
        reject(item.line, item.text, "this is no GeoJSON Feature with a geometry")
        continue
      }
      guard feature.geometry == "Point", let position = feature.positions.first, position.count >= 2 else {
        reject(item.line, item.text, "found a \(feature.geometry); a place is a Point")
        continue
      }
      let weight = PlaceColumns.weights.lazy.compactMap { feature.properties[$0].flatMap(Double.init) }.first
      accept(
        longitude: position[0], latitude: position[1], id: feature.id ?? feature.properties["id"],
        name: feature.properties["name"], weight: weight, line: item.line, text: item.text)
    }
  }

  private mutating func accept(
    longitude: Double, latitude: Double, id: String?, name: String?, weight: Double?, line: Int, text: String
  ) {
    switch check.point(longitude: longitude, latitude: latitude, of: "the place") {
    case .failure(let problem): reject(line, text, problem.reason)
    case .success(let point):
      places.append(
        InputPlace(
          id: id.map(Identifier.init) ?? .number(Int64(places.count + rejected.count + 1)), role: role, name: name,
          coordinate: point, weight: weight))
    }
  }

  private mutating func reject(_ line: Int, _ text: String, _ reason: String) {
    rejected.append(RejectedRow(file: file, line: line, text: text, reason: reason))
  }
}

/// Where the columns of a list of places are, found by their names.
struct PlaceColumns {
  /// Longitude, then latitude.
  let axes: [(name: String, index: Int)]
  private let optional: [String: Int]

  /// What a weight is called; in a CSV any other number will do, too.
  static let weights = ["weight", "population"]
  private static let names = [
    "lon": ["lon", "lng", "long", "longitude", "x", "stop_lon"], "lat": ["lat", "latitude", "y", "stop_lat"],
    "id": ["id", "place_id", "origin_id", "destination_id", "stop_id"], "name": ["name", "stop_name"],
    "weight": weights,
  ]

  /// *Throws*: `InputError` where a coordinate has no column.
  init(_ header: [String], file: String) throws {
    let lower = header.map { $0.lowercased() }
    func column(_ key: String) -> Int? {
      PlaceColumns.names[key]!.lazy.compactMap { lower.firstIndex(of: $0) }.first
    }
    axes = try [("lon", "longitude"), ("lat", "latitude")].map { key, what in
      guard let found = column(key) else {
        throw InputError(
          file: file, line: 1,
          problem: "the header has no column for the \(what); found: \(header.joined(separator: ", ")); "
            + "allowed: \(PlaceColumns.names[key]!.joined(separator: ", "))")
      }
      return (header[found], found)
    }
    var optional: [String: Int] = [:]
    for key in ["id", "name", "weight"] { optional[key] = column(key) }
    if optional["weight"] == nil {
      let taken = Set(axes.map(\.index)).union(optional.values)
      optional["weight"] = header.indices.first { !taken.contains($0) }
    }
    self.optional = optional
  }

  func text(_ key: String, _ fields: [String]) -> String? {
    optional[key].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Nil where it is no number.
  func weight(_ fields: [String]) -> Double? {
    text("weight", fields).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }
}
