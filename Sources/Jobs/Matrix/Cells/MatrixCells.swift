import Geography
import Tables

/// The cells of a finished matrix in one of the forms that they were written in, read row by row: in any order, fastest in
/// their own.
package protocol MatrixCells: AnyObject {
  /// What holds them: `matrix_row`, `travel_times.npy`, `matrix.csv.gz`.
  var name: String { get }
  /// Whether they are 32-bit floats, which hold times up to 4.6 hours and distances up to 167 km as they are, and others to
  /// seven digits.
  var isSingle: Bool { get }
  /// Reads a row: from 0, by origins, and within each by hours. *Throws*: `ResultsError`.
  func read(_ row: Int, into cells: inout CellRow) throws
}

/// An origin's cells, at one hour where the job has hours.
package struct CellRow: Sendable {
  /// Milliseconds; negative where there is no route.
  package var times: [Int64] = []
  /// Centimetres, likewise; empty where the matrix has none, or nobody asked for them.
  var lengths: [Int64] = []
  package init() {}
  init(times: [Int64]) { self.times = times }

  /// The time of a cell that another program's file does not have.
  static let absent = Int64.min

  /// Nil where there is no route.
  package func weight(_ column: Int, isSingle: Bool) -> VerifiedWeight? {
    guard times[column] >= 0 else { return nil }
    return VerifiedWeight(
      milliseconds: Int(times[column]), centimetres: lengths.isEmpty ? nil : Int(lengths[column]), isSingle: isSingle)
  }
}

/// How many rows a matrix has, and cells in each.
struct MatrixShape {
  var origins: Int
  /// None in a job without hours.
  var hours: Int
  var columns: Int
  var hasLengths: Bool

  var rowsPerOrigin: Int { max(1, hours) }
  var rows: Int { origins * rowsPerOrigin }
  /// As NumPy has it.
  var dimensions: [Int] { [origins] + (hours > 0 ? [hours] : []) + [columns] }
}

extension ResultsDatabase {
  /// The cells of a matrix in every form that the job wrote; none where it kept summaries alone.
  ///
  /// - Throws: `ResultsError` where a file is missing, is not as the job wrote it, or is another job's.
  func matrixCells() throws -> [any MatrixCells] {
    try cellForms.map { try matrixCells(in: $0, lengths: true) }
  }

  /// The times of a matrix in a form whose rows are read in any order; nil where the job wrote none, or its file is elsewhere.
  package func shownMatrixCells() throws -> (any MatrixCells)? {
    guard let form = cellForms.first(where: { $0 != .csv }) else { return nil }
    if form == .sqlite { return try matrixCells(in: form, lengths: false) }
    // A run need not read again all that it has just written.
    return try? matrixCells(in: form, lengths: false, isChecked: !isPart)
  }

  /// In what the job wrote cells.
  var cellForms: [MatrixWriter.Format] {
    let words = record.identity.list(.format)
    return MatrixWriter.Format.allCases.filter { words.contains($0.rawValue) }
  }

  /// - Parameters:
  ///   - lengths: Whether distances are wanted, too.
  ///   - isChecked: Whether a file is read whole for its checksum.
  func matrixCells(
    in form: MatrixWriter.Format, lengths: Bool, isChecked: Bool = true
  ) throws -> any MatrixCells {
    var shape = try matrixShape()
    let hasLengths = shape.hasLengths
    shape.hasLengths = hasLengths && lengths
    switch form {
    case .sqlite: return try TableCells(self, shape)
    case .npy: return try NumPyCells(of: self, shape, isChecked: isChecked)
    case .csv: return try CSVCells(of: self, shape, fieldsBehind: hasLengths ? 1 : 0)
    }
  }

  func matrixShape() throws -> MatrixShape {
    func count(_ role: PlaceRole) throws -> Int {
      try database.value("SELECT count(*) FROM place WHERE role = ?", role.rawValue)
    }
    return MatrixShape(
      origins: try count(.origin), hours: try departures().count, columns: try count(.destination),
      hasLengths: record.identity.flag(.distances) ?? false)
  }
}
