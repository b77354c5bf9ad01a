import Tables

/// How the rows of two runs of a kind are put side by side; both are attached to one database, as `old` and `new`.
struct RowComparison: Sendable {
  /// Kinds of one family can be compared with one another.
  let family: JobKind
  /// Whether values are square metres, not seconds.
  let comparesAreas: Bool
  /// Whether any row may change with any part of the input, not with its own places alone.
  let dependsOnWholeInput: Bool
  /// Item, origin, destination and zone of a row, as SQL over `old` and `new`; nil where cells are compared, not rows.
  private let columns: String?
  /// The trips of the new run that another program's times can be compared with; nil where it has none of its own.
  let trips: TripQuery?
  /// The rows of a run, as SQL: `id`, `occurrence` (of that id), `status`, `value`, `position`, and what `columns` needs.
  private let source: @Sendable (_ run: String) -> String

  init(
    family: JobKind, comparesAreas: Bool = false, dependsOnWholeInput: Bool = false, columns: String,
    trips: TripQuery? = nil,
    source: @escaping @Sendable (String) -> String
  ) {
    (self.family, self.comparesAreas, self.dependsOnWholeInput) = (family, comparesAreas, dependsOnWholeInput)
    (self.columns, self.trips, self.source) = (columns, trips, source)
  }

  private init(cellsOf family: JobKind) {
    (self.family, comparesAreas, dependsOnWholeInput) = (family, false, false)
    (columns, trips) = (nil, nil)
    source = { _ in "" }
  }

  /// Of cells of matrices.
  static let cells = RowComparison(cellsOf: .matrix)

  /// Rows of both side by side, in the order of the new ones; nil where cells are compared.
  var query: String? {
    columns.map { columns in
      """
      SELECT \(columns), old.status AS old_status, old.value AS old_value, new.status AS new_status,
        new.value AS new_value
      FROM (\(source("new"))) AS new
      FULL JOIN (\(source("old"))) AS old ON old.id = new.id AND old.occurrence = new.occurrence
      ORDER BY coalesce(new.position, old.position), new.position IS NULL
      """
    }
  }
}
