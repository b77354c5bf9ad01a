/// The tables of a results database: every column's name stands here, and in the statements below it.
///
/// Metres, seconds, degrees WGS 84. `status` is one of `RowStatus`. Steps are most of a database: `step_row` keeps them
/// in small whole numbers and their words once, a quarter of the size, and the view `step` shows them as they are meant.
enum Schema {
  static let tables = """
    CREATE TABLE job (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE place (
      place_id, role TEXT NOT NULL, name TEXT, latitude REAL NOT NULL, longitude REAL NOT NULL,
      snapped_latitude REAL, snapped_longitude REAL, snap_distance REAL, street TEXT, status TEXT NOT NULL,
      weight REAL);
    CREATE TABLE route (
      pair_id, alternative INTEGER NOT NULL, origin_id, destination_id, status TEXT NOT NULL, distance REAL,
      expected_travel_time REAL, transport_type TEXT NOT NULL, name TEXT, step_count INTEGER,
      crow_fly_distance REAL, has_tolls INTEGER, has_highways INTEGER, advisory_notices TEXT, departure_date TEXT,
      expected_arrival_date TEXT, pair_group TEXT, link TEXT);
    CREATE TABLE phrase (
      phrase_id INTEGER PRIMARY KEY, instructions TEXT NOT NULL, notice TEXT, transport_type TEXT NOT NULL,
      maneuver TEXT NOT NULL, street TEXT NOT NULL);
    CREATE TABLE step_row (
      pair_id, alternative INTEGER NOT NULL, step INTEGER NOT NULL, phrase_id INTEGER NOT NULL,
      centimetres INTEGER NOT NULL, milliseconds INTEGER NOT NULL, latitude_e7 INTEGER NOT NULL,
      longitude_e7 INTEGER NOT NULL);
    CREATE VIEW step AS
      SELECT pair_id, alternative, step, instructions, notice, centimetres / 100.0 AS distance,
        milliseconds / 1000.0 AS expected_travel_time, transport_type, maneuver, street,
        latitude_e7 / 1e7 AS latitude, longitude_e7 / 1e7 AS longitude
      FROM step_row CROSS JOIN phrase USING (phrase_id);
    CREATE TABLE matrix_row (origin_id, travel_times TEXT, distances TEXT);
    CREATE TABLE origin_summary (
      origin_id, reachable INTEGER NOT NULL, nearest_id, nearest_travel_time REAL, nearest_distance REAL,
      mean_travel_time REAL, mean_distance REAL);
    CREATE TABLE within (
      origin_id, threshold INTEGER NOT NULL, destinations INTEGER NOT NULL, weight REAL);
    CREATE TABLE statistic (
      scope TEXT NOT NULL, measure TEXT NOT NULL, count INTEGER NOT NULL, min REAL, p05 REAL, p25 REAL, median REAL,
      mean REAL, p75 REAL, p95 REAL, max REAL, PRIMARY KEY (scope, measure)) WITHOUT ROWID;
    CREATE TABLE rejected (file TEXT NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, reason TEXT NOT NULL);
    CREATE TABLE chunk (
      chunk_id INTEGER PRIMARY KEY, first_row INTEGER NOT NULL, rows INTEGER NOT NULL, state TEXT NOT NULL,
      geojson_end INTEGER, geojson_length INTEGER, geojson_crc32 INTEGER);
    """

  /// Made when all rows are there.
  static let routeIndices = """
    CREATE INDEX place_by_id ON place (place_id);
    CREATE INDEX route_by_pair ON route (pair_id, alternative);
    CREATE INDEX step_by_pair ON step_row (pair_id);
    """
  static let matrixIndices = """
    CREATE INDEX place_by_id ON place (place_id);
    CREATE INDEX matrix_row_by_origin ON matrix_row (origin_id);
    CREATE INDEX origin_summary_by_origin ON origin_summary (origin_id);
    CREATE INDEX within_by_origin ON within (origin_id, threshold);
    """

  /// A row a cell, out of the arrays: the destination at place `key` is the place `key` rows behind the first one.
  /// Times and distances are two arrays: what unfolds both lays them side by side first, which takes ten times as long.
  static func matrixView(hasDistances: Bool) -> String {
    let cells =
      hasDistances
      ? """
      json_each((
        SELECT json_group_array(json(cell)) FROM (
          SELECT json_group_array(value) AS cell FROM (
            SELECT key, value FROM json_each(matrix_row.travel_times)
            UNION ALL SELECT key, value FROM json_each(matrix_row.distances))
          GROUP BY key))) AS cell
      """ : "json_each(matrix_row.travel_times) AS cell"
    let (time, distance) =
      hasDistances ? ("json_extract(cell.value, '$[0]')", "json_extract(cell.value, '$[1]')") : ("cell.value", "NULL")
    return """
      CREATE VIEW matrix AS
        SELECT origin_id, place.place_id AS destination_id, \(time) AS expected_travel_time, \(distance) AS distance
        FROM matrix_row CROSS JOIN \(cells)
        CROSS JOIN place ON place.rowid = cell.key + (SELECT min(rowid) FROM place WHERE role = 'destination');
      """
  }

  static let insertPlace = "INSERT INTO place VALUES (?,?,?,?,?,?,?,?,?,?,?)"
  static let insertRoute = "INSERT INTO route VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
  static let insertStep = "INSERT INTO step_row VALUES (?,?,?,?,?,?,?,?)"
  static let insertPhrase = "INSERT INTO phrase VALUES (?,?,?,?,?,?)"
  static let insertRejected = "INSERT INTO rejected VALUES (?,?,?,?)"
  static let insertChunk = "INSERT INTO chunk VALUES (?,?,?,'written',?,?,?)"
  static let insertStatistic = "INSERT INTO statistic VALUES (?,?,?,?,?,?,?,?,?,?,?)"
  static let insertMatrixRow = "INSERT INTO matrix_row VALUES (?,?,?)"
  static let insertSummary = "INSERT INTO origin_summary VALUES (?,?,?,?,?,?,?)"
  static let insertWithin = "INSERT INTO within VALUES (?,?,?,?)"
  static let setJob = "INSERT OR REPLACE INTO job VALUES (?,?)"

  // Statistics are of the best routes: alternates would count a pair several times.
  static let routeValues = """
    SELECT pair_group, distance, expected_travel_time, crow_fly_distance, step_count, status FROM route
    WHERE alternative = 0 ORDER BY rowid
    """
  static let stepDistances = "SELECT centimetres / 100.0 FROM step_row WHERE alternative = 0 ORDER BY rowid"
  static let statistics = """
    SELECT scope, measure, count, min, p05, p25, median, mean, p75, p95, max FROM statistic
    """
  static let cellCounts = "SELECT substr(key, 7), value FROM job WHERE key LIKE 'cells\\_%' ESCAPE '\\' ORDER BY key"
  static let statusCounts = "SELECT status, count(*) FROM route WHERE alternative = 0 GROUP BY status ORDER BY status"
}
