import StreetNetwork

/// Where a pair table's columns are, found by their names.
struct PairColumns {
  private let ends: Ends
  private let file: String
  private let header: [String]
  /// By the number of a column; nil where the table has none.
  private let optional: [Int?]
  /// The column of what pairs count; nil where the table has none.
  let weight: (name: String, index: Int)?
  /// Columns that say nothing that the program knows, in their order.
  let unused: [String]

  /// What says where a pair's ends are.
  private enum Ends {
    case coordinates(origin: Point, destination: Point)
    /// A column of links of Maps.
    case link(Int)
    /// Columns of ids of places in another file.
    case places(origin: Int, destination: Int, PairEnds)
  }

  /// Columns of an end.
  private struct Point {
    var longitude: (name: String, index: Int)
    var latitude: (name: String, index: Int)

    func values(of rows: DelimitedRows) throws(RowProblem) -> (longitude: Double, latitude: Double) {
      (
        try rows.degrees(longitude.index, in: longitude.name), try rows.degrees(latitude.index, in: latitude.name)
      )
    }
  }

  private enum Column: Int, CaseIterable {
    case id, originID, destinationID, originName, destinationName, group, departure, arrival, transportType, avoid

    func names(in header: [String]) -> [String] {
      switch self {
      case .id: PairColumns.ids
      case .originID: EndNames.origin.ids(in: header)
      case .destinationID: EndNames.destination.ids(in: header)
      case .originName: EndNames.origin.names
      case .destinationName: EndNames.destination.names
      case .group: PairColumns.groups
      case .departure: PairColumns.departures
      case .arrival: PairColumns.arrivals
      case .transportType: PairColumns.transportTypes
      case .avoid: PairColumns.avoids
      }
    }
  }

  static let (ids, groups) = (["id", "pairid"], ["group"])
  static let (departures, arrivals) = (["departuretime", "departuredate"], ["arrivaltime", "arrivaldate"])
  static let (transportTypes, avoids) = (["transporttype"], ["avoid", "avoids"])

  /// What says how much a pair counts, plain.
  static let weights = ["weight", "volume", "demand", "flow", "trips", "s000"]

  /// - Parameter places: Reads the places that pairs name by ids, which their columns call so; nil where the job has
  ///   none.
  ///
  /// *Throws*: `InputError` where an end has no column.
  init(_ header: [String], file: String, places: ((_ kind: String?) throws -> PairEnds)? = nil) throws {
    (self.file, self.header) = (file, header)
    let names = header.map(EndNames.plain)
    func index(of expected: [String]) -> Int? { expected.lazy.compactMap { names.firstIndex(of: $0) }.first }
    let coordinates = EndNames.allCases.flatMap { end in EndNames.Axis.allCases.map { (end, $0) } }
    let found = coordinates.map { index(of: $0.names($1)) }
    let ids = EndNames.allCases.map { index(of: $0.references(in: names)) }
    let link = names.firstIndex { $0.contains("link") || $0.contains("url") }
    if let places {
      // An apartment may be a flat: only both coordinates of an end are those of one.
      for end in [found[..<2], found[2...]] where end.allSatisfy({ $0 != nil }) {
        throw InputError(
          file: file, line: 1,
          problem: "the job has places, and the pairs have coordinates of their own in "
            + "\(end.compactMap { $0.map { header[$0] } }.joined(separator: " and ")); leave out one of them")
      }
      for (end, id) in zip(EndNames.allCases, ids) where id == nil {
        throw InputError(
          file: file, noColumnFor: "\(end.rawValue)'s id", in: header,
          of: end == .origin
            ? ["origin_id", "from_id", "o_zone_id", "origin", "from"]
            : ["destination_id", "to_id", "d_zone_id", "destination", "to"])
      }
      ends = .places(
        origin: ids[0]!, destination: ids[1]!, try places(EndNames.origin.kind(of: header[ids[0]!])))
    } else if let link, found.allSatisfy({ $0 == nil }) {
      // Coordinates go before links.
      ends = .link(link)
    } else {
      if let origin = ids[0], let destination = ids[1], found.allSatisfy({ $0 == nil }) {
        throw InputError(
          file: file, line: 1,
          problem:
            "the pairs have ids (\(header[origin]), \(header[destination])) and no coordinates; name the file of "
            + "their places with the key places")
      }
      let columns = try zip(coordinates, found).map { column, index -> (name: String, index: Int) in
        guard let index else {
          let (end, axis) = column
          throw InputError(
            file: file, noColumnFor: "\(end.rawValue)'s \(axis.rawValue)", in: header, of: end.examples(axis))
        }
        return (header[index], index)
      }
      ends = .coordinates(
        origin: Point(longitude: columns[0], latitude: columns[1]),
        destination: Point(longitude: columns[2], latitude: columns[3]))
    }
    optional = Column.allCases.map { index(of: $0.names(in: names)) }
    weight = index(of: PairColumns.weights).map { (header[$0], $0) }
    let ofEnds: [Int?]
    switch ends {
    case .coordinates: ofEnds = found
    case .link(let index): ofEnds = [index]
    case .places(let origin, let destination, _): ofEnds = [origin, destination]
    }
    let used = Set((ofEnds + optional + [weight?.index]).compactMap(\.self))
    unused = header.indices.filter { !used.contains($0) && !header[$0].isEmpty }.map { header[$0] }
  }

  /// What the row in hand says, but for its weight.
  ///
  /// - Parameter type: What links must be for, if they say.
  func values(of rows: DelimitedRows, for type: TransportType) throws(RowProblem) -> PairValues {
    var values: PairValues
    switch ends {
    case .link(let index): values = try PairValues(link: rows[index].text, for: type)
    case .coordinates(let origin, let destination):
      values = PairValues(origin: try origin.values(of: rows), destination: try destination.values(of: rows))
      values.originID = field(.originID, of: rows)?.identifier
      values.destinationID = field(.destinationID, of: rows)?.identifier
    case .places(let origin, let destination, let places):
      values = PairValues(
        from: try places.place(rows[origin].identifier, in: header[origin]),
        to: try places.place(rows[destination].identifier, in: header[destination]))
    }
    values.id = field(.id, of: rows)?.identifier
    if case .link = ends {
      values.originID = field(.originID, of: rows)?.identifier
      values.destinationID = field(.destinationID, of: rows)?.identifier
    }
    values.originName = text(.originName, of: rows) ?? values.originName
    values.destinationName = text(.destinationName, of: rows) ?? values.destinationName
    values.group = text(.group, of: rows)
    values.departure = text(.departure, of: rows)
    values.arrival = text(.arrival, of: rows)
    values.transportType = text(.transportType, of: rows)
    values.avoid = text(.avoid, of: rows)
    return values
  }

  private func field(_ column: Column, of rows: DelimitedRows) -> RowField? {
    optional[column.rawValue].map { rows[$0] }
  }

  private func text(_ column: Column, of rows: DelimitedRows) -> String? {
    field(column, of: rows).flatMap { $0.isEmpty ? nil : $0.text }
  }
}
