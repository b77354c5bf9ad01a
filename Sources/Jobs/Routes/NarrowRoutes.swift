import Tables

extension ResultsDatabase {
  /// Shadows table `route` in queries with a copy without the lines and elevations of routes, which make up almost all
  /// of its size: a page queries its rows a dozen times, and SQLite reads whole rows. `main.route` is the table itself.
  ///
  /// The copy is temporary and takes about 150 bytes per row, on disk if it exceeds a few megabytes; if there is no
  /// space, the table itself is read.
  package func narrowRoutes() throws {
    guard kind == .routes, record.identity.flag(.shapes) == true,
      try database.value("SELECT count(*) FROM temp.sqlite_schema WHERE name = 'route'") == 0
    else { return }
    let columns = try database.rows("SELECT name, type FROM pragma_table_info('route')") {
      (name: try $0["name"] as String, type: try $0["type"] as String)
    }.filter { !["geom", "heights"].contains($0.name) }
    let declarations = columns.map { "\($0.name) \($0.name == "fid" ? "INTEGER PRIMARY KEY" : $0.type)" }
    let names = columns.map(\.name).joined(separator: ", ")
    do {
      try database.execute(
        """
        CREATE TEMP TABLE route (\(declarations.joined(separator: ", ")));
        INSERT INTO temp.route SELECT \(names) FROM main.route ORDER BY fid;
        """)
    } catch {
      try database.execute("DROP TABLE IF EXISTS temp.route")
    }
  }

  /// Whether the job has elevations of routes.
  var hasHeights: Bool {
    get throws {
      try database.value("SELECT count(*) FROM pragma_table_info('route', 'main') WHERE name = 'heights'") > 0
    }
  }
}
