extension Schema {
  // The database of a comparison, and what it asks of the two that are compared, attached as `old` and `new`.

  static let comparison = """
    CREATE TABLE job (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE change_count (change TEXT PRIMARY KEY, rows INTEGER NOT NULL, share REAL) WITHOUT ROWID;
    CREATE TABLE change_quantile (measure TEXT PRIMARY KEY, ratio REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE change (
      change_id INTEGER PRIMARY KEY, item TEXT NOT NULL, origin_id TEXT, destination_id TEXT, zone TEXT,
      change TEXT NOT NULL, old_value REAL, new_value REAL, difference REAL, ratio REAL, old_status TEXT,
      new_status TEXT, reason TEXT);
    CREATE TABLE change_by_zone (
      zone TEXT PRIMARY KEY, rows INTEGER NOT NULL, new INTEGER NOT NULL, gone INTEGER NOT NULL,
      faster INTEGER NOT NULL, slower INTEGER NOT NULL, newly_unreachable INTEGER NOT NULL,
      newly_reachable INTEGER NOT NULL, old_mean REAL, new_mean REAL) WITHOUT ROWID;
    CREATE TABLE change_by_street (
      street TEXT PRIMARY KEY, rows INTEGER NOT NULL, new INTEGER NOT NULL, gone INTEGER NOT NULL,
      faster INTEGER NOT NULL, slower INTEGER NOT NULL, newly_unreachable INTEGER NOT NULL,
      newly_reachable INTEGER NOT NULL, old_mean REAL, new_mean REAL) WITHOUT ROWID;
    CREATE TABLE step_by_street (
      street TEXT PRIMARY KEY, old_seconds REAL NOT NULL, new_seconds REAL NOT NULL, difference REAL NOT NULL)
      WITHOUT ROWID;
    """
  static let attachOld = "ATTACH ? AS old"
  static let attachNew = "ATTACH ? AS new"
  static let insertChange = "INSERT INTO change VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,NULL)"
  static let insertChangeCount = "INSERT INTO change_count VALUES (?,?,?)"
  static let insertChangeQuantile = "INSERT INTO change_quantile VALUES (?,?)"
  static let insertByZone = "INSERT INTO change_by_zone VALUES (?,?,?,?,?,?,?,?,?,?)"
  static let insertByStreet = "INSERT INTO change_by_street VALUES (?,?,?,?,?,?,?,?,?,?)"

  /// Places that are in both, and differ: by where they are, or by where they were put on a street.
  static let movedPlaces = """
    CREATE TEMP TABLE moved AS
      SELECT CAST(new.place_id AS TEXT) AS place_id, CASE WHEN abs(new.latitude - old.latitude) > 1e-7
        OR abs(new.longitude - old.longitude) > 1e-7 THEN 'place moved' ELSE 'snapping moved' END AS why
      FROM new.place AS new JOIN old.place AS old ON old.place_id = new.place_id AND old.role = new.role
      GROUP BY 1 HAVING min(abs(new.latitude - old.latitude) + abs(new.longitude - old.longitude)) > 1e-7
        OR min(abs(coalesce(new.snapped_latitude, 99) - coalesce(old.snapped_latitude, 99)) +
          abs(coalesce(new.snapped_longitude, 999) - coalesce(old.snapped_longitude, 999))) > 1e-5
        OR min(coalesce(new.street, '') <> coalesce(old.street, ''));
    CREATE INDEX temp.moved_by_id ON moved (place_id);
    """
  /// What moved is the reason that is nearest; else what all rows have in common.
  static let setReasons = """
    UPDATE change SET reason = coalesce(
      (SELECT min(why) FROM temp.moved WHERE place_id IN (change.origin_id, change.destination_id)), ?)
    WHERE change NOT IN ('new', 'gone')
    """
  static let setInputReasons = "UPDATE change SET reason = 'input changed' WHERE change IN ('new', 'gone')"
  static let stepsByStreet = """
    INSERT INTO step_by_street SELECT street, sum(old), sum(new), sum(new) - sum(old) FROM (
        SELECT street, milliseconds / 1000.0 AS old, 0.0 AS new FROM old.step_row JOIN old.phrase USING (phrase_id)
          WHERE alternative = 0 AND pair_id IN (SELECT pair_id FROM new.route WHERE status = 'ok')
        UNION ALL
        SELECT street, 0.0, milliseconds / 1000.0 FROM new.step_row JOIN new.phrase USING (phrase_id)
          WHERE alternative = 0 AND pair_id IN (SELECT pair_id FROM old.route WHERE status = 'ok'))
      WHERE street <> '' GROUP BY street HAVING abs(sum(new) - sum(old)) > 0.0005
    """
  static let streetsOfPlaces = "SELECT CAST(place_id AS TEXT), street FROM new.place WHERE street NOT NULL"
  static let destinations = "SELECT CAST(place_id AS TEXT) FROM %@.place WHERE role = 'destination' ORDER BY fid"
  static let matrixRows = "SELECT CAST(origin_id AS TEXT), travel_times FROM new.matrix_row ORDER BY rowid"
  static let oldMatrixRow = "SELECT travel_times FROM old.matrix_row WHERE origin_id = ?"
  static let goneOrigins = """
    SELECT CAST(origin_id AS TEXT), travel_times FROM old.matrix_row
    WHERE origin_id NOT IN (SELECT origin_id FROM new.matrix_row) ORDER BY rowid
    """

