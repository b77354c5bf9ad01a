import Foundation
import Geography
import Tables

/// A file in which another program wrote travel times: a table with a row per trip or a column per destination, an array of
/// NumPy's, or what a routing server answers.
///
///     let times = try TravelTimeFile("osrm.csv", for: "reports/night/results.sqlite").read()
package struct TravelTimeFile {
  let path: String
  /// What whoever asks says that times are in; nil for what the file says.
  let unit: TimeUnit?
  /// The ids that positions of arrays stand for, and the hours.
  let results: ResultsDatabase

  /// - Parameter results: The database that the times are compared with.
  package init(_ path: String, for results: String, unit: TimeUnit? = nil) throws {
    (self.path, self.unit) = (path, unit)
    self.results = try ResultsDatabase(path: results)
  }

  /// *Throws*: `InputError`, `ResultsError`.
  package func read() throws -> TravelTimes {
    let file = [WatchedFile(path: path)]
    let times = Result { try timesOfFile() }
    try file.check(\.isSame)
    return try times.get()
  }

  private func timesOfFile() throws -> TravelTimes {
    let start = try start()
    if start.starts(with: Array("SQLite format 3".utf8)) {
      throw InputError(file: path, problem: "these are results of a job; odometer compare OLD NEW compares two of them")
    }
    if start.starts(with: NumPyArray.mark) { return try array(NumPyArray(path)) }
    if start.starts(with: Array("PK".utf8)) || start.starts(with: Array("PAR1".utf8)) {
      throw InputError(file: path, problem: "got an archive or a Parquet file, expected a CSV, a .npy array or JSON")
    }
    if FeatureRows.isJSON(start) { return try answer() }
    return try table()
  }

  /// *Throws*: `InputError`.
  private func start() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try InputBlocks(path: path).read(into: &buffer)
    guard count > 0 else { throw InputError(file: path, problem: "the file is empty") }
    return Array(InputFile.withoutMark(Array(buffer[..<count])))
  }

  // MARK: Positions

  /// The ids that rows and columns of an array stand for: those of the results, in their order.
  func ids(_ role: PlaceRole) throws -> [String] {
    guard results.kind == .matrix else {
      throw InputError(
        file: path,
        problem: "its times have no ids, only positions, which rows of kind \(results.kind.rawValue) do not have; "
          + "expected a CSV with from_id, to_id and travel_time")
    }
    return try results.places(role).map { "\($0.id)" }
  }

  /// Adds the cells of an array, whose shape must be that of the results. *Throws*: `InputError`.
  func draft(
    shape: [Int], isSingle: Bool = false, at value: (_ row: Int, _ hour: Int, _ column: Int) throws -> Double?
  ) throws -> TravelTimeDraft {
    let (origins, destinations) = (try ids(.origin), try ids(.destination))
    let hours = try results.departures().count
    let expected = [origins.count] + (hours > 0 ? [hours] : []) + [destinations.count]
    guard shape == expected || (hours == 1 && shape == [origins.count, destinations.count]) else {
      func text(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: " x ") }
      throw InputError(
        file: path,
        problem:
          "got \(text(shape)) times, expected \(text(expected)): a row per origin\(hours > 0 ? ", an hour" : "") "
          + "and a column per destination of \(results.path), in their order")
    }
    var draft = TravelTimeDraft(path: path, hours: max(1, hours), isUnitGiven: unit != nil, isSingle: isSingle)
    let columns = destinations.map { draft.destination($0) }
    let factor = (unit ?? .seconds).seconds
    for (row, id) in origins.enumerated() {
      let origin = draft.origin(id)
      for hour in 0..<max(1, hours) {
        for (index, column) in columns.enumerated() {
          let seconds = try value(row, hour, index).map { $0 * factor }
          draft.add(origin: origin, hour: hour, destination: column, seconds: seconds)
        }
      }
    }
    return draft
  }

  /// What was read, for a person.
  func note(_ what: String, _ unit: TimeUnit, _ more: String = "") -> String {
    "\(path): \(what), in \(self.unit ?? unit)\(more)"
  }

  private func array(_ array: NumPyArray) throws -> TravelTimes {
    let (rows, columns) = (array.shape.first ?? 0, array.shape.last ?? 0)
    let hours = array.shape.count == 3 ? array.shape[1] : 1
    return try draft(shape: array.shape, isSingle: array.isSingle) { row, hour, column in
      array.value(array.isByColumns ? row + rows * (hour + hours * column) : (row * hours + hour) * columns + column)
    }
    .finished(notes: [note("an array of \(array.shape.map(String.init).joined(separator: " x ")) times", .seconds)])
  }
}
