import Tables

/// What a comparison's page needs besides rows, so that it comes from the comparison's own database alone.
extension Comparison {
  /// Writes where the places of changed rows are, the shares of two studies of access side by side, and what maps are
  /// drawn upon: that of the new run.
  func writeMap(to database: SQLite) throws {
    try database.execute(
      """
      CREATE TEMP TABLE named AS SELECT origin_id AS id FROM change UNION SELECT destination_id FROM change;
      CREATE INDEX temp.named_by_id ON named (id);
      """)
    try database.execute(hasOld ? Comparison.placesOfBoth : Comparison.placesOfNew)
    if try hasTable("backdrop", in: "new", database) {
      try database.execute("INSERT INTO backdrop SELECT * FROM new.backdrop")
    }
    if hasOld && facts.kind == .access { try writeShares(to: database) }
  }

  private static let placesOfNew = """
    INSERT INTO place (place_id, role, name, longitude, latitude)
      SELECT CAST(place_id AS TEXT), role, min(name), longitude, latitude FROM new.place
      WHERE CAST(place_id AS TEXT) IN (SELECT id FROM temp.named) AND longitude NOT NULL
      GROUP BY role, place_id ORDER BY min(fid)
    """

  private static let placesOfBoth = """
    CREATE TEMP TABLE was AS SELECT CAST(place_id AS TEXT) AS id, role, min(name) AS name, longitude, latitude
      FROM old.place GROUP BY role, place_id;
    CREATE INDEX temp.was_by_id ON was (id, role);
    CREATE TEMP TABLE became AS SELECT CAST(place_id AS TEXT) AS id, role, min(name) AS name, longitude, latitude
      FROM new.place GROUP BY role, place_id ORDER BY min(fid);
    CREATE INDEX temp.became_by_id ON became (id, role);
    INSERT INTO place (place_id, role, name, longitude, latitude, change)
      SELECT id, role, name, longitude, latitude, change FROM (
        SELECT became.*, CASE WHEN was.id IS NULL THEN 'new'
          WHEN abs(became.latitude - was.latitude) > 1e-7 OR abs(became.longitude - was.longitude) > 1e-7 THEN 'moved'
          END AS change
        FROM temp.became LEFT JOIN temp.was USING (id, role))
      WHERE longitude NOT NULL AND (change NOT NULL OR id IN (SELECT id FROM temp.named));
    INSERT INTO place (place_id, role, name, longitude, latitude, change)
      SELECT was.id, was.role, was.name, was.longitude, was.latitude, 'gone'
      FROM temp.was LEFT JOIN temp.became USING (id, role) WHERE became.id IS NULL AND was.longitude NOT NULL;
    """

  /// By hour where both have hours, which are the same.
  private func writeShares(to database: SQLite) throws {
    let hour = hasHours ? "new.departure" : "NULL"
    try database.execute(
      """
      INSERT INTO change_of_share (departure, threshold, measure, old_value, new_value, old_share, new_share)
        SELECT \(hour), new.threshold, new.measure, old.value, new.value, old.share, new.share
        FROM new.access_share AS new JOIN old.access_share AS old
          ON old.threshold = new.threshold AND old.measure = new.measure\(hasHours ? " AND old.departure = new.departure" : "")
        ORDER BY new.fid
      """)
  }

  private func hasTable(_ name: String, in run: String, _ database: SQLite) throws -> Bool {
    try database.value("SELECT count(*) FROM \(run).sqlite_master WHERE name = ?", name) > 0
  }
}
