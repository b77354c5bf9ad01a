import StreetNetwork

/// Where a pair table's columns are, found by their names.
struct PairColumns {
  private let ends: Ends
  private let optional: [Column: Int]

  /// What says where a pair's ends are.
  private enum Ends {
    /// Longitude and latitude of the origin, then of the destination.
    case coordinates([(name: String, index: Int)])
    /// A column of links of Maps.
    case link(Int)
  }

  private enum Column: CaseIterable {
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
      ends = .coordinates(
        try coordinates.map { end, axis, expected in
          guard let index = expected.lazy.compactMap({ names.firstIndex(of: $0) }).first else {
            throw InputError(
              file: file, noColumnFor: "\(end.rawValue)'s \(axis.rawValue)", in: header, of: expected)
          }
          return (header[index], index)
        })
    }
    optional = Dictionary(
      uniqueKeysWithValues: Column.allCases.compactMap { column in
        column.names.lazy.compactMap { names.firstIndex(of: $0) }.first.map { (column, $0) }
      })
  }

  private static func names(_ end: End, _ axis: Axis) -> [String] {
    end.prefixes.flatMap { prefix in axis.suffixes.map { prefix + $0 } }
  }

  /// - Parameter type: What links must be for, if they say.
  func values(of fields: [String], for type: TransportType) throws(RowProblem) -> PairValues {
    var values: PairValues
    switch ends {
    case .link(let index): values = try PairValues(link: fields[index], for: type)
    case .coordinates(let columns):
      var numbers: [Double] = []
      for (name, index) in columns { numbers.append(try CoordinateCheck.number(fields[index], in: name)) }
      values = PairValues(origin: (numbers[0], numbers[1]), destination: (numbers[2], numbers[3]))
    }
    func text(_ column: Column) -> String? {
      optional[column].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
    values.id = text(.id)
    values.originID = text(.originID)
    values.destinationID = text(.destinationID)
    values.originName = text(.originName)
    values.destinationName = text(.destinationName)
    values.group = text(.group)
    values.departure = text(.departure)
    return values
  }
}
