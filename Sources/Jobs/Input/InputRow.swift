import Results

/// A row of an input file, or what stands where one should be: fields of a CSV, a feature of a GeoJSON, a link.
struct InputRow<Content> {
  let line: Int
  let content: Result<Content, RowProblem>
  /// As it stands in the file; made when it is asked for.
  let text: () -> String

  func rejected(of file: String, _ problem: RowProblem) -> RejectedRow {
    RejectedRow(file: file, line: line, text: text(), reason: problem.reason)
  }
}
