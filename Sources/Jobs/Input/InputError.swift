import Geography
import Tables

/// What stops a job because of its input, as one sentence.
package struct InputError: Error, CustomStringConvertible {
  package var file: String
  /// The line, or the feature, from 1.
  package var line: Int?
  package var unit = RowUnit.line
  package var problem: String

  package init(file: String, line: Int? = nil, problem: String) {
    (self.file, self.line, self.problem) = (file, line, problem)
  }

  package var description: String {
    guard let line else { return "\(file): \(problem)" }
    return unit == .line ? "\(file):\(line): \(problem)" : "\(file), \(unit) \(line): \(problem)"
  }
}

extension [WatchedFile] {
  /// Refuses what was read of files that changed meanwhile. *Throws*: `InputError`.
  func check(_ isGood: (WatchedFile) -> Bool) throws {
    guard let changed = first(where: { !isGood($0) }) else { return }
    throw InputError(file: changed.path, problem: "\(WatchedFile.problem)")
  }
}

extension InputError {
  /// Of a table whose header lacks a column for something; `names` are those it may have.
  init(file: String, noColumnFor subject: String, in header: [String], of names: [String]) {
    self.init(
      file: file, line: 1,
      problem: "the header has no column for the \(subject): got \(header.joined(separator: ", ")), "
        + "expected one of \(names.joined(separator: ", "))")
  }

  /// Of a file none of whose rows can be used.
  init(file: String, noneUsableOf rejected: [RejectedRow], _ unit: RowUnit) {
    self.init(file: file, problem: "the file has no \(unit == .line ? "rows" : "features")")
    guard let first = rejected.first else { return }
    (line, self.unit) = (first.line, unit)
    problem = "no row of the file can be used; the first one: \(first.reason)"
  }
}
