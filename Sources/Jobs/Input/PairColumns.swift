import StreetNetwork

/// Where a pair table's columns are, found by their names.
struct PairColumns {
  private let ends: Ends
  /// By the number of a column; nil where the table has none.
  private let optional: [Int?]

  /// What says where a pair's ends are.
  private enum Ends {
    case coordinates(origin: Point, destination: Point)
    /// A column of links of Maps.
    case link(Int)
  }

  /// Columns of an end.
  private struct Point {
    var longitude: (name: String, index: Int)
    var latitude: (name: String, index: Int)

    func values(of rows: DelimitedRows) throws(RowProblem) -> (longitude: Double, latitude: Double) {
      (
        try rows[longitude.index].number(in: longitude.name), try rows[latitude.index].number(in: latitude.name)
      )
    }
  }

  private enum Column: Int, CaseIterable {
    case id, originID, destinationID, originName, destinationName, group, departure

    var names: [String] {
      switch self {
      case .id: ["id", "pair_id"]
      case .originID: End.origin.prefixes.map { $0 + "id" }
      case .destinationID: End.destination.prefixes.map { $0 + "id" }
      case .originName: End.origin.prefixes.map { $0 + "name" }
      case .destinationName: End.destination.prefixes.map { $0 + "name" }
      case .group: ["group"]
      case .departure: ["departure_time", "departure_date"]
      }
    }
  }

  private enum End: String, CaseIterable {
    case origin, destination

    var prefixes: [String] {
      switch self {
      case .origin: ["origin_", "from_", "o_", "source_"]
      case .destination: ["destination_", "to_", "d_", "dest_"]
      }
    }
  }

  private enum Axis: String, CaseIterable {
    case longitude, latitude

    var suffixes: [String] {
      switch self {
      case .longitude: ["lon", "lng", "longitude", "x"]
      case .latitude: ["lat", "latitude", "y"]
      }
    }
  }

  /// *Throws*: `InputError` where a coordinate has no column.
  init(_ header: [String], file: String) throws {
    let names = header.map { $0.lowercased() }
    let coordinates = End.allCases.flatMap { end in
      Axis.allCases.map { (end, $0, names: PairColumns.names(end, $0)) }
    }
    let link = names.firstIndex { $0.contains("link") || $0.contains("url") }
    // Coordinates go before links.
    if let link, !coordinates.contains(where: { $0.names.contains(where: names.contains) }) {
      ends = .link(link)
    } else {
      let columns = try coordinates.map { end, axis, expected -> (name: String, index: Int) in
        guard let index = expected.lazy.compactMap({ names.firstIndex(of: $0) }).first else {
          throw InputError(
            file: file, noColumnFor: "\(end.rawValue)'s \(axis.rawValue)", in: header, of: expected)
        }
        return (header[index], index)
      }
      ends = .coordinates(
        origin: Point(longitude: columns[0], latitude: columns[1]),
        destination: Point(longitude: columns[2], latitude: columns[3]))
    }
    optional = Column.allCases.map { $0.names.lazy.compactMap { names.firstIndex(of: $0) }.first }
  }

  private static func names(_ end: End, _ axis: Axis) -> [String] {
    end.prefixes.flatMap { prefix in axis.suffixes.map { prefix + $0 } }
  }

  /// What the row in hand says.
  ///
  /// - Parameter type: What links must be for, if they say.
  func values(of rows: DelimitedRows, for type: TransportType) throws(RowProblem) -> PairValues {
    var values: PairValues
    switch ends {
    case .link(let index): values = try PairValues(link: rows[index].text, for: type)
    case .coordinates(let origin, let destination):
      values = PairValues(origin: try origin.values(of: rows), destination: try destination.values(of: rows))
    }
    func field(_ column: Column) -> RowField? { optional[column.rawValue].map { rows[$0] } }
    func text(_ column: Column) -> String? { field(column).flatMap { $0.isEmpty ? nil : $0.text } }
    values.id = field(.id)?.identifier
    values.originID = field(.originID)?.identifier
    values.destinationID = field(.destinationID)?.identifier
    values.originName = text(.originName)
    values.destinationName = text(.destinationName)
    values.group = text(.group)
    values.departure = text(.departure)
    return values
  }
}
