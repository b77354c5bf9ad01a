import Geography
import Hierarchy
import StreetNetwork
import Tables

/// A row of table `flow`: a street in one direction, and the trips that use it.
struct FlowRow: Sendable {
  var street: StreetUsedRow
  var isReversed: Bool
  var trips: Int
  /// The total weight of the trips; nil if no pair has a weight.
  var weight: Double?

  static let table = Table<FlowRow>(
    "flow", "street and direction that a best route uses; none with transit",
    [
      .rowNumber("fid"),
      .integer("street_fid", "number of the street in the network, from 1") { $0.street.fid },
      .integer("street_key", "key of the street, stable across map updates and profiles") { $0.street.key },
      .integer("forward", "1 along the street's shape, 0 against it") { $0.isReversed ? 0 : 1 },
      .text("name", "name or reference, else the street's type") { $0.street.name },
      .text("class", "road class: `motorway` to `path`, or `other`") { $0.street.roadClass },
      .lineBreak,
      .integer("trips", "best routes that use all or part of the street, at all departures or percentiles") {
        $0.trips
      },
      .optionalReal("weight", "sum of the weights of the pairs; NULL if no pair has a weight") { $0.weight },
      .real("length", "metres") { Units.metres($0.street.centimetres) },
      .geometry("geom", .lineString) { $0.street.shape },
    ])

  static let layer = GeoPackage.Layer(
    table: "flow", geometry: .lineString, description: "Streets by the trips that use them, in each direction")
}

/// The number of trips on each street and direction. Each chunk has its own sums, which are added in input order.
struct FlowSums: Sendable {
  /// A hash table with open addressing: a slot without trips is empty.
  private var streets = [UInt32](repeating: 0, count: 64)
  private var trips = [UInt32](repeating: 0, count: 64)
  private var weights = [Double](repeating: 0, count: 64)
  /// The last trip counted in each slot.
  private var counted = [UInt32](repeating: 0, count: 64)
  private var tripCount: UInt32 = 0
  private(set) var count = 0
  private var hasWeights = false

  /// Adds a trip; a street counts once, even if it is both the first and the last.
  mutating func add(_ trip: [DirectedStreet], weight: Double?) {
    if weight != nil { hasWeights = true }
    tripCount += 1
    for street in trip {
      let slot = assignSlot(to: street.index)
      guard counted[slot] != tripCount else { continue }
      counted[slot] = tripCount
      trips[slot] += 1
      weights[slot] += weight ?? 0
    }
  }

  private mutating func add(_ street: UInt32, _ addedTrips: UInt32, _ weight: Double) {
    let slot = assignSlot(to: street)
    trips[slot] += addedTrips
    weights[slot] += weight
  }

  /// Returns the slot of a street, after assigning it a free one if it is new.
  private mutating func assignSlot(to street: UInt32) -> Int {
    if count * 2 >= streets.count { grow() }
    let slot = slot(of: street)
    if trips[slot] == 0 {
      streets[slot] = street
      count += 1
    }
    return slot
  }

  private func slot(of street: UInt32) -> Int {
    let mask = streets.count - 1
    var slot = Int(truncatingIfNeeded: UInt64(street) &* 0x9E37_79B9_7F4A_7C15 >> 20) & mask
    while trips[slot] != 0, streets[slot] != street { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = self
    streets = [UInt32](repeating: 0, count: old.streets.count * 2)
    trips = [UInt32](repeating: 0, count: streets.count)
    weights = [Double](repeating: 0, count: streets.count)
    counted = [UInt32](repeating: 0, count: streets.count)
    for index in old.streets.indices where old.trips[index] != 0 {
      let slot = slot(of: old.streets[index])
      (streets[slot], trips[slot], weights[slot]) = (old.streets[index], old.trips[index], old.weights[index])
      counted[slot] = old.counted[index]
    }
  }

  /// The sums in the order of the streets.
  private var entries: [(street: UInt32, trips: UInt32, weight: Double)] {
    streets.indices.filter { trips[$0] != 0 }.sorted { streets[$0] < streets[$1] }.map {
      (streets[$0], trips[$0], weights[$0])
    }
  }

  /// Inserts the rows of table `flow` in the order of the streets; threads prepare them in batches. *Throws*:
  /// `JournalReader.Failure` if the network lacks a street.
  fileprivate func insertRows(into database: SQLite, _ network: StreetNetwork, workers: Int) throws {
    let (entries, hasWeights) = (entries, hasWeights)
    let insert = try Insert(into: FlowRow.table, of: database)
    try Pipeline.run(
      Pipeline.chunks(of: entries.count, size: 1 << 10), workers: workers,
      makeWorker: {
        { batch in
          let rows = RowValues(of: FlowRow.table)
          for (street, trips, weight) in entries[batch] {
            let direction = StreetDirection(DirectedStreet(index: street))
            guard network.hasStreet(direction.fid) else { throw JournalReader.Failure() }
            var row = network.usedStreet(direction.fid)
            if direction.isReversed { row.shape = GeometryBlob(line: row.shape.lines.joined().reversed()[...]) }
            rows.append(
              FlowRow(
                street: row, isReversed: direction.isReversed, trips: Int(trips), weight: hasWeights ? weight : nil))
          }
          return rows
        }
      }, write: { batches in for rows in batches { try insert(rows) } })
  }
}

extension FlowSums: Journaled {
  /// The sums in the format of journals.
  var bytes: [UInt8] {
    var journal = JournalWriter()
    journal.put(self)
    return journal.bytes
  }

