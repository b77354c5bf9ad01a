import Tables

/// The catchments of stations and lines at each hour of a job: sums over origins. They are whole numbers, so that they do
/// not depend on the order of additions, on workers, interruptions or shards.
///
/// Each station or line has a list of sums by hour, then by the first threshold within which an origin lies, then by
/// measure, in the counting units of `AccessPlaces`.
struct ServiceSums: Sendable {
  private let (hours, thresholds, measures): (Int, Int, Int)
  /// The lists of stations, then lines; empty for those without origins.
  private var values: [[Int64]]
  /// The stations and lines whose sums changed since they were last written.
  private var changed: Set<Int> = []

  /// - Parameters:
  ///   - hours: The number of hours; 1 in a job without hours.
  ///   - services: The number of stations and lines.
  init(hours: Int, services: Int, thresholds: Int, measures: Int) {
    (self.hours, self.thresholds, self.measures) = (hours, thresholds, measures)
    values = Array(repeating: [], count: services)
  }

  /// The number of sums per station or line.
  private var width: Int { hours * thresholds * measures }

  /// Adds an origin's amounts, by measure.
  mutating func add(_ counts: ArraySlice<Int64>, hour: Int, service: Int, threshold: Int) {
    if values[service].isEmpty { values[service] = Array(repeating: 0, count: width) }
    let start = (hour * thresholds + threshold) * measures
    for (offset, count) in counts.enumerated() { values[service][start + offset] += count }
  }

  /// Adds all sums of a station or line.
  mutating func add(_ sums: [Int64], to service: Int) {
    precondition(sums.count == width, "a sum for each hour, threshold and measure")
    guard sums.contains(where: { $0 != 0 }) else { return }
    changed.insert(service)
    if values[service].isEmpty {
      values[service] = sums
    } else {
      for index in sums.indices { values[service][index] &+= sums[index] }
    }
  }

  /// Adds sums of the same stations, lines, hours, thresholds and measures.
  mutating func add(_ other: ServiceSums) {
    for (service, added) in other.values.enumerated() where !added.isEmpty { add(added, to: service) }
  }

  /// Returns whether `other` has the same dimensions.
  func matches(_ other: ServiceSums) -> Bool {
    (hours, thresholds, measures, values.count) == (other.hours, other.thresholds, other.measures, other.values.count)
  }

  /// Returns the catchment of a station or line within each threshold, by hour, threshold and measure.
  func within(_ service: Int) -> [[[Int64]]] {
    (0..<hours).map { hour in
      var sums = [Int64](repeating: 0, count: measures)
      return (0..<thresholds).map { threshold in
        if !values[service].isEmpty {
          let start = (hour * thresholds + threshold) * measures
          for measure in 0..<measures { sums[measure] += values[service][start + measure] }
        }
        return sums
      }
    }
  }

  /// The maximum number of sums, which equals the number of rows in `station_service` and `line_service`.
  var count: Int { values.count * width }
  /// The maximum size in bytes of a station's or line's sums; `memory` is the total.
  var serviceMemory: Int { width * 8 }
  var memory: Int { values.count * serviceMemory }
  /// The maximum size in bytes of the sums that can be written for a station or line, well below SQLite's limit for
  /// blobs.
  static let maximumServiceMemory = 1 << 28
}

extension ServiceSums {
  typealias Row = (service: Int, sums: [Int64])

  static let table = Table<Row>(
    "services_so_far", "sums of a station or line over the origins so far",
    [.key("service", "") { $0.service }, .blob("sums", "") { $0.sums.withUnsafeBytes { Array($0) } }])

  /// Writes the sums that changed since they were last written.
  mutating func write(_ upsert: Insert<Row>) throws {
    for service in changed.sorted() { try upsert((service, values[service])) }
    changed = []
  }

  /// Loads the sums of an earlier run.
  mutating func resume(from database: SQLite) throws {
    let rows = try database.rows("SELECT service, sums FROM \(ServiceSums.table.name)") {
      (service: try $0["service"] as Int, bytes: try $0["sums"] as [UInt8])
    }
    for (service, bytes) in rows {
      guard values.indices.contains(service), bytes.count == serviceMemory else {
        throw ResultsError(path: database.path, problem: "the sums of stations and lines are corrupt", cause: .changed)
      }
      values[service] = bytes.withUnsafeBytes { bytes in
        (0..<width).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self) }
      }
    }
  }

  /// Drops the table, which is not needed once the catchments are written.
  static func drop(from database: SQLite) throws { try database.execute("DROP TABLE \(table.name)") }
}

extension ServiceSums: Journaled {
  /// The largest possible count; a larger one means that the data is corrupt.
  private static let maximumCount = 1 << 20

