import Geography
import Results

/// A list of places: those that can be used, in the order of the file, and the rows that cannot be used.
///
/// A CSV has columns for longitude and latitude, found by name, and perhaps `id`, `name`, `parent_station`,
/// `location_type`; columns of numbers are weights. In GeoJSON and in a GeoPackage a Point is a place, and so is a point on
/// the surface of a polygon; the same names are properties. Of a GTFS zip the places are its stops.
package struct PlaceTable {
  package private(set) var places: [InputPlace] = []
  /// What places weigh, in the order of the columns; first what counts where one weight is meant.
  package private(set) var weights: [WeightColumn] = []
  package private(set) var rejected: [RejectedRow] = []
  private let file: String
  private let role: InputPlace.Role
  private let check: CoordinateCheck
  private var used: UsedIdentifiers
  /// Whether others name these places by their ids.
  private let needsIDs: Bool

  /// Reads the file at `path`. `area` is the map's. *Throws*: `InputError`.
  ///
  /// - Parameter duplicates: What becomes of a row whose id an earlier one has.
  package init(
    path: String, role: InputPlace.Role, area: BoundingBox = .earth, duplicates: DuplicateRule = .reject
  ) throws {
    try self.init(path: path, role: role, area: area, named: nil, duplicates: duplicates)
  }

  /// What others call the ids of places, plain: such a column goes before the usual ones. Nil for nothing else.
  struct Reference {
    var ids: String?
  }

  /// - Parameter reference: How others name these places; nil where they do not.
  init(
    path: String, role: InputPlace.Role, area: BoundingBox, named reference: Reference?, duplicates: DuplicateRule
  ) throws {
    if let package = try GeoPackageRows(path) {
      try self.init(of: path, role, area, reference, duplicates) {
        try $0.read(features: package.rows(), reference?.ids)
      }
    } else if let feed = try GTFSFeed.open(path) {
      try self.init(feed, role: role, area: area, duplicates: duplicates)
    } else {
      try self.init(InputFile.bytes(of: path), of: path, role, area, reference, duplicates)
    }
  }

  /// Reads the stops of a timetable. *Throws*: `InputError`.
  init(_ feed: GTFSFeed, role: InputPlace.Role, area: BoundingBox, duplicates: DuplicateRule) throws {
    try self.init(
      feed.requiredBytes(of: "stops.txt"), of: feed.path(of: "stops.txt"), role, area, nil, duplicates)
  }

  private init(
    _ bytes: [UInt8], of file: String, _ role: InputPlace.Role, _ area: BoundingBox,
    _ reference: Reference?, _ duplicates: DuplicateRule
  ) throws {
    try self.init(of: file, role, area, reference, duplicates) { table in
      if FeatureRows.isJSON(bytes) {
        try table.read(features: FeatureRows(bytes, file: file), reference?.ids)
      } else {
        try table.readCSV(bytes, reference?.ids)
      }
    }
  }

  private init(
    of file: String, _ role: InputPlace.Role, _ area: BoundingBox, _ reference: Reference?,
    _ duplicates: DuplicateRule, _ read: (inout PlaceTable) throws -> Void
  ) throws {
    needsIDs = reference != nil
    (self.file, self.role) = (file, role)
    check = CoordinateCheck(area: area)
    used = UsedIdentifiers(duplicates)
    try read(&self)
    if places.isEmpty { throw InputError(file: file, noneUsableOf: rejected) }
    chooseWeights()
  }

  /// Makes every id a text.
  mutating func useTextIDs() { places.useTextIDs() }

  /// The same places at the other end of pairs.
  package func places(as role: InputPlace.Role) -> [InputPlace] {
    places.map { place in
      var place = place
      place.role = role
      return place
    }
  }

  private mutating func readCSV(_ bytes: [UInt8], _ ids: String?) throws {
    let rows = try HeadedRows(bytes, file: file)
    let columns = try PlaceColumns(rows.header, file: file, ids: ids)
    weights = columns.others.map { WeightColumn(name: rows.header[$0], values: []) }
    for row in rows {
      read(row) { fields throws(RowProblem) in
        try columns.values(of: fields)
      } weigh: { table, fields in
        for (weight, column) in columns.others.enumerated() {
          table.weights[weight].values.append(WeightColumn.number(fields[column]))
        }
      }
    }
  }

  private mutating func read(features: some Sequence<InputRow<GeoJSONFeature>>, _ ids: String?) throws {
    var columns: [String: WeightColumn] = [:]
    for row in features {
      read(row) { feature throws(RowProblem) in
        try PlaceValues(feature, ids: ids)
      } weigh: { table, feature in
        for (name, value) in feature.properties where !PlaceColumns.isKnown(name) && EndNames.plain(name) != ids {
          // A property that comes late has said nothing of the places before.
          let missing = table.places.count - 1 - (columns[name]?.values.count ?? 0)
          columns[name, default: WeightColumn(name: name, values: [])].values +=
            [Double](repeating: .nan, count: missing) + [WeightColumn.number(value)]
        }
      }
    }
    weights = columns.values.sorted { $0.name < $1.name }.map { column in
      var column = column
      column.values += [Double](repeating: .nan, count: places.count - column.values.count)
      return column
    }
  }

  /// Keeps the place that a row says, and then what it weighs; or why it says none.
  private mutating func read<Content>(
    _ row: InputRow<Content>, _ values: (Content) throws(RowProblem) -> PlaceValues?,
    weigh: (inout PlaceTable, Content) -> Void
  ) {
    do throws(RowProblem) {
      let content = try row.content.get()
      guard let values = try values(content) else { return }
      places.append(try place(values, line: row.line))
      weigh(&self, content)
    } catch {
      rejected.append(row.rejected(of: file, error))
    }
  }

  private mutating func place(_ values: PlaceValues, line: Int) throws(RowProblem) -> InputPlace {
    guard values.id != nil || !needsIDs else {
      throw RowProblem("the place has no id, and pairs name places by theirs")
    }
    let part = values.part.map { Int($0).flatMap(InputPlace.Part.init) } ?? .stop
    guard let part else {
      throw RowProblem("location_type: got \"\(values.part ?? "")\", expected 0, 1, 2, 3 or 4")
    }
    let coordinate = try check.point(longitude: values.longitude, latitude: values.latitude, of: "the place")
    let given = values.id.map(Identifier.init) ?? .number(Int64(places.count + rejected.count + 1))
    return InputPlace(
      id: try used.take(given, line: line, after: places), role: role, name: values.name, coordinate: coordinate,
      weight: nil, part: part, line: line, parent: values.parent.map(Identifier.init))
  }

  /// Drops what is not a weight, and gives each place the one that counts where one is meant.
  private mutating func chooseWeights() {
    // A weight has a number in every row that says anything.
    weights.removeAll { $0.values.allSatisfy(\.isNaN) || $0.values.contains(.infinity) }
    if let first = weights.firstIndex(where: { PlaceColumns.weights.contains($0.name.lowercased()) }) {
      weights.insert(weights.remove(at: first), at: 0)
    }
    for (index, weight) in (weights.first?.values ?? []).enumerated() where !weight.isNaN {
      places[index].weight = weight
    }
  }
}
