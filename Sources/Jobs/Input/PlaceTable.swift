import Foundation
import Geography
import Results

/// A list of places: those that can be used, in the order of the file, and the rows that cannot be used.
///
/// A CSV has columns for longitude and latitude, found by name, and perhaps `id`, `name`, `parent_station`,
/// `location_type`; columns of numbers are weights. In GeoJSON a Point is a place, and the same names are properties. Of a
/// GTFS zip the places are its stops.
package struct PlaceTable {
  package private(set) var places: [InputPlace] = []
  /// What places weigh, in the order of the columns; first what counts where one weight is meant.
  package private(set) var weights: [WeightColumn] = []
  package private(set) var rejected: [RejectedRow] = []
  private let file: String
  private let role: InputPlace.Role
  private let check: CoordinateCheck

  /// Reads the file at `path`. `area` is the map's. *Throws*: `InputError`.
  package init(path: String, role: InputPlace.Role, area: BoundingBox = .earth) throws {
    let isFeed = GTFSFeed.isZip(path)
    file = isFeed ? "\(path)/stops.txt" : path
    self.role = role
    check = CoordinateCheck(area: area)
    let bytes = isFeed ? try GTFSFeed.open(path) { try $0.requiredBytes(of: "stops.txt") } : try inputBytes(of: path)
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      try readGeoJSON(bytes)
    } else {
      try readCSV(bytes)
    }
    if places.isEmpty { throw InputError(file: file, noneUsableOf: rejected) }
    // A weight has a number in every row that says anything.
    weights.removeAll { $0.values.allSatisfy(\.isNaN) || $0.values.contains(.infinity) }
    if let first = weights.firstIndex(where: { PlaceColumns.weights.contains($0.name.lowercased()) }) {
      weights.insert(weights.remove(at: first), at: 0)
    }
    for (place, weight) in (weights.first?.values ?? []).enumerated() where !weight.isNaN {
      places[place].weight = weight
    }
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
    weights = columns.others.map { WeightColumn(name: header.fields[$0], values: []) }
    while let row = rows.next() {
      guard row.fields.count == header.fields.count else {
        reject(row.line, row.text, "found \(row.fields.count) fields, the header has \(header.fields.count)")
        continue
      }
      var place = Row(id: columns.text("id", row.fields), line: row.line)
      place.name = columns.text("name", row.fields)
      place.part = columns.text("part", row.fields)
      place.parent = columns.text("parent", row.fields)
      let numbers = columns.axes.map { CoordinateCheck.number(row.fields[$0.index], in: $0.name) }
      switch (numbers[0], numbers[1]) {
      case _ where place.isNowhere(numbers): continue
      case (.failure(let problem), _), (_, .failure(let problem)): reject(row.line, row.text, problem.reason)
      case (.success(let longitude), .success(let latitude)):
        guard accept(place, longitude: longitude, latitude: latitude, text: { row.text }) else { continue }
        for (weight, column) in columns.others.enumerated() {
          weights[weight].values.append(WeightColumn.number(row.fields[column]))
        }
      }
    }
  }

  private mutating func readGeoJSON(_ bytes: [UInt8]) throws {
    guard let features = GeoJSONReader(bytes) else {
      throw InputError(file: file, problem: "found JSON without features; a GeoJSON FeatureCollection is needed")
    }
    var numbers: [String: WeightColumn] = [:]
    for item in features {
      guard let feature = item.feature else {
        reject(item.line, item.text, "this is no GeoJSON Feature with a geometry")
        continue
      }
      guard feature.geometry == "Point", let position = feature.positions.first, position.count >= 2 else {
        reject(item.line, item.text, "found a \(feature.geometry); a place is a Point")
        continue
      }
      let properties = feature.properties
      var place = Row(id: feature.id ?? properties["id"], line: item.line)
      place.name = properties["name"]
      place.part = properties["location_type"]
      place.parent = properties["parent_station"]
      guard accept(place, longitude: position[0], latitude: position[1], text: { item.text }) else { continue }
      for (name, value) in properties where !PlaceColumns.isKnown(name) {
        // A property that comes late has said nothing of the places before.
        let missing = places.count - 1 - (numbers[name]?.values.count ?? 0)
        numbers[name, default: WeightColumn(name: name, values: [])].values +=
          [Double](repeating: .nan, count: missing) + [WeightColumn.number(value)]
      }
    }
    weights = numbers.values.sorted { $0.name < $1.name }.map { column in
      var column = column
      column.values += [Double](repeating: .nan, count: places.count - column.values.count)
      return column
    }
  }

  /// What a row says of its place beside where it is.
  private struct Row {
    var id: String?
    var line: Int
    var name: String?
    var part: String?
    var parent: String?

    /// Whether it is a part of a station that needs no coordinates, and has none.
    func isNowhere(_ numbers: [Result<Double, CoordinateCheck.Problem>]) -> Bool {
      (part == "3" || part == "4") && numbers.allSatisfy { (try? $0.get()) == nil }
    }
  }

  /// False if the row is rejected.
  private mutating func accept(_ row: Row, longitude: Double, latitude: Double, text: () -> String) -> Bool {
    let part = row.part.map { Int($0).flatMap(InputPlace.Part.init) } ?? .stop
    guard let part else {
      reject(row.line, text(), "location_type \"\(row.part ?? "")\"; allowed: 0, 1, 2, 3, 4")
      return false
    }
    switch check.point(longitude: longitude, latitude: latitude, of: "the place") {
    case .failure(let problem):
      reject(row.line, text(), problem.reason)
      return false
    case .success(let point):
      places.append(
        InputPlace(
          id: row.id.map(Identifier.init) ?? .number(Int64(places.count + rejected.count + 1)), role: role,
          name: row.name, coordinate: point, weight: nil, part: part, line: row.line,
          parent: row.parent.map(Identifier.init)))
      return true
    }
  }

  private mutating func reject(_ line: Int, _ text: String, _ reason: String) {
    rejected.append(RejectedRow(file: file, line: line, text: text, reason: reason))
  }
}

