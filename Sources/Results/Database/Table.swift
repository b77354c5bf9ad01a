/// A table of the results, described once: what a row is, and per column its name, type and meaning and the value that a
/// row has there. The table's SQL, its insertion and its documentation come from this.
///
///     static let table = Table<StreetRow>("street", "street drawn as a backdrop", [
///       .key("fid"),
///       .text("class", "the road's class") { $0.roadClass },
///       .geometry("geom", .lineString) { $0.shape },
///     ])
package struct Table<Row>: Sendable {
  let name: String
  /// What one row is of, for documentation: "pair".
  let summary: String
  let columns: [Column<Row>]
  /// Columns of the primary key, where that is not one column; such a table has no other row numbers.
  let key: [String]

  /// Where `.schema` shows a new line: before the columns with these indices.
  private let lineBreaks: [Int]

  package init(
    _ name: String, _ summary: String, key: [String] = [], _ columns: [Column<Row>]
  ) {
    (self.name, self.summary, self.key) = (name, summary, key)
    let breaks = columns.indices.filter { columns[$0].isLineBreak }
    lineBreaks = breaks.enumerated().map { $1 - $0 }
    self.columns = columns.filter { !$0.isLineBreak }
  }

  /// The statement that makes it.
  package func creation(_ ids: IDType) -> String {
    let starts = [0] + lineBreaks
    var lines = zip(starts, lineBreaks + [columns.count]).map { start, end in
      columns[start..<end].map { "\($0.name) \($0.declaration(ids))" }.joined(separator: ", ")
    }
    let end = columns.contains(where: \.isTextKey) || !key.isEmpty ? ") WITHOUT ROWID" : ")"
    if !key.isEmpty {
      let last = "\(lines.removeLast()), PRIMARY KEY (\(key.joined(separator: ", ")))"
      let fits = last.count + end.count < 116
      lines.append(fits ? last : last.replacing(", PRIMARY KEY", with: ",\n  PRIMARY KEY"))
    }
    let single = "CREATE TABLE \(name) (\(lines[0])\(end)"
    if lines.count == 1 && single.count <= 110 && !single.contains("\n") { return single + ";\n" }
    return "CREATE TABLE \(name) (\n  \(lines.joined(separator: ",\n  "))\(end);\n"
  }

  package var description: TableDescription {
    TableDescription(
      name: name, summary: summary,
      columns: columns.compactMap { column in
        column.note.isEmpty ? nil : .init(name: column.name, type: column.type.documented, note: column.note)
      })
  }
}
