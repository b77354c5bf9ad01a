import Results

/// What stops a job because of its input, as one sentence.
package struct InputError: Error, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var problem: String

  package init(file: String, line: Int? = nil, problem: String) {
    (self.file, self.line, self.problem) = (file, line, problem)
  }

  package var description: String {
    line.map { "\(file):\($0): \(problem)" } ?? "\(file): \(problem)"
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
  init(file: String, noneUsableOf rejected: [RejectedRow]) {
    self.init(file: file, problem: "the file has no rows")
    guard let first = rejected.first else { return }
    line = first.line
    problem = "no row of the file can be used; the first one: \(first.reason)"
  }
}
