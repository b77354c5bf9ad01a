import Geography

/// A trip of the results that is to be computed again.
package struct TripToVerify: Sendable {
  package var item: String
  /// The places it may be between: an id may stand for several points.
  package var ends: [(from: FixedCoordinate, to: FixedCoordinate)]
  /// When it starts, where that was asked for.
  package var departure: String?
  package var status: String
  package var found: VerifiedWeight?

  package init(
    item: String, ends: [(from: FixedCoordinate, to: FixedCoordinate)], departure: String?, status: String,
    found: VerifiedWeight?
  ) {
    (self.item, self.ends, self.departure, self.status, self.found) = (item, ends, departure, status, found)
  }
}

/// What results say of a trip, in the units of the engine.
package struct VerifiedWeight: Sendable, Hashable {
  package var milliseconds: Int
  /// Nil where the results have none.
  package var centimetres: Int?

  package init(milliseconds: Int, centimetres: Int?) {
    (self.milliseconds, self.centimetres) = (milliseconds, centimetres)
  }

  fileprivate init?(seconds: Double?, metres: Double?) {
    guard let seconds else { return nil }
    self.init(
      milliseconds: Int((seconds * 1000).rounded()), centimetres: metres.map { Int(($0 * 100).rounded()) })
  }
}

/// A place of the results, by its row.
package struct PlaceToVerify: Sendable {
  package var id: String
  package var point: FixedCoordinate
  package var status: String
  package var row: Int
}

/// A number of the results that is not what it should be; nil for none.
package struct Difference: Sendable, Hashable {
  package var item: String
  package var measure: String
  package var found: Double?
  package var expected: Double?

  package init(item: String, measure: String, found: Double?, expected: Double?) {
    (self.item, self.measure, self.found, self.expected) = (item, measure, found, expected)
  }
}

extension Difference: CustomStringConvertible {
  /// "pair 17: distance is 120.5, should be 120.4".
  package var description: String {
    func text(_ value: Double?) -> String { value.map { String($0) } ?? "none" }
    return "\(item): \(measure) is \(text(found)), should be \(text(expected))"
  }
}

extension ResultsDatabase {
  /// The trip in row `row`, from 1, of `trips`; nil for an alternate.
  package func trip(_ row: Int) throws -> TripToVerify? {
    let candidates = try rows(Schema.tripToVerify, row) { row in
      let (from, to) = (row.point(1), row.point(3))
      let crowFly = Int((from.distance(to: to) * 100).rounded())
      let trip = TripToVerify(
        item: "pair \(row.text(0) ?? "")", ends: [(from, to)], departure: row.text(5), status: row.text(6) ?? "",
        found: VerifiedWeight(seconds: row.optionalDouble(7), metres: row.optionalDouble(8)))
      return (trip, isOurs: crowFly == Int((row.double(9) * 100).rounded()))
    }.filter(\.isOurs).map(\.0)
    guard var trip = candidates.first else { return nil }
    trip.ends = candidates.flatMap(\.ends)
    return trip
  }

  package func tripCount() throws -> Int { try rows(Schema.lastRoute) { $0.integer(0) }[0] }
  package func areaCount() throws -> Int { try rows(Schema.lastArea) { $0.integer(0) }[0] }

  /// The places of a role, in their order.
  package func places(_ role: String) throws -> [PlaceToVerify] {
    let statement = try database.prepare(Schema.pointsOfRole)
    statement.bind(role)
    var places: [PlaceToVerify] = []
    while try statement.next() {
      places.append(
        PlaceToVerify(
          id: statement.text(0) ?? "", point: statement.point(1), status: statement.text(3) ?? "",
          row: statement.integer(4)))
    }
    return places
  }

  /// A row of a matrix: a value for each destination, nil for no way; nil where the database has no cells.
  package func cells(_ row: Int) throws -> [VerifiedWeight?]? {
    func numbers(_ text: String?) -> [Double?]? {
      text?.dropFirst().dropLast().split(separator: ",").map { Double($0) }
    }
    return try rows(Schema.matrixRow, row) { row -> [VerifiedWeight?]? in
      guard let times = numbers(row.text(0)) else { return nil }
      let lengths = numbers(row.text(1)) ?? Array(repeating: nil, count: times.count)
      return zip(times, lengths).map { VerifiedWeight(seconds: $0, metres: $1) }
    }.first ?? nil
  }

  /// What stands of the origin in row `row`: rows of its stations and their doors, nearest first.
  package func nearest(_ row: Int) throws -> [(station: Int?, door: Int?, found: VerifiedWeight?, status: String)] {
    try rows(Schema.accessRows, row) { row in
      let found =
        row.isNull(2) ? nil : VerifiedWeight(milliseconds: row.integer(2), centimetres: row.integer(3))
      return (
        row.isNull(0) ? nil : row.integer(0), row.isNull(1) ? nil : row.integer(1), found, row.text(4) ?? ""
      )
    }
  }

  /// The area in row `row`, from 1: its place, seconds, status, and metres of streets.
  package func area(_ row: Int) throws -> [(
    id: String, point: FixedCoordinate, within: Int, status: String, metres: Double?
  )] {
    try rows(Schema.areaToVerify, row) { row in
      (row.text(0) ?? "", row.point(1), row.integer(3), row.text(4) ?? "", row.optionalDouble(5))
    }
  }

  /// All sums of the results added up again: how many, and those that are wrong.
  package func sums() throws -> (checked: Int, differences: [Difference]) {
    let hasCells = try kind() == "matrix" && cells(1) != nil
    let sums = try Schema.sums(kind(), hasCells: hasCells)
    let differences = try sums.flatMap { sum in
      try rows(sum.question) { row in
        Difference(
          item: row.text(0) ?? "", measure: sum.measure, found: row.optionalDouble(1), expected: row.optionalDouble(2))
      }
    }
    return (sums.count, differences)
  }

  /// Keeps the outcome of a verification in the database at `path`: differences in a table, the rest in `job`.
  package static func keep(
    _ differences: [Difference], _ facts: [(key: String, value: String)], in path: String
  ) throws {
    let database = try SQLite(path: path, .writing)
    try database.transaction {
      try database.run(Schema.verification)
      let insert = try database.prepare(Schema.insertDifference)
      for difference in differences {
        insert.bind(difference.item)
        insert.bind(difference.measure)
        insert.bind(difference.found)
        insert.bind(difference.expected)
        try insert.run()
      }
      try database.note(facts)
    }
    try database.close()
  }
}

extension SQLite.Statement {
  fileprivate func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

  /// Latitude and longitude in two columns.
  fileprivate func point(_ column: Int32) -> FixedCoordinate {
    func fixed(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
    return FixedCoordinate(longitude: fixed(double(column + 1)), latitude: fixed(double(column)))
  }
}
