/// What stations and lines serve at each hour, added up origin by origin while the results are being written: a run that is
/// resumed goes on with it.
///
/// By hour, then station or line, then the first threshold that an origin is within, then measure. Whole numbers stay whole:
/// their sums are exact in any order.
package struct ServiceSums: Sendable {
  private let (hours, services, thresholds, measures): (Int, Int, Int, Int)
  private var values: [Double]

  /// - Parameter services: How many stations and lines there are.
  init(hours: Int, services: Int, thresholds: Int, measures: Int) {
    (self.hours, self.services, self.thresholds, self.measures) = (hours, services, thresholds, measures)
    values = Array(repeating: 0, count: hours * services * thresholds * measures)
  }

  /// Adds what an origin counts, by measure.
  package mutating func add(_ counts: ArraySlice<Double>, hour: Int, service: Int, threshold: Int) {
    let start = ((hour * services + service) * thresholds + threshold) * measures
    for (offset, count) in counts.enumerated() { values[start + offset] += count }
  }

  mutating func add(_ other: ServiceSums) {
    for index in values.indices { values[index] += other.values[index] }
  }

  /// Of all stations and lines at an hour, within each threshold.
  func services(at hour: Int) -> [Service] {
    (0..<services).map { service in
      var found = Service(thresholds: thresholds, measures: measures)
      for threshold in 0..<thresholds {
        let start = ((hour * services + service) * thresholds + threshold) * measures
        found.values[threshold] = Array(values[start..<start + measures])
      }
      found.accumulate()
      return found
    }
  }

  /// Bytes of its values.
  package var memory: Int { values.count * 8 }
}

extension ServiceSums {
  static let table = Table<ServiceSums>(
    "services_so_far", "what stations and lines serve of the origins so far",
    [.key("run", "") { _ in 1 }, .blob("sums", "") { $0.bytes }])

  private var bytes: [UInt8] {
    values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
  }

  /// Takes over what an earlier run has added up.
  mutating func resume(from database: SQLite) throws {
    let known = try database.rows("SELECT sums FROM \(ServiceSums.table.name)") { try $0["sums"] as [UInt8] }
    guard let bytes = known.first else { return }
    guard bytes.count == values.count * 8 else {
      throw ResultsError(path: database.path, problem: "the sums of the services are corrupt", cause: .changed)
    }
    for index in values.indices {
      let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[index * 8 + $1]) << (8 * UInt64($1)) }
      values[index] = Double(bitPattern: bits)
    }
  }

  /// When the services are written, nobody needs them any more.
  static func drop(from database: SQLite) throws { try database.execute("DROP TABLE \(table.name)") }
}
