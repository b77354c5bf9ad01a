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

/// Writes the streets that traces passed and their speeds: to tables, and by OpenStreetMap ids to a CSV file for other
/// programs. Reads table `trace_street_row` in the order of streets and hours, so that only the passes of one street
/// and hour are in memory.
final class ObservedSpeedWriter {
  /// The columns of `observed_speeds.csv.gz`.
  static let columns = "way_id,from_node,to_node,forward,weekday,from,to,kmh,passes,slowness,street_key"

  private let database: SQLite
  private let network: StreetNetwork
  private let file: GzipFile
  private let insertStreet: Insert<StreetUsedRow>
  private let insertSpeed: Insert<ObservedSpeedRow>
  private let deflater = Deflater()
  private var text = TextBuffer(capacity: 1 << 16)

  init(_ database: SQLite, _ network: StreetNetwork, _ file: GzipFile) throws {
    (self.database, self.network, self.file) = (database, network, file)
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
    var (street, passes): (StreetUsedRow?, ObservedSpeedRow?)
    while try rows.next() {
      let direction = StreetDirection(number: try rows.value(at: columns[0]))
      let hour: Int? = try rows.value(at: columns[1])
      let period = hour.flatMap(SpeedPeriod.init(number:))
      guard network.hasStreet(direction.fid), hour == period?.number else {
        throw ResultsError(
          path: database.path, problem: "it has streets or hours that do not exist; run the job again with --fresh",
          cause: .changed)
      }
      if let completed = passes, completed.street != direction || completed.period != period {
        try write(completed, street)
        passes = nil
      }
      if street?.fid != direction.fid {
        let newStreet = network.usedStreet(direction.fid)
        try insertStreet(newStreet)
        street = newStreet
      }
      let (passed, expected): (Int, Int) = (try rows.value(at: columns[2]), try rows.value(at: columns[4]))
      // If less than half of a street was passed, inaccurate ends of the pass dominate its speed.
      guard let period, let observed: Int = try rows.value(at: columns[3]), observed > 0, expected > 0, passed > 0,
        2 * passed >= street?.centimetres ?? 0
      else { continue }
      passes = passes ?? ObservedSpeedRow(street: direction, period: period)
      passes?.add(centimetres: passed, observed: observed, expected: expected)
    }
    if let passes { try write(passes, street) }
    if text.count > 0 { try flush() }
  }

  /// Writes a row, and one line per part of the street between two junctions, or between the points where its ways
  /// meet, in the order of travel. The ids of a part that is not a way are 0.
  private func write(_ passes: ObservedSpeedRow, _ street: StreetUsedRow?) throws {
    var row = passes
    row.speeds.sort()
    try insertSpeed(row)
    let isReversed = row.street.isReversed
    let parts = Array(network.parts(of: StreetID(row.street.fid - 1)))
    for part in isReversed ? parts.reversed() : parts {
      let (from, to) = isReversed ? (part.headNode, part.tailNode) : (part.tailNode, part.headNode)
      for number in [Int(part.way), Int(from), Int(to), part.isReversed == isReversed ? 1 : 0] {
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
      text.append(integer: street?.key ?? 0)
      text.append("\n")
    }
    if text.count > 1 << 16 { try flush() }
  }

  private func flush() throws {
    deflater.append(text)
    text.removeAll()
    try file.append(deflater.finishBlock())
  }
}

extension StreetNetwork {
  /// Returns whether a street has the number, counted from 1.
  func hasStreet(_ fid: Int) -> Bool { (1...streetCount).contains(fid) }

  /// Returns a street by its number, from 1.
  func usedStreet(_ fid: Int) -> StreetUsedRow {
    let id = StreetID(fid - 1)
    return StreetUsedRow(
      fid: fid, key: Int(streetKey(of: id)), name: label(of: id), roadClass: "\(attributes(of: id).roadClass)",
      centimetres: Int(street(id).centimetres), shape: GeometryBlob(line: ArraySlice(points[shape(of: id)])))
  }
}

extension StreetDirection {
  init(_ street: DirectedStreet) { self.init(fid: Int(street.street.index) + 1, isReversed: street.isReversed) }
}

/// A row of table `observed_speed`: the speeds of traces on a street in one direction, during an hour on a kind of day.
struct ObservedSpeedRow {
  let street: StreetDirection
  let period: SpeedPeriod
  private var centimetres = 0
  private var observedMilliseconds = 0
  private var expectedMilliseconds = 0
  /// The speed of each pass, in metres per second; sorted before the row is written.
  fileprivate var speeds: [Double] = []

  init(street: StreetDirection, period: SpeedPeriod) { (self.street, self.period) = (street, period) }

  /// Adds a pass, with its times in milliseconds.
  mutating func add(centimetres: Int, observed: Int, expected: Int) {
    self.centimetres += centimetres
    observedMilliseconds += observed
    expectedMilliseconds += expected
    speeds.append(Double(centimetres) * 10 / Double(observed))
  }