  static let changeCounts = "SELECT change, rows, share FROM change_count ORDER BY rows DESC, change"
  static let changeQuantiles =
    "SELECT measure, ratio FROM change_quantile ORDER BY measure = 'mean' DESC, ratio, measure"
  static let changeReasons = """
    SELECT change, reason, count(*) FROM change GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
    """
  static let greatestChanges = """
    SELECT item, change, old_value, new_value, ratio, reason FROM change
    ORDER BY change <> 'newly_unreachable', ratio IS NULL, abs(ratio) DESC, change_id LIMIT ?
    """
  private static let group =
    "name, rows, new, gone, faster, slower, newly_unreachable, newly_reachable, old_mean, new_mean"
  private static let byDifference = "ORDER BY newly_unreachable DESC, slower + faster DESC, name LIMIT ?"
  static let changedZones = "SELECT \(group) FROM (SELECT zone AS name, * FROM change_by_zone) \(byDifference)"
  static let changedStreets = "SELECT \(group) FROM (SELECT street AS name, * FROM change_by_street) \(byDifference)"
  static let changedSteps = """
    SELECT street, old_seconds, new_seconds FROM step_by_street ORDER BY abs(difference) DESC, street LIMIT ?
    """

  /// Rows of both side by side: item, origin, destination, zone, status and value of the old one, and of the new.
  static func comparedRows(_ kind: String) -> String {
    let columns: String
    let source: (String) -> String
    switch kind {
    case "access":
      columns = "CAST(coalesce(new.id, old.id) AS TEXT), CAST(coalesce(new.id, old.id) AS TEXT), NULL, NULL"
      source = {
        """
        (SELECT place_id AS id, row_number() OVER (PARTITION BY place_id ORDER BY origin_fid) AS number,
          access_row.status AS status, milliseconds / 1000.0 AS value, origin_fid AS place
          FROM \($0).access_row JOIN \($0).place ON place.fid = origin_fid WHERE rank <= 1)
        """
      }
    case "isochrones":
      columns = """
        coalesce(new.id, old.id) || ', ' || coalesce(new.threshold, old.threshold) || ' s',
        CAST(coalesce(new.id, old.id) AS TEXT), NULL, NULL
        """
      source = {
        """
        (SELECT place_id AS id, threshold, threshold || '.' || row_number() OVER (
          PARTITION BY place_id, threshold ORDER BY fid) AS number, status, area AS value, fid AS place
          FROM \($0).isochrone)
        """
      }
    default:
      columns = """
        CAST(coalesce(new.id, old.id) AS TEXT), CAST(coalesce(new.origin_id, old.origin_id) AS TEXT),
        CAST(coalesce(new.destination_id, old.destination_id) AS TEXT), coalesce(new.pair_group, old.pair_group)
        """
      source = {
        """
        (SELECT pair_id AS id, row_number() OVER (PARTITION BY pair_id ORDER BY fid) AS number, origin_id,
          destination_id, pair_group, status, expected_travel_time AS value, fid AS place
          FROM \($0).route WHERE alternative = 0)
        """
      }
    }
    return """
      SELECT \(columns), old.status, old.value, new.status, new.value FROM \(source("new")) AS new
      FULL JOIN \(source("old")) AS old ON old.id = new.id AND old.number = new.number
      ORDER BY coalesce(new.place, old.place), new.place IS NULL
      """
  }
}
