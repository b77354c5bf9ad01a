/// What stations and lines serve at each hour, added up origin by origin while the results are being written: a run that is
/// resumed continues with it.
///
/// By station or line; of each that was added to, by hour, then the first threshold that an origin is within, then measure.
/// Sums of whole numbers are exact in any order. Those of fractions depend on which origins are added up first: they are the
/// same with any number of workers and after any interruption because chunks are cut by the job alone, and added in their
/// order.
package struct ServiceSums: Sendable {
  private let (hours, thresholds, measures): (Int, Int, Int)
  /// Empty for stations and lines that nothing was added to.
  private var values: [[Double]]
  /// Those that another's sums were added to since they were written.
  private var changed: Set<Int> = []

  /// - Parameter services: How many stations and lines there are.
  init(hours: Int, services: Int, thresholds: Int, measures: Int) {
    (self.hours, self.thresholds, self.measures) = (hours, thresholds, measures)
    values = Array(repeating: [], count: services)
  }

  /// How many sums a station or line has.
  private var width: Int { hours * thresholds * measures }

  /// Adds what an origin counts, by measure.
  package mutating func add(_ counts: ArraySlice<Double>, hour: Int, service: Int, threshold: Int) {
    if values[service].isEmpty { values[service] = Array(repeating: 0, count: width) }
    let start = (hour * thresholds + threshold) * measures
    for (offset, count) in counts.enumerated() { values[service][start + offset] += count }
  }

  mutating func add(_ other: ServiceSums) {
    for (service, added) in other.values.enumerated() where !added.isEmpty {
      changed.insert(service)
      if values[service].isEmpty {
        values[service] = added
      } else {
        for index in added.indices { values[service][index] += added[index] }
      }
    }
  }

  /// Of a station or line, by hour: within each threshold.
  func services(of service: Int) -> [Service] {
    (0..<hours).map { hour in
      var found = Service(thresholds: thresholds, measures: measures)
      guard !values[service].isEmpty else { return found }
      for threshold in 0..<thresholds {
        let start = (hour * thresholds + threshold) * measures
        found.values[threshold] = Array(values[service][start..<start + measures])
      }
      found.accumulate()
      return found
    }
  }

  /// How many sums there are at most: as many as rows of stations and lines are written in the end.
  package var count: Int { values.count * width }
  /// Bytes of those of a station or line, and of all, at most.
  package var serviceMemory: Int { width * 8 }
  package var memory: Int { values.count * serviceMemory }
  /// The most bytes of a station or line that can be written: well below what SQLite takes.
  package static let mostServiceMemory = 1 << 28
}

extension ServiceSums {
  typealias Row = (service: Int, sums: [Double])

  static let table = Table<Row>(
    "services_so_far", "what a station or line serves of the origins so far",
    [
      .key("service", "") { $0.service },
      .blob("sums", "") { $0.sums.withUnsafeBytes { Array($0) } },
    ])

  /// Writes those that changed since they were last written.
  mutating func write(_ set: Insert<Row>) throws {
    for service in changed.sorted() { try set((service, values[service])) }
    changed = []
  }

  /// Takes over what an earlier run has added up.
  mutating func resume(from database: SQLite) throws {
    let known = try database.rows("SELECT service, sums FROM \(ServiceSums.table.name)") {
      (service: try $0["service"] as Int, bytes: try $0["sums"] as [UInt8])
    }
    for (service, bytes) in known {
      guard values.indices.contains(service), bytes.count == serviceMemory else {
        throw ResultsError(path: database.path, problem: "the sums of the services are corrupt", cause: .changed)
      }
      values[service] = bytes.withUnsafeBytes { bytes in
        (0..<width).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
    }
  }

  /// When the services are written, nobody needs them any more.
  static func drop(from database: SQLite) throws { try database.execute("DROP TABLE \(table.name)") }
}