  func write(to journal: inout JournalWriter) {
    for count in [hours, thresholds, measures, values.count] { journal.put(count) }
    let nonempty = values.indices.filter { !values[$0].isEmpty }
    journal.put(nonempty)
    for service in nonempty {
      journal.put(unsigned: UInt64(values[service].count))
      for sum in values[service] { journal.put(signed: sum) }
    }
  }

  init(from journal: inout JournalReader) throws {
    (hours, thresholds, measures) = (try journal.take(), try journal.take(), try journal.take())
    let count: Int = try journal.take()
    guard [hours, thresholds, measures, count].allSatisfy((0...ServiceSums.maximumCount).contains) else {
      throw JournalReader.Failure()
    }
    values = Array(repeating: [], count: count)
    for service in try journal.take([Int].self) {
      guard values.indices.contains(service) else { throw JournalReader.Failure() }
      values[service] = try (0..<journal.takeCount()).map { _ in try journal.takeSigned() }
      guard values[service].count == width else { throw JournalReader.Failure() }
    }
  }
}

/// The amount of a measure within a threshold, and its share of the total: a row of table `access_share`.
struct MeasuredValue {
  /// The number of its hour or percentile; nil in a job without hours.
  var departure: Int?
  /// In seconds.
  var threshold: Int
  var measure: String
  var value: Double
  var total: Double
  var share: Double? { total > 0 ? value / total : nil }
}

extension AccessResults {
  static func shares(_ axis: [RowAxis.Column]) -> Table<MeasuredValue> {
    let columns: [Column<MeasuredValue>] = [
      .integer("threshold", "seconds") { $0.threshold },
      .text("measure", "`origins` or a weight column") { $0.measure },
      .real("value", "amount of the measure with a station within the threshold") { $0.value },
      .real("total", "total amount of the measure") { $0.total },
      .optionalReal("share", "value / total") { $0.share },
    ]
    return Table(
      "access_share",
      "threshold and measure (`origins`, then each weight), and per departure or percentile if the job has several",
      key: axis.map(\.rawValue) + ["threshold", "measure"], Column.axis(axis) { $0.departure } + columns)
  }

  /// The amount of a measure with a station within a number of seconds, and its share of the total.
  typealias CurvePoint = (departure: Int?, measure: String, within: Int, value: Double, share: Double?)

  static func curves(_ axis: [RowAxis.Column]) -> Table<CurvePoint> {
    let columns: [Column<CurvePoint>] = [
      .text("measure", "`origins` or a weight column") { $0.measure },
      .integer("within", "seconds, up to twice the last threshold and at most `limit`") { $0.within },
      .real("value", "amount with a station within that time") { $0.value },
      .optionalReal("share", "value / total") { $0.share },
    ]
    return Table(
      "access_curve", "half minute and measure, and per departure or percentile if the job has several",
      key: axis.map(\.rawValue) + ["measure", "within"], Column.axis(axis) { $0.departure } + columns)
  }

  /// The amount that a station serves, and the part of it for which the station is the nearest.
  typealias StationService = (station: Identifier, served: MeasuredValue, nearest: Double)

  static func stationServices(_ axis: [RowAxis.Column]) -> Table<StationService> {
    let columns: [Column<StationService>] = [
      .integer("threshold", "seconds") { $0.served.threshold },
      .text("measure", "`origins` or a weight column") { $0.served.measure },
      .real("value", "amount of the measure within the threshold of this station, whether or not it is the nearest") {
        $0.served.value
      },
      .optionalReal("share", "value / total amount") { $0.served.share },
      .lineBreak,
      .real("nearest_value", "part of `value` for which this station is the nearest") { $0.nearest },
    ]
    return Table(
      "station_service", "station, threshold and measure, and per departure or percentile if the job has several",
      [.optionalID("station_id", "`place_id` of the station") { $0.station }]
        + Column.axis(axis) { $0.served.departure } + columns)
  }

  /// The amount that a line serves with all its stations.
  typealias LineService = (line: String, stations: Int, served: MeasuredValue)

  static func lineServices(_ axis: [RowAxis.Column]) -> Table<LineService> {
    let columns: [Column<LineService>] = [
      .integer("stations", "number of stations served") { $0.stations },
      .integer("threshold", "seconds") { $0.served.threshold },
      .text("measure", "`origins` or a weight column") { $0.served.measure },
      .lineBreak,
      .real("value", "amount within the threshold of one of its stations") { $0.served.value },
      .optionalReal("share", "value / total amount") { $0.served.share },
    ]
    let name = "short name in the timetable, else long name; with agency or type if several lines share the name"
    return Table(
      "line_service", "line, threshold and measure, and per departure or percentile if the job has several",
      [.text("line", name) { $0.line }] + Column.axis(axis) { $0.served.departure } + columns)
  }
}
