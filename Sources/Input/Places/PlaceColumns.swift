import Geography

/// The columns of a list of places, found by name.
struct PlaceColumns {
  private let longitude: (name: String, index: Int)
  private let latitude: (name: String, index: Int)
  /// The column of well-known text, if there are no columns of coordinates.
  private let shape: Int?
  let id: Int?
  private let optional: [Column: Int]

  private enum Column: String, CaseIterable {
    case longitude, latitude, name, part, parent, boarding, access

    var names: [String] {
      switch self {
      case .longitude: ["lon", "lng", "long", "longitude", "x", "x_coord", "xcoord", "stop_lon"]
      case .latitude: ["lat", "latitude", "y", "y_coord", "ycoord", "stop_lat"]
      case .name: ["name", "stop_name"]
      case .part: ["location_type"]
      case .parent: ["parent_station"]
      case .boarding: ["wheelchair_boarding"]
      case .access: ["stop_access"]
      }
    }

    func index(in header: [String]) -> Int? { header.column(of: names) }
  }

  /// The names of well-known text columns in QGIS, PostGIS and geopandas.
  private static let shapes = ["wkt", "geometry", "geom", "the_geom"]

  /// Returns whether a column has a known meaning.
  static func isKnown(_ name: String) -> Bool {
    let lower = name.lowercased()
    return Column.allCases.contains { $0.names.contains(lower) } || shapes.contains(lower)
      || PlaceNames.ids.contains(EndNames.plain(name))
  }

  /// *Throws*: `OdometerError` if a coordinate has no column, or a column is given twice.
  ///
  /// - Parameter id: The column of ids; nil for none.
  init(_ header: [String], file: String, id: String?) throws {
    let lower = header.map { $0.lowercased() }
    func axis(_ column: Column) throws -> (name: String, index: Int) {
      guard let index = column.index(in: lower) else {
        throw OdometerError(file: file, noColumnFor: column.rawValue, in: header, of: column.names)
      }
      return (header[index], index)
    }
    let axes = [Column.longitude, .latitude].compactMap { $0.index(in: lower) }
    shape = axes.isEmpty ? lower.column(of: PlaceColumns.shapes) : nil
    longitude = try shape.map { (header[$0], $0) } ?? axis(.longitude)
    latitude = try shape.map { (header[$0], $0) } ?? axis(.latitude)
    self.id = id.flatMap { header.firstIndex(of: $0) }
    optional = Dictionary(
      uniqueKeysWithValues: [Column.name, .part, .parent, .boarding, .access].compactMap { column in
        column.index(in: lower).map { (column, $0) }
      })
    let used = [longitude.index, latitude.index] + [self.id].compactMap(\.self) + optional.values.sorted()
    try OdometerError.checkOnce(used, in: header, of: file)
  }

  /// Whether places refer to stations.
  var hasParents: Bool { optional[.parent] != nil && shape == nil }

  /// Returns the values of the current row; nil for a part of a station that needs no coordinates and has none.
  ///
  /// - Parameter stations: Coordinates for stops and stations without their own.
  func values(of rows: DelimitedRows, _ stations: StationPoints? = nil) throws(RowProblem) -> PlaceValues? {
    func text(_ column: Column) -> String? { rows.text(at: optional[column]) }
    let part = text(.part)
    let axes = [longitude.index, latitude.index]
    if part == "3" || part == "4", axes.allSatisfy({ Double(decimal: rows[$0].text) == nil }) { return nil }
    var values = PlaceValues(
      id: rows.text(at: id), name: text(.name), part: part, parent: text(.parent), boarding: text(.boarding),
      access: text(.access), coordinate: Coordinate(latitude: 0, longitude: 0))
    if let shape {
      let text = rows[shape].text
      guard !text.hasPrefix("SRID=") || text.hasPrefix("SRID=4326;") else {
        let system = RowProblem.excerpt(text.prefix { $0 != ";" })
        throw RowProblem(
          system == "SRID=4326"
            ? "\(longitude.name): got \(system) without a shape; a field with semicolons needs quotes"
            : "\(longitude.name): got \(system), expected SRID=4326 (degrees, WGS 84) or none")
      }
      guard let shape = Shape(wkt: text) else {
        throw RowProblem(
          "\(longitude.name): got \"\(RowProblem.excerpt(text))\", expected well-known text, "
            + "e.g. POINT (24.9 60.2)")
      }
      values.coordinate = try PlaceValues.position(of: shape.type, shape.positions)
    } else if let stations, axes.allSatisfy({ rows[$0].isEmpty }),
      let position = stations.position(id: values.id, parent: values.parent)
    {
      values.coordinate = position
    } else {
      values.coordinate.longitude = try rows.degrees(longitude.index, in: longitude.name)
      values.coordinate.latitude = try rows.degrees(latitude.index, in: latitude.name)
    }
    return values
  }
}

/// The values of a place's row, before its coordinates are checked.
struct PlaceValues {
  var id: String?
  var name: String?
  /// GTFS's `location_type`.
  var part: String?
  /// GTFS's `parent_station`.
  var parent: String?
  /// GTFS's `wheelchair_boarding`.
  var boarding: String?
  /// GTFS's `stop_access`.
  var access: String?
  var coordinate: Coordinate
  /// The rings of an area, from the input; empty for a point.
  var rings: [[[Double]]] = []
}

