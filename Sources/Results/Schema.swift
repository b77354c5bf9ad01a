/// The tables of a results database: every column's name stands here, and in the statements below it.
///
/// Metres, seconds, degrees WGS 84. `status` is one of `RowStatus`. What there are millions of (steps, origins' nearest
/// stations) is kept in small whole numbers, words once, and views show it as it is meant. Columns that such a view would
/// compute are computed in its table: only columns of tables have a type, which a GeoPackage's must.
enum Schema {
  /// The type of columns of ids: whole numbers if all ids of the input are, else texts.
  enum ID: String, CustomStringConvertible {
    case number = "INTEGER"
    case text = "TEXT"
    var description: String { rawValue }
  }

  /// What all kinds of job have.
  static func common(_ id: ID) -> String {
    """
    CREATE TABLE job (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE place (
      fid INTEGER PRIMARY KEY, place_id \(id), role TEXT NOT NULL, name TEXT, latitude REAL NOT NULL,
      longitude REAL NOT NULL, snapped_latitude REAL, snapped_longitude REAL, snap_distance REAL, street TEXT,
      status TEXT NOT NULL, weight REAL, geom POINT);
    CREATE TABLE street (fid INTEGER PRIMARY KEY, class TEXT NOT NULL, geom LINESTRING);
    CREATE TABLE statistic (
      scope TEXT NOT NULL, measure TEXT NOT NULL, count INTEGER NOT NULL, min REAL, p05 REAL, p25 REAL, median REAL,
      mean REAL, p75 REAL, p95 REAL, max REAL, PRIMARY KEY (scope, measure)) WITHOUT ROWID;
    CREATE TABLE histogram (
      scope TEXT NOT NULL, measure TEXT NOT NULL, low REAL NOT NULL, high REAL NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (scope, measure, low)) WITHOUT ROWID;
    CREATE TABLE rejected (file TEXT NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, reason TEXT NOT NULL);
    CREATE TABLE chunk (
      chunk_id INTEGER PRIMARY KEY, first_row INTEGER NOT NULL, rows INTEGER NOT NULL, state TEXT NOT NULL);
    CREATE TABLE chunk_file (
      chunk_id INTEGER NOT NULL, file TEXT NOT NULL, end INTEGER NOT NULL, length INTEGER NOT NULL,
      crc32 INTEGER NOT NULL, PRIMARY KEY (chunk_id, file)) WITHOUT ROWID;
    """
  }

  static func routes(_ id: ID) -> String {
    """
    CREATE TABLE route (
      fid INTEGER PRIMARY KEY, pair_id \(id), alternative INTEGER NOT NULL, origin_id \(id),
      destination_id \(id), status TEXT NOT NULL, distance REAL, expected_travel_time REAL, transport_type TEXT NOT NULL,
      name TEXT, step_count INTEGER, crow_fly_distance REAL, has_tolls INTEGER, has_highways INTEGER,
      advisory_notices TEXT, departure_date TEXT, expected_arrival_date TEXT, pair_group TEXT, link TEXT,
      geom LINESTRING);
    CREATE TABLE phrase (
      phrase_id INTEGER PRIMARY KEY, instructions TEXT NOT NULL, notice TEXT, transport_type TEXT NOT NULL,
      maneuver TEXT NOT NULL, street TEXT NOT NULL);
    CREATE TABLE step_row (
      fid INTEGER PRIMARY KEY, pair_id \(id), alternative INTEGER NOT NULL, step INTEGER NOT NULL,
      phrase_id INTEGER NOT NULL, centimetres INTEGER NOT NULL, milliseconds INTEGER NOT NULL,
      latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, geom POINT,
      distance REAL AS (centimetres / 100.0), expected_travel_time REAL AS (milliseconds / 1000.0),
      latitude REAL AS (latitude_e7 / 1e7), longitude REAL AS (longitude_e7 / 1e7));
    CREATE VIEW step AS
      SELECT fid, pair_id, alternative, step, instructions, notice, distance, expected_travel_time,
        transport_type, maneuver, street, latitude, longitude, geom
      FROM step_row CROSS JOIN phrase USING (phrase_id);
    """
  }