extension WeightColumn {
  /// The number in a field; NaN for nothing, infinity for what is no number: no weight has that.
  fileprivate static func number(_ field: String) -> Double {
    guard !field.isEmpty else { return .nan }
    return Double(field).flatMap { $0.isFinite ? $0 : nil } ?? .infinity
  }
}

/// Where the columns of a list of places are, found by their names.
struct PlaceColumns {
  /// Longitude, then latitude.
  let axes: [(name: String, index: Int)]
  /// Columns that may be weights.
  let others: [Int]
  private let optional: [String: Int]

  /// What goes before other weights where one is meant.
  static let weights = ["weight", "population"]
  private static let names = [
    "lon": ["lon", "lng", "long", "longitude", "x", "stop_lon"], "lat": ["lat", "latitude", "y", "stop_lat"],
    "id": ["id", "place_id", "origin_id", "destination_id", "stop_id", "station_id"], "name": ["name", "stop_name"],
    "part": ["location_type"], "parent": ["parent_station"],
  ]
  /// Numbers that weigh nothing.
  private static let codes = ["stop_code", "zone_id", "wheelchair_boarding", "level_id", "platform_code"]

  static func isKnown(_ name: String) -> Bool {
    let name = name.lowercased()
    return codes.contains(name) || names.values.contains { $0.contains(name) }
  }

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
    for key in ["id", "name", "part", "parent"] { optional[key] = column(key) }
    let taken = Set(axes.map(\.index)).union(optional.values)
    // Of columns with one name the first counts.
    others = header.indices.filter { column in
      !taken.contains(column) && !PlaceColumns.codes.contains(lower[column])
        && header.firstIndex(of: header[column]) == column
    }
    self.optional = optional
  }

  func text(_ key: String, _ fields: [String]) -> String? {
    optional[key].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