extension PlaceValues {
  /// The coordinates, if they are valid.
  var points: [FixedCoordinate] { CoordinateCheck.points([coordinate]) }

  /// Creates a place from a feature; for a polygon, at a point on its surface.
  init(_ feature: GeoJSONFeature, id: String?) throws(RowProblem) {
    self.init(
      id: id, name: feature.text("name"), part: feature.text("location_type"),
      parent: feature.text("parent_station"), boarding: feature.text("wheelchair_boarding"),
      access: feature.text("stop_access"),
      coordinate: try PlaceValues.position(of: feature.geometry, feature.positions), rings: feature.rings)
  }

  /// Returns the position of a geometry, which is a point or an area.
  static func position(of type: String, _ positions: [[Double]]) throws(RowProblem) -> Coordinate {
    let isArea = ["Polygon", "MultiPolygon"].contains(type)
    guard isArea || type == "Point" || type == "MultiPoint" && positions.count <= 1 else {
      throw RowProblem("got a \(RowProblem.excerpt(type)), expected a Point, Polygon or MultiPolygon")
    }
    guard let position = positions.first, position.count >= 2 else {
      throw RowProblem("the \(type) \(isArea ? "has no surface" : "is empty")")
    }
    return Coordinate(latitude: position[1], longitude: position[0])
  }
}

/// The id and weight columns that a job's keys name for a list of places; nil for the documented names.
package struct PlaceKeys: Sendable {
  var id: String?
  var weights: [String]?
  /// Whether to use all weights, not only the first one.
  var countsAll: Bool
  /// Whether the job reads another file that may have the columns.
  package var allowsMissing = false

  static let withoutWeights = PlaceKeys(weights: [])

  package init(id: String? = nil, weights: [String]? = nil, countsAll: Bool = true) {
    (self.id, self.weights, self.countsAll) = (id, weights, countsAll)
  }
}

/// The id and weight columns of a list of places, by the job's keys or by documented names.
struct PlaceNames {
  /// Nil if no column is an id.
  let id: String?
  /// The columns named by the key; otherwise the first documented name found, as the weight, then others in file order.
  let weights: [String]
  /// Unknown columns, in file order.
  let others: [String]
  /// Errors for keys that name no column of this file.
  let missing: (id: OdometerError?, weights: OdometerError?)

  /// Documented names in order of precedence; compared in lower case without punctuation.
  static let ids = [
    "id", "placeid", "originid", "destinationid", "stopid", "stationid", "zoneid", "nodeid", "geoid", "geoid20",
    "geoid10", "osmid", "zone", "taz", "node", "code", "objectid", "fid",
  ]
  static let weights = [
    "weight", "population", "pop", "people", "persons", "residents", "inhabitants", "totalpopulation",
    "populationtotal", "totalpop", "totpop", "poptotal", "jobs", "employment", "employees", "workers", "households",
    "dwellings", "flats",
  ]

  /// - Parameters:
  ///   - names: The columns, in file order.
  ///   - reference: The normalized name of these ids in the pairs: a column with this name takes precedence.
  ///
  /// *Throws*: `OdometerError` if a key names no column.
  init(_ names: [String], file: String, _ keys: PlaceKeys, reference: String? = nil) throws {
    let plain = names.map(EndNames.plain)
    func first(of expected: [String]) -> String? { plain.column(of: expected).map { names[$0] } }
    func column(_ name: String, _ key: String) throws(OdometerError) -> String {
      if let index = names.firstIndex(of: name) ?? plain.firstIndex(of: EndNames.plain(name)) { return names[index] }
      let columns = names.filter { !$0.isEmpty }
      throw .input(
        file,
        "\(key): got \(RowProblem.excerpt(name)), expected one of the columns "
          + (columns.isEmpty ? "(none)" : RowProblem.list(columns)))
    }
    var missing: (id: OdometerError?, weights: OdometerError?) = (nil, nil)
    var (id, weights): (String?, [String]?) = (nil, nil)
    do throws(OdometerError) { id = try keys.id.map { name throws(OdometerError) in try column(name, "id") } } catch {
      missing.id = error
    }
    do throws(OdometerError) {
      weights = try keys.weights.map { names throws(OdometerError) in
        try names.map { name throws(OdometerError) in try column(name, names.count == 1 ? "weight" : "weights") }
      }
    } catch {
      missing.weights = error
    }
    if let error = missing.id ?? missing.weights, !keys.allowsMissing { throw error }
    self.missing = missing
    let named = id ?? first(of: (reference.map { [$0] } ?? []) + PlaceNames.ids)
    self.id = named
    let best = first(of: PlaceNames.weights)
    let known = names.enumerated().filter { index, name in
      PlaceNames.weights.contains(plain[index]) && name != named && names.firstIndex(of: name) == index
    }.map(\.element)
    self.weights = weights ?? known.filter { $0 == best } + known.filter { $0 != best }
    others = names.filter { name in
      !name.isEmpty && name != named && !known.contains(name) && !PlaceColumns.isKnown(name)
    }
  }
}
