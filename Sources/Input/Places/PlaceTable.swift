import Geography
import Tables

/// A list of places: valid ones, in the order of the file, and rejected rows.
///
/// A CSV has columns for longitude and latitude, found by name, and optionally `id`, `name`, `parent_station`,
/// `location_type` and weights. In GeoJSON and in a GeoPackage, a Point is a place, and a polygon is a place at a point
/// on its surface; properties have the same names. In a GTFS zip, the places are stops, stations and entrances.
package struct PlaceTable {
  package private(set) var places: [InputPlace] = []
  /// The weight columns; the first is the weight of the places.
  package private(set) var weights: [WeightColumn] = []
  package private(set) var rejected: [RejectedRow] = []
  /// The polygons of places in the input.
  package private(set) var areas = PlaceAreas()
  /// Errors for keys that name no column of this file; thrown only if no other file has the column.
  package private(set) var missing: (id: OdometerError?, weights: OdometerError?) = (nil, nil)
  /// Notes about the file, without a final full stop.
  package private(set) var notes: [String] = []
  private let file: String
  private let role: InputPlace.Role
  private let keys: PlaceKeys
  private let check: CoordinateCheck
  private var used: UsedIdentifiers
  /// The source of ids, for the plan of a dry run.
  private var idSource = "row number"
  /// Columns that could be weights, for the plan of a dry run.
  private var others: [String] = []
  /// Whether pairs refer to these places by id.
  private let needsIDs: Bool
  /// The normalized name of these ids in the pairs.
  private let idNoun: String?
  /// The number of places omitted because they have no id.
  private var withoutIDs = 0
  /// Whether generic nodes and boarding areas (GTFS) with coordinates are places, too.
  private var hasAllParts = true
  private var omittedParts = 0

  /// Reads the file at `path`. `area` is the map's box. *Throws*: `OdometerError`.
  ///
  /// - Parameters:
  ///   - keys: The columns named by the job.
  ///   - duplicates: Handling of rows with duplicate ids.
  ///   - forPairs: Whether pairs refer to these places by id.
  ///   - idNoun: The normalized name of these ids in the pairs: a column with this name takes precedence.
  package init(
    path: String, role: InputPlace.Role, area: BoundingBox = .earth, keys: PlaceKeys = PlaceKeys(),
    duplicates: DuplicateRule = .reject, forPairs: Bool = false, idNoun: String? = nil
  ) throws {
    if let package = try GeoPackageRows(path) {
      try self.init(of: path, .feature, role, area, keys, duplicates, forPairs, idNoun) { try $0.read(package) }
    } else if let feed = try GTFSFeed.open(path) {
      try self.init(feed, role: role, area: area, keys: keys, duplicates: duplicates)
    } else if try FeatureRows.isJSON(InputFile.start(of: path)) {
      try self.init(of: path, .feature, role, area, keys, duplicates, forPairs, idNoun) { try $0.readGeoJSON(path) }
    } else {
      try self.init(of: path, .line, role, area, keys, duplicates, forPairs, idNoun) {
        try $0.readRows { try DelimitedRows(path) }
      }
    }
  }

  /// Reads the stops of a timetable. *Throws*: `OdometerError`.
  init(
    _ feed: GTFSFeed, role: InputPlace.Role, area: BoundingBox, keys: PlaceKeys = PlaceKeys(), duplicates: DuplicateRule
  ) throws {
    try self.init(of: feed.path(of: "stops.txt"), .line, role, area, keys, duplicates) {
      $0.hasAllParts = role == .station
      try $0.readRows { try feed.rows(of: "stops.txt") }
    }
  }

  private init(
    of file: String, _ unit: RowUnit, _ role: InputPlace.Role, _ area: BoundingBox, _ keys: PlaceKeys,
    _ duplicates: DuplicateRule, _ needsIDs: Bool = false, _ idNoun: String? = nil,
    _ read: (inout PlaceTable) throws -> Void
  ) throws {
    (self.needsIDs, self.idNoun) = (needsIDs, idNoun)
    (self.file, self.role, self.keys) = (file, role, keys)
    check = CoordinateCheck(area: area)
    used = UsedIdentifiers(duplicates, unit)
    try read(&self)
    if places.isEmpty, withoutIDs > 0 {
      throw .input(file, "no place has an id for pairs to refer to")
    }
    if places.isEmpty { throw OdometerError(file: file, allRejected: rejected, unit) }
    places.replacePlaceholders()
    if withoutIDs > 0 { notes.append("\(file): \(withoutIDs.counted("place")) without an id for pairs to refer to") }
    if omittedParts > 0, role != .station {
      notes.append(
        "\(file): \(omittedParts.counted("row")) left out: generic nodes and boarding areas (location_type 3 and 4)")
    }
    for (index, weight) in (weights.first?.values ?? []).enumerated() where !weight.isNaN {
      places[index].weight = weight
    }
  }

  /// The column of the places' weight; nil for none.
  package var weightColumn: String? { weights.first?.name }

  /// Converts all ids to strings.
  package mutating func useTextIDs() { places.useTextIDs() }

  package func places(as role: InputPlace.Role) -> [InputPlace] {
    places.map { place in
      var place = place
      place.role = role
      return place
    }
  }

  /// The id and weight columns for the plan of a dry run: "id: GEOID; weight: people".
  package var columns: String {
    let names = weights.map(\.name).joined(separator: ", ")
    let examples = RowProblem.list(others, atMost: 6)
    let noWeights = "none" + (others.isEmpty ? "" : " found by name; the key weight may name one of \(examples)")
    return "id: \(idSource); \(weights.count > 1 ? "weights" : "weight"): \(weights.isEmpty ? noWeights : names)"
  }

  private mutating func readRows(_ open: () throws -> DelimitedRows) throws {
    let rows = try open()
    let header = try rows.header()
    let names = try names(header)
    if let name = names.id { idSource = name }
    let columns = try rows.inHeader {
      try PlaceColumns(header, file: file, id: names.id)
    }
    var numbers = names.weights.map { NumberColumn($0, decimalCommas: rows.hasDecimalCommas) }
    let indices = names.weights.map { header.firstIndex(of: $0) ?? 0 }
    try rows.inHeader { try OdometerError.checkOnce(indices, in: header, of: file) }
    weights = names.weights.map { WeightColumn(name: $0, values: []) }
    let stations = try columns.hasParents ? stationPoints(open(), columns) : nil
    while try rows.next() {
      let row = rows.row(header.count)
      read(row, id: rows.text(at: columns.id)) { () throws(RowProblem) in
        try columns.values(of: rows, stations)
      } invalid: {
        // Additional fields leave the coordinates readable.
        rows.count > header.count ? try? columns.values(of: rows, stations) : nil
      } addWeights: { table, _ in
        for (weight, column) in indices.enumerated() {
          table.weights[weight].values.append(numbers[weight].number(rows[column].text, row: row.line))
        }
      }
    }
    notes += rows.notes
    try keepWeights(numbers)
  }

  private mutating func readGeoJSON(_ path: String) throws {
    let found = try FeatureNames(path)
    let names = try names(found.properties)
    idSource = names.id ?? (found.hasOwnIDs ? "the Features' own" : idSource)
    try read(FeatureRows(path).next, names.id.map(FeatureIDs.property) ?? (found.hasOwnIDs ? .own : .number), names)
  }

  private mutating func read(_ package: GeoPackageRows) throws {
    let number = package.table.numberColumn
    let names = try names(package.table.columns + [number].compactMap(\.self))
    let id = names.id == number ? nil : names.id
    others.removeAll { $0 == number }
    idSource = id ?? number ?? idSource
    try read(package.next, id.map(FeatureIDs.property) ?? .number, names)
    notes += package.notes
  }

  private mutating func names(_ columns: [String]) throws -> PlaceNames {
    let names = try PlaceNames(columns, file: file, keys, reference: idNoun)
    (missing, others) = (names.missing, names.others)
    return names
  }

  private mutating func read(
    _ next: (FeatureIDs) throws -> InputRow<GeoJSONFeature>?, _ ids: FeatureIDs, _ names: PlaceNames
  ) throws {
    weights = names.weights.map { WeightColumn(name: $0, values: []) }
    var numbers = names.weights.map { NumberColumn($0, unit: .feature) }
    while let row = try next(ids) {
      read(row, id: row.id) { feature throws(RowProblem) in
        try PlaceValues(feature, id: row.id)
      } addWeights: { table, feature in
        for (weight, name) in names.weights.enumerated() {
          table.weights[weight].values.append(numbers[weight].number(feature.numberText(name), row: row.line))
        }
      }
    }
    try keepWeights(numbers)
  }

  /// Keeps the numeric weights. *Throws*: `OdometerError` if a column named by the job has other text, or is ambiguous.
  private mutating func keepWeights(_ numbers: [NumberColumn]) throws {
    let isNamed = keys.weights != nil && missing.weights == nil
    var kept: [WeightColumn] = []
    for (weight, column) in zip(weights, numbers).prefix(keys.countsAll ? .max : 1) {
      let sum = column.isWeight ? weight.values.reduce(0) { $1.isNaN ? $0 : $0 + $1 } : 0
      if let problem = column.problem(in: file, sum: sum) { throw problem }
      let note = column.note(on: file)
      if column.isWeight {
        kept.append(weight)
      } else if isNamed {
        throw .input(file, "column \(column.name): \(column.notWeightReason); expected numbers, since it is a weight")
      }
      if let note { notes.append(note) }
    }
    weights = kept
  }

  private func stationPoints(_ rows: DelimitedRows, _ columns: PlaceColumns) throws -> StationPoints {
    var points = StationPoints()
    let count = try rows.header().count
    while try rows.next() {
      guard (try? rows.check(count)) != nil, let place = try? columns.values(of: rows),
        (try? check.point(place.coordinate, of: "the place")) != nil
      else { continue }
      points.add(id: place.id, parent: place.parent, part: place.part, at: place.coordinate)
    }
    return points
  }

  /// Adds the place of a row with its weights, or rejects the row.
  ///
  /// - Parameter invalid: Returns the values of a row whose content is a problem; nil if they cannot be read.
  private mutating func read<Content>(
    _ row: InputRow<Content>, id: @autoclosure () -> String?, _ values: (Content) throws(RowProblem) -> PlaceValues?,
    invalid: () -> PlaceValues? = { nil }, addWeights: (inout PlaceTable, Content) -> Void
  ) {
    var parsed: PlaceValues?
    do throws(RowProblem) {
      let content = try row.content.get()
      guard let values = try values(content), hasAllParts || !["3", "4"].contains(values.part) else {
        return omittedParts += 1
      }
      // No pair can refer to a place without an id.
      guard values.id != nil || !needsIDs else { return withoutIDs += 1 }
      parsed = values
      places.append(try place(values, line: row.line))
      areas.add(values.rings, of: places.count - 1)
      addWeights(&self, content)
    } catch {
      rejected.append(row.rejected(of: file, error, id: id(), at: (parsed ?? invalid())?.points ?? []))
    }
  }

  private mutating func place(_ values: PlaceValues, line: Int) throws(RowProblem) -> InputPlace {
    let part = values.part.map { Int($0).flatMap(InputPlace.Part.init) } ?? .stop
    guard let part else {
      throw RowProblem("location_type: got \"\(RowProblem.excerpt(values.part ?? ""))\", expected 0, 1, 2, 3 or 4")
    }
    let coordinate = try check.point(values.coordinate, of: "the place")
    let id = try values.id.map { given throws(RowProblem) in
      try used.record(Identifier(given), line: line, after: places)
    }
    if id == nil { used.skip(line: line) }
    return InputPlace(
      id: id ?? .placeholder(row: places.count + rejected.count + 1), role: role, name: values.name,
      coordinate: coordinate, weight: nil, part: part, line: line, parent: values.parent.map(Identifier.init),
      wheelchairBoarding: values.boarding.flatMap { UInt16($0) } ?? 0, isDirect: part == .stop && values.access == "1")
  }
}