  func write(to journal: inout JournalWriter) {
    journal.put(hasWeights)
    journal.put(unsigned: UInt64(count))
    var last: UInt32 = 0
    for (street, trips, weight) in entries {
      journal.put(unsigned: UInt64(street - last))
      journal.put(unsigned: UInt64(trips))
      if hasWeights { journal.put(weight) }
      last = street
    }
  }

  init(from journal: inout JournalReader) throws { try add(from: &journal) }

  fileprivate mutating func add(from journal: inout JournalReader) throws {
    let hasMoreWeights: Bool = try journal.take()
    if hasMoreWeights { hasWeights = true }
    var street = UInt64(0)
    for _ in 0..<(try journal.takeCount()) {
      let (step, trips) = (try journal.takeUnsigned(), try journal.takeUnsigned())
      guard step <= UInt32.max, street + step <= UInt32.max, (1...UInt64(UInt32.max)).contains(trips) else {
        throw JournalReader.Failure()
      }
      street += step
      add(UInt32(street), UInt32(trips), hasMoreWeights ? try journal.take() : 0)
    }
  }
}

/// The flows of each chunk while results are being written, so that a resumed run can continue.
extension FlowSums {
  static let table = Table<(chunk: Int, bytes: [UInt8])>(
    "flow_part", "chunk and the trips on its streets",
    [.key("chunk_id", "") { $0.chunk }, .blob("sums", "") { $0.bytes }])

  /// Writes table `flow` from the flows of all chunks, which are then deleted. *Throws*: `ResultsError`.
  static func finish(in database: SQLite, _ network: StreetNetwork, workers: Int) throws {
    let corrupt = ResultsError(
      path: database.path, problem: "the flows of its rows are corrupt; run the job again with --fresh",
      cause: .changed)
    do {
      var sums = FlowSums()
      let parts = try database.prepare("SELECT sums FROM \(table.name) ORDER BY chunk_id")
      while try parts.next() {
        var reader = JournalReader(try parts.value(at: 0))
        try sums.add(from: &reader)
        guard reader.isAtEnd else { throw corrupt }
      }
      try sums.insertRows(into: database, network, workers: workers)
    } catch is JournalReader.Failure {
      throw corrupt
    }
    try database.execute("DROP TABLE \(table.name)")
  }
}

/// A street with the trips on it, as drawn by pages.
package struct DrawnFlow: Sendable {
  package var name: String
  /// The numbers of trips along the street's line and against it.
  package var trips: (forward: Int, backward: Int)
  /// The total weights of the trips; nil if no pair has a weight.
  package var weight: (forward: Double, backward: Double)?
  package var points: [FixedCoordinate]

  package init(
    name: String, trips: (forward: Int, backward: Int), weight: (forward: Double, backward: Double)?,
    points: [FixedCoordinate]
  ) { (self.name, self.trips, self.weight, self.points) = (name, trips, weight, points) }

  /// The value shown by the width of the line: the weight, else the number of trips.
  package var sum: Double { weight.map { $0.forward + $0.backward } ?? Double(trips.forward + trips.backward) }
}

extension ResultsDatabase {
  func flowRows() throws -> Int {
    try database.hasTable(FlowRow.table.name) ? database.value("SELECT count(*) FROM \(FlowRow.table.name)") : 0
  }

  /// Returns the streets with the largest flows of both directions together, in descending order; empty if flows are
  /// not counted.
  package func drawnFlows(atMost limit: Int) throws -> [DrawnFlow] {
    guard try database.hasTable(FlowRow.table.name) else { return [] }
    // The rows of a street are adjacent, and the first determines the direction of its line.
    let first = try database.prepare("SELECT name, trips, weight, geom FROM flow WHERE fid = ?")
    return try database.rows(
      """
      SELECT min(fid) AS first, sum(trips) AS all_trips, sum(weight) AS all_weight FROM flow GROUP BY street_fid
      ORDER BY coalesce(sum(weight), sum(trips)) DESC, street_fid LIMIT ?
      """, limit
    ) { row in
      first.reset()
      first.bind(try row["first"] as Int)
      guard try first.next() else { return nil }
      let (trips, weight): (Int, Double?) = (try first["trips"], try first["weight"])
      let (allTrips, allWeight): (Int, Double?) = (try row["all_trips"], try row["all_weight"])
      return DrawnFlow(
        name: try first["name"], trips: (trips, allTrips - trips),
        weight: weight.map { ($0, max(0, (allWeight ?? 0) - $0)) },
        points: (try first["geom"] as GeometryBlob).lines.first ?? [])
    }.compactMap(\.self)
  }
}
