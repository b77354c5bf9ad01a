/// The columns of fixes, found by name.
package struct PointColumns {
  let longitude: (name: String, index: Int)
  let latitude: (name: String, index: Int)
  let trace: Int?
  let group: Int?
  /// All columns found in the header, each with its name in the file.
  private let optional: [Column: (name: String, index: Int)]
  let count: Int

  package enum Column: String, CaseIterable {
    case longitude, latitude, trace, time, accuracy, speed, course, received, group

    /// Names in order of precedence; case is ignored. GeoJSON properties have the same names.
    package var names: [String] {
      switch self {
      case .longitude: ["lon", "lng", "long", "longitude", "x"]
      case .latitude: ["lat", "latitude", "y"]
      case .trace: ["trace_id", "trace", "trip_id", "track_id", "trackid"]
      case .time: ["time", "timestamp", "date", "datetime"]
      case .accuracy: ["accuracy", "horizontal_accuracy"]
      case .speed: ["speed"]
      case .course: ["course", "bearing", "heading"]
      case .received: ["received"]
      case .group: ["group", "trace_group"]
      }
    }

    func index(in header: [String]) -> Int? { names.lazy.compactMap { header.firstIndex(of: $0) }.first }
  }

  /// *Throws*: `InputError` if a coordinate has no column, or a column is given twice.
  init(_ header: [String], file: String) throws {
    let lower = header.map { $0.lowercased() }
    func axis(_ column: Column) throws -> (name: String, index: Int) {
      guard let index = column.index(in: lower) else {
        throw InputError(file: file, noColumnFor: column.rawValue, in: header, of: column.names + ["or polyline"])
      }
      return (header[index], index)
    }
    longitude = try axis(.longitude)
    latitude = try axis(.latitude)
    trace = Column.trace.index(in: lower)
    group = Column.group.index(in: lower)
    optional = Dictionary(
      uniqueKeysWithValues: Column.allCases.compactMap { column in
        column.index(in: lower).map { (column, (header[$0], $0)) }
      })
    count = header.count
    try InputError.checkOnce(optional.values.map(\.index).sorted(), in: header, of: file)
  }

  subscript(column: Column) -> (name: String, index: Int)? { optional[column] }
}
