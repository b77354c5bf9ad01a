import Geography
import Tables

/// A street passed by traces, both directions together, for maps.
package struct ObservedStreet: Sendable {
  /// The observations at an hour of the day, 0 to 23, over all days.
  package struct Hour: Sendable {
    package var hour: Int
    package var passes: Int
    /// Observed over expected time.
    package var slowness: Double
  }

  package var name: String
  package var points: [FixedCoordinate]
  package var hours: [Hour]
}

extension ResultsDatabase {
  /// Returns the streets with the most passes, and the number of all streets.
  package func observedStreets(atMost limit: Int) throws -> (streets: [ObservedStreet], of: Int) {
    var streets: [ObservedStreet] = []
    var last: Int?
    let rows = try database.prepare(
      """
      SELECT street_fid, name, geom, hour, sum(observed_speed.passes) AS passes,
        sum(observed_time) / sum(expected_travel_time) AS slowness
      FROM observed_speed JOIN street_used ON street_used.fid = street_fid
      WHERE street_fid IN (SELECT street_fid FROM observed_speed GROUP BY 1 ORDER BY sum(passes) DESC, 1 LIMIT \(limit))
        AND expected_travel_time > 0
      GROUP BY street_fid, hour ORDER BY street_fid, hour
      """)
    while try rows.next() {
      let street: Int = try rows["street_fid"]
      if street != last {
        streets.append(
          ObservedStreet(
            name: try rows["name"] ?? "", points: (try rows["geom"] as GeometryBlob).lines.first ?? [], hours: []))
        last = street
      }
      streets[streets.count - 1].hours.append(
        .init(hour: try rows["hour"], passes: try rows["passes"], slowness: try rows["slowness"]))
    }
    return (streets, try database.value("SELECT count(DISTINCT street_fid) FROM observed_speed"))
  }
}