  static func matrices(_ id: ID) -> String {
    """
    CREATE TABLE matrix_row (origin_id \(id), travel_times TEXT, distances TEXT);
    CREATE TABLE origin_summary (
      origin_id \(id), reachable INTEGER NOT NULL, nearest_id \(id), nearest_travel_time REAL, nearest_distance REAL,
      mean_travel_time REAL, mean_distance REAL);
    CREATE TABLE within (
      origin_id \(id), threshold INTEGER NOT NULL, destinations INTEGER NOT NULL, weight REAL);
    CREATE TABLE spread (measure TEXT PRIMARY KEY, counts BLOB NOT NULL);
    """
  }

  static func access(_ id: ID) -> String {
    """
    CREATE TABLE place_weight (
      place_fid INTEGER NOT NULL, measure TEXT NOT NULL, value REAL NOT NULL,
      PRIMARY KEY (place_fid, measure)) WITHOUT ROWID;
    CREATE TABLE access_row (
      origin_fid INTEGER NOT NULL, rank INTEGER NOT NULL, station_fid INTEGER, entrance_fid INTEGER,
      milliseconds INTEGER, centimetres INTEGER, status TEXT NOT NULL,
      fid INTEGER AS (origin_fid * 1000 + rank), expected_travel_time REAL AS (milliseconds / 1000.0),
      distance REAL AS (centimetres / 100.0), PRIMARY KEY (origin_fid, rank)) WITHOUT ROWID;
    CREATE VIEW access AS
      SELECT access_row.fid, origin.place_id AS origin_id, rank, station.place_id AS station_id,
        entrance.place_id AS entrance_id, expected_travel_time, distance, access_row.status, origin.geom
      FROM access_row JOIN place AS origin ON origin.fid = origin_fid
      LEFT JOIN place AS station ON station.fid = station_fid
      LEFT JOIN place AS entrance ON entrance.fid = entrance_fid;
    CREATE TABLE access_share (
      threshold INTEGER NOT NULL, measure TEXT NOT NULL, value REAL NOT NULL, total REAL NOT NULL, share REAL,
      PRIMARY KEY (threshold, measure)) WITHOUT ROWID;
    CREATE TABLE access_curve (
      measure TEXT NOT NULL, within INTEGER NOT NULL, value REAL NOT NULL, share REAL,
      PRIMARY KEY (measure, within)) WITHOUT ROWID;
    CREATE TABLE station_service (
      station_id \(id), threshold INTEGER NOT NULL, measure TEXT NOT NULL, value REAL NOT NULL, share REAL,
      nearest_value REAL NOT NULL);
    CREATE TABLE line_service (
      line TEXT NOT NULL, stations INTEGER NOT NULL, threshold INTEGER NOT NULL, measure TEXT NOT NULL,
      value REAL NOT NULL, share REAL);
    CREATE TABLE station_line (station_id \(id), line TEXT NOT NULL);
    """
  }

  static func isochrones(_ id: ID) -> String {
    """
    CREATE TABLE isochrone (
      fid INTEGER PRIMARY KEY, place_id \(id), from_threshold INTEGER NOT NULL,
      threshold INTEGER NOT NULL, status TEXT NOT NULL, area REAL, street_length REAL, geom MULTIPOLYGON);
    """
  }

