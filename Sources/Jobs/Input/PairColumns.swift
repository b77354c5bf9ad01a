/// What a row of a pair table says, before its coordinates are checked.
struct PairValues {
  var id: String?
  var originID: String?
  var destinationID: String?
  var originName: String?
  var destinationName: String?
  var group: String?
  /// ISO 8601 with a zone.
  var departure: String?
  /// A link of Maps that says both ends, in the place of the numbers.
  var link: String?
  /// Longitude and latitude of the origin, then of the destination; zeros where there is a problem.
  var numbers = (0.0, 0.0, 0.0, 0.0)
  /// Why the row cannot be used.
  var problem: String?
}

/// Where a pair table's columns are, found by their names.
struct PairColumns {
  /// Empty where pairs are links.
  private let coordinates: [(name: String, index: Int)]
  private let optional: [String: Int]
  private let link: Int?

  private static let prefixes = [
    "origin": ["origin_", "from_", "o_", "source_"], "destination": ["destination_", "to_", "d_", "dest_"],
  ]
  private static let suffixes = ["lon": ["lon", "lng", "longitude", "x"], "lat": ["lat", "latitude", "y"]]

  /// *Throws*: `InputError` where a coordinate has no column.
  init(_ header: [String], file: String) throws {
    let names = header.map { $0.lowercased() }
    let links = names.firstIndex { $0.contains("link") || $0.contains("url") }
    let hasCoordinates = names.contains { name in
      PairColumns.prefixes.values.joined().contains { prefix in
        PairColumns.suffixes.values.joined().contains { name == prefix + $0 }
      }
    }
    var coordinates: [(String, Int)] = []
    if links == nil || hasCoordinates {
      coordinates = try PairColumns.coordinates(header, names, file)
    }
    self.coordinates = coordinates
    self.link = coordinates.isEmpty ? links : nil
    var optional: [String: Int] = [:]
    let keys = [
      "id": ["id", "pair_id"], "originID": PairColumns.prefixes["origin"]!.map { $0 + "id" },
      "destinationID": PairColumns.prefixes["destination"]!.map { $0 + "id" },
      "originName": PairColumns.prefixes["origin"]!.map { $0 + "name" },
      "destinationName": PairColumns.prefixes["destination"]!.map { $0 + "name" }, "group": ["group"],
      "departure": ["departure_time", "departure_date"],
    ]
    for (key, allowed) in keys {
      optional[key] = allowed.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    self.optional = optional
  }

  private static func coordinates(
    _ header: [String], _ names: [String], _ file: String
  ) throws -> [(name: String, index: Int)] {
    var coordinates: [(String, Int)] = []
    for (end, axis) in [("origin", "lon"), ("origin", "lat"), ("destination", "lon"), ("destination", "lat")] {
      let allowed = PairColumns.prefixes[end]!.flatMap { prefix in
        PairColumns.suffixes[axis]!.map { prefix + $0 }
      }
      guard let found = allowed.lazy.compactMap({ names.firstIndex(of: $0) }).first else {
        let missing = axis == "lon" ? "longitude" : "latitude"
        throw InputError(
          file: file, line: 1,
          problem: "the header has no column for the \(end)'s \(missing); found: \(header.joined(separator: ", ")); "
            + "allowed: \(allowed.joined(separator: ", "))")
      }
      coordinates.append((header[found], found))
    }
    return coordinates
  }

  func values(of fields: [String]) -> PairValues {
    func text(_ key: String) -> String? {
      optional[key].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
    var numbers: [Double] = []
    var problem: String?
    for (name, index) in coordinates {
      switch CoordinateCheck.number(fields[index], in: name) {
      case .success(let number): numbers.append(number)
      case .failure(let failure):
        numbers.append(0)
        problem = problem ?? failure.reason
      }
    }
    var values = PairValues(
      id: text("id"), originID: text("originID"), destinationID: text("destinationID"), originName: text("originName"),
      destinationName: text("destinationName"), group: text("group"),
      departure: text("departure"), link: link.map { fields[$0] }, problem: problem)
    if link == nil { values.numbers = (numbers[0], numbers[1], numbers[2], numbers[3]) }
    return values
  }
}
