import Geography

/// Where the columns of a list of places are, found by their names.
struct PlaceColumns {
  private let longitude: (name: String, index: Int)
  private let latitude: (name: String, index: Int)
  /// A column of well-known text, where there are none of coordinates.
  private let shape: Int?
  private let id: Int?
  private let optional: [Column: Int]
  private let hasDecimalCommas: Bool

  private enum Column: String, CaseIterable {
    case longitude, latitude, name, part, parent, boarding

    var names: [String] {
      switch self {
      case .longitude: ["lon", "lng", "long", "longitude", "x", "x_coord", "xcoord", "stop_lon"]
      case .latitude: ["lat", "latitude", "y", "y_coord", "ycoord", "stop_lat"]
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

  /// Whether a column has a meaning of its own.
  static func isKnown(_ name: String) -> Bool {
    let lower = name.lowercased()
    return Column.allCases.contains { $0.names.contains(lower) } || shapes.contains(lower)
      || PlaceNames.ids.contains(EndNames.plain(name))
  }

  /// *Throws*: `InputError` where a coordinate has no column.
  ///
  /// - Parameter id: The column of ids; nil for none.
  init(_ header: [String], file: String, decimalCommas: Bool, id: String?) throws {
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
    self.id = id.flatMap { header.firstIndex(of: $0) }
    optional = Dictionary(
      uniqueKeysWithValues: [Column.name, .part, .parent, .boarding].compactMap { column in
        column.index(in: lower).map { (column, $0) }
      })
  }

  /// Whether places have stations to belong to.
  var hasParents: Bool { optional[.parent] != nil && shape == nil }

  /// Nil for a part of a station that needs no coordinates, and has none.
  ///
  /// - Parameter stations: Where stops and stations are that have no coordinates.
  func values(of fields: [String], _ stations: StationPoints? = nil) throws(RowProblem) -> PlaceValues? {
    func text(at index: Int?) -> String? { index.map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 } }
    func text(_ column: Column) -> String? { text(at: optional[column]) }
    let part = text(.part)
    let axes = [longitude, latitude]
    if part == "3" || part == "4", axes.allSatisfy({ Double(decimal: fields[$0.index]) == nil }) { return nil }
    var values = PlaceValues(
      id: text(at: id), name: text(.name), part: part, parent: text(.parent), boarding: text(.boarding), longitude: 0,
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
    } else if let stations, axes.allSatisfy({ fields[$0.index].isEmpty }),
      let position = stations.position(id: values.id, parent: values.parent)
    {
      (values.longitude, values.latitude) = (position.longitude, position.latitude)
    } else {
      func degrees(_ axis: (name: String, index: Int)) throws(RowProblem) -> Double {
        try CoordinateCheck.degrees(fields[axis.index], in: axis.name, decimalCommas: hasDecimalCommas)
      }
      (values.longitude, values.latitude) = (try degrees(longitude), try degrees(latitude))
    }
    return values
  }
}