  var passes: Int { speeds.count }
  /// Metres per second.
  var speed: Double { Double(centimetres) * 10 / Double(observedMilliseconds) }
  /// Observed over expected time.
  var slowness: Double { Double(observedMilliseconds) / Double(expectedMilliseconds) }

  /// Returns a quantile of the speeds, by its index in `Statistic.quantiles`.
  private func speed(quantile: Int) -> Double {
    Statistic(scope: "", measure: .speed, sorted: speeds).quantiles[quantile]
  }

  static let table = Table<ObservedSpeedRow>(
    "observed_speed", "street, direction and hour in which traces passed at least half of the street",
    [
      .rowNumber("fid"),
      .integer("street_fid", "`fid` of the street in `street_used`") { $0.street.fid },
      .integer("is_reversed", "1 if against the direction of the street's shape") { $0.street.isReversed ? 1 : 0 },
      .text("weekday", "`Mo-Fr`, `Sa` or `Su`: day on which the street was entered, in `timeZone`") {
        $0.period.weekday
      },
      .integer("hour", "0 to 23: hour in which the street was entered") { $0.period.hour },
      .lineBreak,
      .integer("passes", "number of passes") { $0.passes },
      .real("distance", "metres of all passes") { Units.metres($0.centimetres) },
      .real("observed_time", "seconds of all passes, without stops") { Units.seconds($0.observedMilliseconds) },
      .real("expected_travel_time", "seconds of all passes, by the profile") { Units.seconds($0.expectedMilliseconds) },
      .lineBreak,
      .real("speed", "metres per second: distance / observed time") { $0.speed },
      .real("speed_p25", "metres per second: 25th percentile of the passes") { $0.speed(quantile: 2) },
      .real("speed_p75", "75th percentile") { $0.speed(quantile: 4) },
      .real("slowness", "observed / expected time") { $0.slowness },
    ])
}

/// A street passed by traces, both directions together, for maps: its passes, and observed over expected time, at each
/// hour of the day over all days.
package typealias ObservedStreet = (
  name: String, points: [FixedCoordinate], hours: [(hour: Int, passes: Int, slowness: Double)]
)

extension ResultsDatabase {
  /// Returns the streets with the most passes, and the number of all streets.
  package func observedStreets(atMost limit: Int) throws -> (streets: [ObservedStreet], of: Int) {
    var streets: [ObservedStreet] = []
    var last: Int?
    let rows = try database.prepare(
      """
      SELECT street_fid, name, geom, hour, sum(observed_speed.passes) AS passes,
        sum(observed_time) / sum(expected_travel_time) AS slowness
      FROM observed_speed JOIN street_used ON street_used.fid = street_fid
      WHERE street_fid IN (SELECT street_fid FROM observed_speed GROUP BY 1 ORDER BY sum(passes) DESC, 1 LIMIT \(limit))
        AND expected_travel_time > 0
      GROUP BY street_fid, hour ORDER BY street_fid, hour
      """)
    while try rows.next() {
      let street: Int = try rows["street_fid"]
      if street != last {
        streets.append((try rows["name"] ?? "", (try rows["geom"] as GeometryBlob).lines.first ?? [], []))
        last = street
      }
      streets[streets.count - 1].hours.append((try rows["hour"], try rows["passes"], try rows["slowness"]))
    }
    return (streets, try database.value("SELECT count(DISTINCT street_fid) FROM observed_speed"))
  }
}

/// A period of observed speeds: an hour on a kind of day, in local time.
struct SpeedPeriod: Hashable, Comparable, Sendable {
  /// 24 times the kind of day, plus the hour.
  let number: Int

  /// Nil if there is no such hour.
  init?(number: Int) {
    guard (0..<SpeedPeriod.weekdays.count * 24).contains(number) else { return nil }
    self.number = number
  }

  /// Creates the period of an instant.
  init(_ moment: Moment) { number = max(0, moment.weekday - 4) * 24 + moment.hour }

  /// The kinds of day in OpenStreetMap's notation.
  private static let weekdays = ["Mo-Fr", "Sa", "Su"]
  var weekday: String { SpeedPeriod.weekdays[number / 24] }
  var hour: Int { number % 24 }

  /// Returns the start of an hour as `07:00`; the end of the last hour is `24:00`.
  static func clock(_ hour: Int) -> String { hour < 10 ? "0\(hour):00" : "\(hour):00" }

  static func < (a: SpeedPeriod, b: SpeedPeriod) -> Bool { a.number < b.number }
}

extension SpeedPeriod: Journaled {
  package func write(to journal: inout JournalWriter) { journal.put(number) }

  package init(from journal: inout JournalReader) throws {
    guard let period = SpeedPeriod(number: try journal.take()) else { throw JournalReader.Failure() }
    self = period
  }
}
