import Geography
import Routing
import StreetNetwork
import Tables

/// A row of table `street_used`: a street passed by a trace.
struct StreetUsedRow: Sendable {
  var fid: Int
  var key: Int
  var name: String
  var roadClass: String
  var centimetres: Int
  var shape: GeometryBlob

  static let table = Table<StreetUsedRow>(
    "street_used", "street that a trace passed",
    [
      .key("fid", "number of the street in the network, from 1") { $0.fid },
      .integer("street_key", "hash of the street's ends and length, stable across map updates and profiles") { $0.key },
      .text("name", "name or reference, else the street's type") { $0.name },
      .text("class", "road class: `motorway` to `path`, or `other`") { $0.roadClass },
      .real("length", "metres") { Units.metres($0.centimetres) },
      .geometry("geom", .lineString) { $0.shape },
    ])
}

/// The network's data about passed streets.
struct TraceStreets: Sendable {
  /// The number of streets.
  private let count: Int
  /// Returns a street by its number, from 1.
  let street: @Sendable (_ fid: Int) -> StreetUsedRow
  /// Returns a street's pieces in a direction of travel, in order.
  let pieces: @Sendable (StreetDirection) -> [WayPiece]

  init(
    count: Int, street: @escaping @Sendable (_ fid: Int) -> StreetUsedRow,
    pieces: @escaping @Sendable (StreetDirection) -> [WayPiece]
  ) { (self.count, self.street, self.pieces) = (count, street, pieces) }

  func has(_ fid: Int) -> Bool { (1...count).contains(fid) }
}

/// A writer for the passed streets and their speeds, from table `trace_street_row`, sorted by the database, so that
/// only the passes of one street and hour are in memory.
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
          path: database.path, problem: "it has streets or hours that do not exist; run the job again with --fresh",
          cause: .changed)
      }
      if let completed = passes, completed.street != direction || completed.period != period {
        try write(completed, street)
        passes = nil
      }
      if street?.fid != direction.fid {
        let newStreet = streets.street(direction.fid)
        try insertStreet(newStreet)
        street = newStreet
      }
      let (passed, expected): (Int, Int) = (try rows.value(at: columns[2]), try rows.value(at: columns[4]))
      // If less than half of a street was passed, its ends dominate.
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

extension TraceStreets {
  /// Creates the data from a network; streets have the network's numbers, from 1.
  init(_ network: StreetNetwork) {
    self.init(
      count: network.streetCount,
      street: { fid in
        let id = StreetID(fid - 1)
        return StreetUsedRow(
          fid: fid, key: Int(network.streetKey(of: id)), name: network.label(of: id),
          roadClass: "\(network.attributes(of: id).roadClass)", centimetres: Int(network.street(id).centimetres),
          shape: GeometryBlob(line: ArraySlice(network.points[network.shape(of: id)])))
      },
      pieces: { direction in
        let pieces = network.parts(of: StreetID(direction.fid - 1)).map { part in
          WayPiece(
            way: Int(part.way), fromNode: Int(direction.isReversed ? part.headNode : part.tailNode),
            toNode: Int(direction.isReversed ? part.tailNode : part.headNode),
            isForward: part.isReversed == direction.isReversed)
        }
        return direction.isReversed ? pieces.reversed() : pieces
      })
  }
}

extension StreetDirection {
  init(_ street: DirectedStreet) { self.init(fid: Int(street.street.index) + 1, isReversed: street.isReversed) }
}

/// A section of one way between two junctions, or between the points where a street's ways meet, in a direction of
/// travel.
struct WayPiece: Sendable {
  /// OpenStreetMap ids; 0 for a line that is not a way.
  var way: Int
  var fromNode: Int
  var toNode: Int
  /// Whether it is travelled in the way's direction.
  var isForward: Bool
}

/// `observed_speeds.csv.gz`: observed speeds for other programs, by OpenStreetMap ids.
final class ObservedSpeedFile {
  static let columns = "way_id,from_node,to_node,forward,weekday,from,to,kmh,passes,slowness,street_key"

  private let file: CSVFile
  private let deflater = Deflater()
  private var text = TextBuffer(capacity: 1 << 16)

  init(_ file: CSVFile) { self.file = file }

  /// Adds one line per piece of the street.
  func append(_ row: ObservedSpeedRow, _ pieces: [WayPiece], key: Int) throws {
    for piece in pieces {
      for number in [piece.way, piece.fromNode, piece.toNode, piece.isForward ? 1 : 0] {
        text.append(integer: number)
        text.append(",")
      }
      text.append(text: row.period.weekday)
      text.append(",")
      text.append(text: SpeedPeriod.clock(row.period.hour))
      text.append(",")
      text.append(text: SpeedPeriod.clock(row.period.hour + 1))
      text.append(",")
      text.append(decimal: Int64((row.speed * 36).rounded()), places: 1)
      text.append(",")
      text.append(integer: row.passes)
      text.append(",")
      text.append(decimal: Int64((row.slowness * 1000).rounded()), places: 3)
      text.append(",")
      text.append(integer: key)
      text.append("\n")
    }
    if text.count > 1 << 16 { try flush() }
  }

  private func flush() throws {
    deflater.append(text)
    text.removeAll()
    try file.append(deflater.finishBlock())
  }

  func finish() throws { if text.count > 0 { try flush() } }
}
