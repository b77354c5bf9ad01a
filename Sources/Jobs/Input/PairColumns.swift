/// What a row of a pair table says, before its coordinates are checked.
struct PairValues {
  var id: String?
  var originID: String?
  var destinationID: String?
  var originName: String?
  var destinationName: String?
  var group: String?
  /// Longitude and latitude of the origin, then of the destination; zeros where there is a problem.
  var numbers: (Double, Double, Double, Double)
  /// Why the row cannot be used.
  var problem: String?
}

/// Where a pair table's columns are, found by their names.
struct PairColumns {
  private let coordinates: [(name: String, index: Int)]
  private let optional: [String: Int]

  private static let prefixes = [
    "origin": ["origin_", "from_", "o_", "source_"], "destination": ["destination_", "to_", "d_", "dest_"],
  ]
  private static let suffixes = ["lon": ["lon", "lng", "longitude", "x"], "lat": ["lat", "latitude", "y"]]

  /// *Throws*: `InputError` where a coordinate has no column.
  init(_ header: [String], file: String) throws {
    let names = header.map { $0.lowercased() }
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
    self.coordinates = coordinates
    var optional: [String: Int] = [:]
    let keys = [
      "id": ["id", "pair_id"], "originID": PairColumns.prefixes["origin"]!.map { $0 + "id" },
      "destinationID": PairColumns.prefixes["destination"]!.map { $0 + "id" },
      "originName": PairColumns.prefixes["origin"]!.map { $0 + "name" },
      "destinationName": PairColumns.prefixes["destination"]!.map { $0 + "name" }, "group": ["group"],
    ]
    for (key, allowed) in keys {
      optional[key] = allowed.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    self.optional = optional
  }

  func values(of fields: [String]) -> PairValues {
    func text(_ key: String) -> String? {
      optional[key].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
    var numbers: [Double] = []
    var problem: String?
    for (name, index) in coordinates {
      if let number = Double(fields[index]) {
        numbers.append(number)
      } else {
        numbers.append(0)
        problem = problem ?? complaint(about: fields[index], in: name)
      }
    }
    return PairValues(
      id: text("id"), originID: text("originID"), destinationID: text("destinationID"), originName: text("originName"),
      destinationName: text("destinationName"), group: text("group"),
      numbers: (numbers[0], numbers[1], numbers[2], numbers[3]), problem: problem)
  }
  private func complaint(about field: String, in name: String) -> String {
    guard !field.isEmpty else { return "\(name) is empty" }
    return "\(name) \"\(field)\" is no number" + (field.contains(",") ? "; decimals are written with a point" : "")
  }
}
