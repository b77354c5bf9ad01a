import StreetNetwork

/// Where the columns of a table of trips are, found by their names.
struct ObservedTripColumns {
  let ends: Ends
  let departure: (name: String, index: Int)
  let duration: (name: String, index: Int)?
  let distance: (name: String, index: Int)?

  /// What says where a trip's ends are.
  enum Ends {
    case pair(PairColumns)
    /// A list of positions: its first and its last.
    case polyline(Int)
  }

  private static let departures = ["departure_time", "departure_date"] + PointColumns.Column.time.names
  private static let durations = ["duration"]
  private static let distances = ["distance"]

  /// *Throws*: `InputError` where the ends or the departure have no column, or the duration of trips without a trace.
  init(_ header: [String], file: String) throws {
    let names = header.map { $0.lowercased() }
    func column(_ expected: [String]) -> (name: String, index: Int)? {
      expected.lazy.compactMap { names.firstIndex(of: $0) }.first.map { (header[$0], $0) }
    }
    func required(_ subject: String, _ expected: [String]) throws -> (name: String, index: Int) {
      guard let column = column(expected) else {
        throw InputError(file: file, noColumnFor: subject, in: header, of: expected)
      }
      return column
    }
    if let polyline = PolylineTraces.column(in: names) {
      ends = .polyline(polyline)
      duration = column(ObservedTripColumns.durations)
    } else {
      ends = .pair(try PairColumns(header, file: file))
      duration = try required("duration", ObservedTripColumns.durations)
    }
    departure = try required("departure", ObservedTripColumns.departures)
    distance = column(ObservedTripColumns.distances)
  }
}
