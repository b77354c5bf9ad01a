import Geography

/// Where the columns of a list of places are, found by their names.
struct PlaceColumns {
  private let longitude: (name: String, index: Int)
  private let latitude: (name: String, index: Int)
  /// A column of well-known text, where there are none of coordinates.
  private let shape: Int?
  /// Columns that may be weights.
  let others: [Int]
  private let optional: [Column: Int]
  private let hasDecimalCommas: Bool

  /// Takes precedence over other weights where one is meant.
  static let weights = ["weight", "population"]

  private enum Column: String, CaseIterable {
    case longitude, latitude, id, name, part, parent, boarding

    var names: [String] {
      switch self {
      case .longitude: ["lon", "lng", "long", "longitude", "x", "x_coord", "xcoord", "stop_lon"]
      case .latitude: ["lat", "latitude", "y", "y_coord", "ycoord", "stop_lat"]
      case .id:
        [
          "id", "place_id", "origin_id", "destination_id", "stop_id", "station_id", "zone_id", "node_id", "zone", "taz",
          "node",
        ]
      case .name: ["name", "stop_name"]
      case .part: ["location_type"]
      case .parent: ["parent_station"]
      case .boarding: ["wheelchair_boarding"]
      }
    }

    func index(in header: [String]) -> Int? { names.lazy.compactMap { header.firstIndex(of: $0) }.first }
  }

  /// What QGIS, PostGIS and geopandas call a column of well-known text.
  private static let shapes = ["wkt", "geometry", "geom", "the_geom"]

  /// Numbers that weigh nothing.
  private static let codes = ["stop_code", "zone_id", "level_id", "platform_code"]

  /// Whether a column says something else than a weight.
  static func isKnown(_ name: String) -> Bool {
    let name = name.lowercased()
    return codes.contains(name) || Column.allCases.contains { $0.names.contains(name) }
  }

  /// Whether a column says ids of places.
  static func isID(_ name: String) -> Bool { Column.id.names.contains(name.lowercased()) }

  /// The id among the properties of a feature.
  static func id(in feature: GeoJSONFeature) -> String? {
    Column.id.names.lazy.compactMap { feature.text($0) }.first
  }

  /// *Throws*: `InputError` where a coordinate has no column.
  ///
  /// - Parameter ids: What others call the ids of the places, plain.
  init(_ header: [String], file: String, decimalCommas: Bool, ids: String? = nil) throws {
    hasDecimalCommas = decimalCommas
    let lower = header.map { $0.lowercased() }
    func axis(_ column: Column) throws -> (name: String, index: Int) {
      guard let index = column.index(in: lower) else {
        throw InputError(file: file, noColumnFor: column.rawValue, in: header, of: column.names)
      }
      return (header[index], index)
    }
    let axes = [Column.longitude, .latitude].compactMap { $0.index(in: lower) }
    shape = axes.isEmpty ? PlaceColumns.shapes.lazy.compactMap { lower.firstIndex(of: $0) }.first : nil
    longitude = try shape.map { (header[$0], $0) } ?? axis(.longitude)
    latitude = try shape.map { (header[$0], $0) } ?? axis(.latitude)
    var optional = Dictionary(
      uniqueKeysWithValues: [Column.id, .name, .part, .parent, .boarding].compactMap { column in
        column.index(in: lower).map { (column, $0) }
      })
    if let ids, let column = header.firstIndex(where: { EndNames.plain($0) == ids }) { optional[.id] = column }
    self.optional = optional
    let taken = Set([longitude.index, latitude.index] + optional.values)
    // Of columns with one name the first counts.
    others = header.indices.filter { column in
      // A second column of ids or coordinates, such as latitude beside lat, weighs nothing.
      !taken.contains(column) && !PlaceColumns.isKnown(lower[column])
        && header.firstIndex(of: header[column]) == column
    }
  }

  /// Nil for a part of a station that needs no coordinates, and has none.
  func values(of fields: [String]) throws(RowProblem) -> PlaceValues? {
    func text(_ column: Column) -> String? {
      optional[column].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let part = text(.part)
    let axes = [longitude, latitude]
    if part == "3" || part == "4", axes.allSatisfy({ Double(fields[$0.index]) == nil }) { return nil }
    var values = PlaceValues(
      id: text(.id), name: text(.name), part: part, parent: text(.parent), boarding: text(.boarding), longitude: 0,
      latitude: 0)
    if let shape {
      guard !fields[shape].hasPrefix("SRID=") || fields[shape].hasPrefix("SRID=4326;") else {
        throw RowProblem(
          "\(longitude.name): got \(fields[shape].prefix { $0 != ";" }), expected SRID=4326 (degrees, WGS 84) or none")
      }
      guard let shape = Shape(wkt: fields[shape]) else {
        throw RowProblem(
          "\(longitude.name): got \"\(fields[shape].prefix(40))\", expected well-known text, e.g. POINT (24.9 60.2)")
      }
      (values.longitude, values.latitude) = try PlaceValues.position(of: shape.type, shape.positions)
    } else {
      func degrees(_ axis: (name: String, index: Int)) throws(RowProblem) -> Double {
        try CoordinateCheck.degrees(fields[axis.index], in: axis.name, decimalCommas: hasDecimalCommas)
      }
      (values.longitude, values.latitude) = (try degrees(longitude), try degrees(latitude))
    }
    return values
  }
}