  /// Made when all rows are there.
  static let placeIndex = "CREATE INDEX place_by_id ON place (place_id);"
  static let routeIndices = """
    CREATE INDEX route_by_pair ON route (pair_id, alternative);
    CREATE INDEX step_by_pair ON step_row (pair_id);
    """
  static let matrixIndices = """
    CREATE INDEX matrix_row_by_origin ON matrix_row (origin_id);
    CREATE INDEX origin_summary_by_origin ON origin_summary (origin_id);
    CREATE INDEX within_by_origin ON within (origin_id, threshold);
    """
  static let accessIndices = """
    CREATE INDEX station_service_by_station ON station_service (station_id);
    """
  static let isochroneIndices = """
    CREATE INDEX isochrone_by_place ON isochrone (place_id, threshold);
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
        CROSS JOIN place ON place.fid = cell.key + (SELECT min(fid) FROM place WHERE role = 'destination');
      """
  }

  static let insertPlace = "INSERT INTO place VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?)"
  static let insertPlaceWeight = "INSERT INTO place_weight VALUES (?,?,?)"
  static let insertRoute = "INSERT INTO route VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
  static let insertStep = "INSERT INTO step_row VALUES (NULL,?,?,?,?,?,?,?,?,?)"
  static let insertPhrase = "INSERT INTO phrase VALUES (?,?,?,?,?,?)"
  static let insertAccess = "INSERT INTO access_row VALUES (?,?,?,?,?,?,?)"
  static let insertShare = "INSERT INTO access_share VALUES (?,?,?,?,?)"
  static let insertCurve = "INSERT INTO access_curve VALUES (?,?,?,?)"
  static let insertStationService = "INSERT INTO station_service VALUES (?,?,?,?,?,?)"
  static let insertLineService = "INSERT INTO line_service VALUES (?,?,?,?,?,?)"
  static let insertStationLine = "INSERT INTO station_line VALUES (?,?)"
  static let insertIsochrone = "INSERT INTO isochrone VALUES (NULL,?,?,?,?,?,?,?)"
  static let insertStreet = "INSERT INTO street VALUES (NULL,?,?)"
  static let insertHistogram = "INSERT INTO histogram VALUES (?,?,?,?,?)"
  static let insertRejected = "INSERT INTO rejected VALUES (?,?,?,?)"
  static let insertChunk = "INSERT INTO chunk VALUES (?,?,?,'written')"
  static let insertChunkFile = "INSERT INTO chunk_file VALUES (?,?,?,?,?)"
  static let insertStatistic = "INSERT INTO statistic VALUES (?,?,?,?,?,?,?,?,?,?,?)"
  static let insertMatrixRow = "INSERT INTO matrix_row VALUES (?,?,?)"
  static let insertSummary = "INSERT INTO origin_summary VALUES (?,?,?,?,?,?,?)"
  static let insertWithin = "INSERT INTO within VALUES (?,?,?,?)"
  static let progress = "SELECT count(*), coalesce(sum(rows), 0) FROM chunk"
  static let marks = "SELECT file, end, length, crc32 FROM chunk_file WHERE chunk_id = ?"
  static let phrases = """
    SELECT phrase_id, instructions, notice, transport_type, maneuver, street FROM phrase ORDER BY phrase_id
    """
  static let setSpread = "INSERT OR REPLACE INTO spread VALUES (?,?)"
  static let dropSpread = "DROP TABLE spread"
  static let spreads = "SELECT measure, counts FROM spread"
  static let setJob = "INSERT OR REPLACE INTO job VALUES (?,?)"

  // Statistics are of the best routes: alternates would count a pair several times.
  /// Of each geometry what says where it lies: a point whole, of others the head.
  static func geometryHeads(of table: String) -> String {
    "SELECT fid, substr(geom, 1, 40) FROM \(table) WHERE geom NOT NULL ORDER BY fid"
  }

  static let routeValues = """
    SELECT pair_group, distance, expected_travel_time, crow_fly_distance, step_count, status FROM route
    WHERE alternative = 0 ORDER BY fid
    """
  static let nearestTrips = """
    SELECT origin_fid, station_fid, entrance_fid, milliseconds, centimetres FROM access_row WHERE rank = 1
    ORDER BY origin_fid
    """
  static let areas = "SELECT threshold, area FROM isochrone WHERE area NOT NULL ORDER BY fid"
  static let stepDistances = "SELECT centimetres / 100.0 FROM step_row WHERE alternative = 0 ORDER BY fid"
  static let statistics = """
    SELECT scope, measure, count, min, p05, p25, median, mean, p75, p95, max FROM statistic
    """
  static let kind = "SELECT value FROM job WHERE key = 'kind'"
  /// What became of a job's rows, by its kind.
  static let statusCounts = [
    "routes": "SELECT status, count(*) FROM route WHERE alternative = 0 GROUP BY status ORDER BY status",
    "etas": "SELECT status, count(*) FROM route GROUP BY status ORDER BY status",
    "matrix": "SELECT substr(key, 7), value FROM job WHERE key LIKE 'cells\\_%' ESCAPE '\\' ORDER BY key",
    "access": "SELECT status, count(*) FROM access_row WHERE rank <= 1 GROUP BY status ORDER BY status",
    "isochrones": "SELECT status, count(*) FROM isochrone GROUP BY status ORDER BY status",
  ]
}
