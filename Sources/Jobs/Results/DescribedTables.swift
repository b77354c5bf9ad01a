import Tables

extension JobKind {
  /// The tables to describe in a database, with all optional columns, including the tables of other kinds: for example,
  /// nearest stations have routes, like pairs.
  var describedTables: [TableDescription] {
    var names: Set<String> = []
    let all = tables + TableDescription.common + JobKind.allCases.flatMap(\.tables) + TableDescription.inner
    return all.filter { names.insert($0.name).inserted } + [View.otherODPercentiles, CellHours.percentiles]
  }
}

extension TableDescription {
  /// The tables of all results, in the order of the documentation; `JobKind.tables` adds the tables of a kind.
  package static var common: [TableDescription] {
    SpeedTables.descriptions + [
      PlaceRow.table.description, View.diagnosis(rows: "route").description, BackdropRow.table.description,
      HistogramRow.table.description,
      Statistic.table.description, RejectedRow.table.description, Difference.table.description,
      JobRecord.table.description, DepartureRow.table.description, ChunkTables.chunks.description,
      ChunkTables.files.description,
    ]
  }

  /// The tables behind views, which the documentation omits.
  fileprivate static var inner: [TableDescription] {
    [
      StepRow.table([.departure], hasHeights: true).description, PhraseRow.table.description,
      AccessRow.table([.departure, .percentile]).description,
      FixRow.table.description, TraceStreetRow.table.description,
    ]
  }
}
