extension Schema {
  // What reports ask of a finished database.

  static let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"
  static let facts = "SELECT key, value FROM job ORDER BY key"
  static let histograms = "SELECT scope, measure, low, high, count FROM histogram ORDER BY scope, measure, low"
  static let streetShapes = "SELECT class, geom FROM street ORDER BY fid"
  static let placePoints = "SELECT role, status, latitude, longitude, name, place_id FROM place ORDER BY fid"
  static let rejectedRows = "SELECT file, line, text, reason FROM rejected ORDER BY rowid LIMIT ?"
  static let rejectedCount = "SELECT count(*) FROM rejected"
  static let placeStatuses = """
    SELECT role, count(*), sum(status = 'ok'), avg(snap_distance), max(snap_distance) FROM place GROUP BY role
    ORDER BY min(fid)
    """

  private static let trip = """
    SELECT route.pair_id, origin.name, route.origin_id, origin.latitude, origin.longitude, destination.name,
      route.destination_id, destination.latitude, destination.longitude, route.status, route.expected_travel_time,
      route.distance, route.distance / nullif(route.crow_fly_distance, 0), route.step_count, origin.status
    FROM route JOIN place AS origin ON origin.place_id = route.origin_id
    JOIN place AS destination ON destination.place_id = route.destination_id
    WHERE origin.role = 'origin' AND destination.role <> 'origin' AND route.fid IN
    """
  // The few rows are chosen before places are joined to them.
  static let longestTrips = """
    \(trip) (SELECT fid FROM route WHERE alternative = 0 AND status = 'ok' ORDER BY expected_travel_time DESC, fid LIMIT ?)
    GROUP BY route.fid ORDER BY route.expected_travel_time DESC, route.fid
    """
  static let greatestDetours = """
    \(trip) (SELECT fid FROM route WHERE alternative = 0 AND status = 'ok' AND crow_fly_distance >= 50
      ORDER BY distance / crow_fly_distance DESC, fid LIMIT ?)
    GROUP BY route.fid ORDER BY route.distance / route.crow_fly_distance DESC, route.fid
    """
  static let missingTrips = """
    \(trip) (SELECT fid FROM route WHERE alternative = 0 AND status <> 'ok' ORDER BY fid LIMIT ?)
    GROUP BY route.fid ORDER BY route.fid
    """
  static let routeCount = "SELECT count(*) FROM route WHERE status = 'ok'"
  /// Every so many routes.
  static let routeShapes = """
    SELECT geom, expected_travel_time FROM route WHERE geom NOT NULL AND alternative = 0 AND fid % ? = 0 ORDER BY fid
    """
  /// Ends of every so many trips that have no shape.
  static let tripEnds = """
    SELECT origin.latitude, origin.longitude, destination.latitude, destination.longitude, route.expected_travel_time
    FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
    JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
    WHERE route.status = 'ok' AND route.fid % ? = 0 GROUP BY route.fid ORDER BY route.fid
    """

  static let nearestTimes = """
    SELECT place.latitude, place.longitude, access_row.expected_travel_time, access_row.status FROM access_row
    JOIN place ON place.fid = origin_fid WHERE rank <= 1 ORDER BY origin_fid
    """
  private static let walk = """
    SELECT origin.place_id, origin.name, origin.latitude, origin.longitude, station.name, station.place_id,
      station.latitude, station.longitude, access_row.status, access_row.expected_travel_time, access_row.distance,
      origin.weight
    FROM access_row JOIN place AS origin ON origin.fid = origin_fid
    LEFT JOIN place AS station ON station.fid = station_fid
    """
  static let longestWalks = """
    \(walk) WHERE (origin_fid, rank) IN
      (SELECT origin_fid, rank FROM access_row WHERE rank = 1 ORDER BY milliseconds DESC, origin_fid LIMIT ?)
    ORDER BY access_row.milliseconds DESC, origin_fid
    """
  static let missingWalks =
    "\(walk) WHERE rank = 0 ORDER BY coalesce(origin.weight, 0) DESC, origin_fid LIMIT ?"
  static let shares = "SELECT threshold, measure, value, total, share FROM access_share ORDER BY threshold, measure"
  static let stationServices = """
    SELECT place.place_id, place.name, place.latitude, place.longitude, place.status, threshold, measure, value,
      nearest_value
    FROM station_service JOIN place ON place.place_id = station_id AND place.role = 'station'
    ORDER BY station_service.rowid
    """
  static let stationLines = "SELECT station_id, line FROM station_line ORDER BY rowid"
  static let lineServices =
    "SELECT line, stations, threshold, measure, value, share FROM line_service ORDER BY rowid"
  static let curve = "SELECT measure, within, share FROM access_curve WHERE share NOT NULL ORDER BY measure, within"

  static let isochroneShapes = "SELECT threshold, geom FROM isochrone WHERE geom NOT NULL ORDER BY threshold DESC, fid"
  static let isochroneSizes = """
    SELECT place.place_id, place.name, place.latitude, place.longitude, isochrone.status, threshold, area, street_length
    FROM isochrone JOIN place ON place.place_id = isochrone.place_id AND place.role = 'origin'
    GROUP BY isochrone.fid ORDER BY isochrone.fid
    """

  static let originSummaries = """
    SELECT place.latitude, place.longitude, mean_travel_time, reachable, place.place_id, place.name, nearest_id,
      nearest_travel_time
    FROM origin_summary JOIN place ON place.place_id = origin_id AND place.role = 'origin'
    GROUP BY origin_summary.rowid ORDER BY origin_summary.rowid
    """
}
