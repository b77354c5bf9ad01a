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
  /// The polygons that places are in the input.
  private(set) var areas = PlaceAreas()
  /// Why columns of numbers are no weights that can be told, by their names.
  private(set) var unclear: [String: InputError] = [:]
  /// What whoever runs the job should know of the file, in sentences without an end.
  package private(set) var notes: [String] = []
  private let file: String
  private let role: InputPlace.Role
  private let check: CoordinateCheck
  private var used: UsedIdentifiers
  /// Whether others name these places by their ids.
  private let needsIDs: Bool
  /// How many were left out since they have none.
  private var withoutIDs = 0

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
    if let package = try GeoPackageRows(path, isID: { PlaceColumns.isID($0) || EndNames.plain($0) == reference?.ids }) {
      try self.init(of: path, .feature, role, area, reference, duplicates) {
        try $0.read(features: package.next, reference?.ids)
      }
    } else if let feed = try GTFSFeed.open(path) {
      try self.init(feed, role: role, area: area, duplicates: duplicates)
    } else if try FeatureRows.isJSON(InputFile.start(of: path)) {
      try self.init(of: path, .feature, role, area, reference, duplicates) {
        try $0.read(features: FeatureRows(path).next, reference?.ids)
      }
    } else {
      try self.init(of: path, .line, role, area, reference, duplicates) {
        try $0.readCSV(InputFile.bytes(of: path), reference?.ids)
      }
    }
  }

  /// Reads the stops of a timetable. *Throws*: `InputError`.
  init(_ feed: GTFSFeed, role: InputPlace.Role, area: BoundingBox, duplicates: DuplicateRule) throws {
    try self.init(of: feed.path(of: "stops.txt"), .line, role, area, nil, duplicates) {
      try $0.readCSV(feed.requiredBytes(of: "stops.txt"), nil)
    }
  }

  private init(
    of file: String, _ unit: RowUnit, _ role: InputPlace.Role, _ area: BoundingBox, _ reference: Reference?,
    _ duplicates: DuplicateRule, _ read: (inout PlaceTable) throws -> Void
  ) throws {
    needsIDs = reference != nil
    (self.file, self.role) = (file, role)
    check = CoordinateCheck(area: area)
    used = UsedIdentifiers(duplicates, unit)
    try read(&self)
    if places.isEmpty, withoutIDs > 0 {
      throw InputError(file: file, problem: "no place has an id, by which pairs could name it")
    }
    if places.isEmpty { throw InputError(file: file, noneUsableOf: rejected, unit) }
    places.replacePlaceholders()
    if withoutIDs > 0 { notes.append("\(file): \(withoutIDs) places have no id, by which pairs could name them") }
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
    let columns = try PlaceColumns(rows.header, file: file, decimalCommas: rows.hasDecimalCommas, ids: ids)
    if let note = InputText.note(on: bytes, of: file) { notes.append(note) }
    weights = columns.others.map { WeightColumn(name: rows.header[$0], values: []) }
    var numbers = weights.map { NumberColumn($0.name, decimalCommas: rows.hasDecimalCommas) }
    for row in rows {
      read(row) { fields throws(RowProblem) in
        try columns.values(of: fields)
      } weigh: { table, fields in
        for (weight, column) in columns.others.enumerated() {
          table.weights[weight].values.append(numbers[weight].number(fields[column], row: row.line))
        }
      }
    }
    try take(numbers)
  }

  private mutating func read(features next: () throws -> InputRow<GeoJSONFeature>?, _ ids: String?) throws {
    var columns: [String: (values: [Double], numbers: NumberColumn)] = [:]
    while let row = try next() {
      read(row) { feature throws(RowProblem) in
        try PlaceValues(feature, ids: ids)
      } weigh: { table, feature in
        for (name, value) in feature.properties where !PlaceColumns.isKnown(name) && EndNames.plain(name) != ids {
          var column = columns.removeValue(forKey: name) ?? ([], NumberColumn(name, unit: .feature))
          // A property that comes late has said nothing of the places before.
          column.values += [Double](repeating: .nan, count: table.places.count - 1 - column.values.count)
          column.values.append(column.numbers.number(value, row: row.line))
          columns[name] = column
        }
      }
    }
    let sorted = columns.sorted { $0.key < $1.key }
    weights = sorted.map { name, column in
      WeightColumn(
        name: name,
        values: column.values + [Double](repeating: .nan, count: places.count - column.values.count))
    }
    try take(sorted.map(\.value.numbers))
  }

  /// Says what is odd of columns that may be weights. *Throws*: `InputError` where one is too odd.
  private mutating func take(_ numbers: [NumberColumn]) throws {
    for column in numbers {
      if let error = column.problem(in: file) {
        guard !PlaceColumns.weights.contains(column.name.lowercased()) else { throw error }
        unclear[column.name] = error
        notes.append("\(error); it is not counted")
      } else if let note = column.note(
        on: file, isMeant: PlaceColumns.weights.contains(column.name.lowercased()))
      {
        notes.append(note)
      }
    }
  }

  /// Keeps the place that a row says, and then what it weighs; or why it says none.
  private mutating func read<Content>(
    _ row: InputRow<Content>, _ values: (Content) throws(RowProblem) -> PlaceValues?,
    weigh: (inout PlaceTable, Content) -> Void
  ) {
    var said: PlaceValues?
    do throws(RowProblem) {
      let content = try row.content.get()
      guard let values = try values(content) else { return }
      // Nothing can name it.
      guard values.id != nil || !needsIDs else { return withoutIDs += 1 }
      said = values
      places.append(try place(values, line: row.line))
      areas.add(values.rings, of: places.count - 1)
      weigh(&self, content)
    } catch {
      rejected.append(row.rejected(of: file, error, at: said?.points ?? []))
    }
  }

  private mutating func place(_ values: PlaceValues, line: Int) throws(RowProblem) -> InputPlace {
    let part = values.part.map { Int($0).flatMap(InputPlace.Part.init) } ?? .stop
    guard let part else {
      throw RowProblem("location_type: got \"\(values.part ?? "")\", expected 0, 1, 2, 3 or 4")
    }
    let coordinate = try check.point(longitude: values.longitude, latitude: values.latitude, of: "the place")
    let id = try values.id.map { given throws(RowProblem) in
      try used.take(Identifier(given), line: line, after: places)
    }
    if id == nil { used.skip(line: line) }
    return InputPlace(
      id: id ?? .placeholder(row: places.count + rejected.count + 1), role: role, name: values.name,
      coordinate: coordinate,
      weight: nil, part: part, line: line, parent: values.parent.map(Identifier.init),
      isBoardedByWheelchair: ["1": true, "2": false][values.boarding ?? ""])
  }

  /// Drops what is not a weight, and gives each place the one that counts where one is meant.
  private mutating func chooseWeights() {
    weights.removeAll { unclear[$0.name] != nil }
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
