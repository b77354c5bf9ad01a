import Tables

/// What the network says of streets that traces passed.
package struct TraceStreets: Sendable {
  /// How many streets there are.
  private let count: Int
  /// A street by its number from 1.
  let street: @Sendable (_ fid: Int) -> StreetUsedRow
  /// Its pieces in a direction of travel, in their order.
  let pieces: @Sendable (StreetDirection) -> [WayPiece]

  package init(
    count: Int, street: @escaping @Sendable (_ fid: Int) -> StreetUsedRow,
    pieces: @escaping @Sendable (StreetDirection) -> [WayPiece]
  ) {
    (self.count, self.street, self.pieces) = (count, street, pieces)
  }

  func has(_ fid: Int) -> Bool { (1...count).contains(fid) }
}

/// Writes the streets that traces passed, and how fast: from `trace_street_row`, sorted by the database, so that the
/// passes of one street and hour alone are in memory.
struct ObservedSpeeds {
  private let database: SQLite
  private let streets: TraceStreets
  private let file: ObservedSpeedFile
  private let insertStreet: Insert<StreetUsedRow>
  private let insertSpeed: Insert<ObservedSpeedRow>

  init(_ database: SQLite, _ streets: TraceStreets, _ file: CSVFile) throws {
    (self.database, self.streets, self.file) = (database, streets, ObservedSpeedFile(file))
    insertStreet = try Insert(into: StreetUsedRow.table, of: database)
    insertSpeed = try Insert(into: ObservedSpeedRow.table, of: database)
  }

  func write() throws {
    let rows = try database.prepare(
      """
      SELECT street, period, to_cm - from_cm AS passed, observed_ms, expected_ms FROM trace_street_row
      ORDER BY street, period, fid
      """)
    let columns = try ["street", "period", "passed", "observed_ms", "expected_ms"].map(rows.index)
    var (street, passes): (StreetUsedRow?, ObservedPasses?)
    while try rows.next() {
      let direction = StreetDirection(number: try rows.value(at: columns[0]))
      let hour: Int? = try rows.value(at: columns[1])
      let period = hour.flatMap(SpeedPeriod.init(number:))
      guard streets.has(direction.fid), hour == period?.number else {
        throw ResultsError(
          path: database.path, problem: "it has streets or hours that there are not; run the job again with --fresh",
          cause: .changed)
      }
      if let done = passes, done.street != direction || done.period != period {
        try write(done, street)
        passes = nil
      }
      if street?.fid != direction.fid {
        let met = streets.street(direction.fid)
        try insertStreet(met)
        street = met
      }
      let (passed, expected): (Int, Int) = (try rows.value(at: columns[2]), try rows.value(at: columns[4]))
      // Of less than half a street the ends say more than the street.
      guard let period, let observed: Int = try rows.value(at: columns[3]), observed > 0, expected > 0, passed > 0,
        2 * passed >= street?.centimetres ?? 0
      else { continue }
      passes = passes ?? ObservedPasses(direction, period)
      passes?.add(centimetres: passed, observed: observed, expected: expected)
    }
    if let passes { try write(passes, street) }
    try file.finish()
  }

  private func write(_ passes: ObservedPasses, _ street: StreetUsedRow?) throws {
    let row = passes.row
    try insertSpeed(row)
    try file.append(row, streets.pieces(passes.street), key: street?.key ?? 0)
  }
}
