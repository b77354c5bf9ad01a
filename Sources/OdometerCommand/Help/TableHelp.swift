import Jobs
import Tables

/// Tables of results, as help and documents show them.
package enum TableHelp {
  /// Those of the kinds, then those that all results have; a table of several kinds is here once.
  package static let all: [(table: TableDescription, kinds: [JobKind])] = {
    var all: [(table: TableDescription, kinds: [JobKind])] = []
    for kind in JobKind.allCases {
      for table in kind.tables {
        if let known = all.firstIndex(where: { $0.table.name == table.name }) {
          all[known].kinds.append(kind)
        } else {
          all.append((table, [kind]))
        }
      }
    }
    return all + TableDescription.common.map { ($0, JobKind.allCases) }
  }()

  /// Notes are Markdown, which a terminal shows as it is.
  private static func plain(_ note: String) -> String { note.replacing("`", with: "") }

  /// All about the table of a name; nil where there is none.
  static func text(_ name: String) -> String? {
    all.first { $0.table.name == name }.map { table, kinds in
      """
      Table \(table.name) of results (\(KeyHelp.kinds(kinds))): one row per \(plain(table.summary)).

      \(HelpTable(table.columns.map { ($0.name, "\(plain($0.note)) (\($0.type))") }))
      """
    }
  }

  static var list: String {
    "\(HelpTable(all.map { ($0.table.name, "one row per \(plain($0.table.summary))") }))\n\nodometer help TABLE describes its columns."
  }
}