/// A weight column, such as people, jobs or flats.
package struct WeightColumn: Sendable, Hashable {
  package var name: String
  /// In the order of the places; NaN for a missing value.
  package var values: [Double]
}

/// The polygons of places, encoded for a page; none if they would make the page too large.
package struct PlaceAreas: Sendable {
  /// The maximum size of all encoded polygons, which limits the size of the page.
  private static let maximumBytes = 1_500_000

  private var polygons: [(place: Int, rings: String)] = []
  private var box = BoundingBox.empty
  private var bytes = 0

  /// - Parameters:
  ///   - rings: Longitudes and latitudes; empty for a point.
  ///   - place: The index of the place in the list.
  mutating func add(_ rings: [[[Double]]], of place: Int) {
    guard !rings.isEmpty, bytes <= PlaceAreas.maximumBytes else { return }
    let lines = rings.map { ring in
      CoordinateCheck.points(ring.filter { $0.count >= 2 }.map { Coordinate(latitude: $0[1], longitude: $0[0]) })
    }
    guard lines.allSatisfy({ $0.count > 3 }) else { return }
    for point in lines.joined() { box.extend(to: point) }
    polygons.append((place, EncodedPolyline.text(of: lines)))
    bytes += polygons[polygons.count - 1].rings.utf8.count + 16
    if bytes > PlaceAreas.maximumBytes { polygons = [] }
  }

  /// Returns the polygons for the map; nil if all places are points; a row without features if they are too large.
  package func backdrop(of places: [InputPlace], class kind: String) -> BackdropRow? {
    guard bytes > 0 else { return nil }
    var text = TextBuffer(capacity: bytes + bytes / 8)
    for (index, area) in polygons.enumerated() {
      if index > 0 { text.append(",") }
      text.append(jsonString: "\(places[area.place].id)")
      text.append(",")
      text.append(jsonString: area.rings)
    }
    return BackdropRow(layer: "area", kind: kind, minZoom: 0, box: box, features: text.string())
  }
}
