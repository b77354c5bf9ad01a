import Geography

/// What the trips to nearest stations add up to.
struct NearestTrips {
  /// By measure: the sum of all origins.
  private(set) var totals: [Double]
  /// By half minute of the time to the nearest station, then by measure: the sum of those origins.
  private(set) var halfMinutes: [[Double]]
  /// By threshold and measure.
  private(set) var served: [[Double]]
  /// By station, threshold and measure: those for which it is the nearest.
  private(set) var nearest: [Int: [[Double]]] = [:]
  private(set) var measures = Measures(scope: "job")

  /// From the rows of the nearest stations in a database.
  init(_ database: SQLite, _ places: AccessPlaces, _ thresholds: [Int]) throws {
    let counts = places.counts()
    let width = places.measures.count
    let none = Service(thresholds: thresholds.count, measures: width).values
    totals = Array(repeating: 0, count: width)
    halfMinutes = Array(repeating: totals, count: (thresholds.last ?? 0) / 30 * 2 + 1)
    served = none
    for origin in places.origins.indices {
      for measure in 0..<width { totals[measure] += counts[origin * width + measure] }
    }
    let row = try database.prepare(
      """
      SELECT origin_fid, station_fid, entrance_fid, milliseconds, centimetres FROM access_row WHERE rank = 1
      ORDER BY origin_fid
      """)
    let columns = try ["origin_fid", "station_fid", "entrance_fid", "milliseconds", "centimetres"].map(row.index)
    while try row.next() {
      let origin = places.rows.origin(of: try row.value(at: columns[0]))
      let station = places.rows.station(of: try row.value(at: columns[1]))
      let entrance = (try row.value(at: columns[2]) as Int?).map(places.rows.entrance)
      let milliseconds: Int = try row.value(at: columns[3])
      let metres = (try row.value(at: columns[4]) as Double) / 100
      let end = entrance.map { places.entrances[$0] } ?? places.stations[station]
      measures.add(metres, to: .distance)
      measures.add(Double(milliseconds) / 1000, to: .expectedTravelTime)
      if milliseconds > 0 { measures.add(metres / Double(milliseconds) * 1000, to: .speed) }
      let straight = places.origins[origin].coordinate.distance(to: end.coordinate)
      if straight > 0 { measures.add(metres / straight, to: .detour) }
      let bin = (milliseconds + 29_999) / 30_000
      if bin < halfMinutes.count { NearestTrips.add(counts, origin, to: &halfMinutes[bin]) }
      guard let first = thresholds.firstIndex(where: { milliseconds <= $0 * 1000 }) else { continue }
      for threshold in first..<thresholds.count {
        NearestTrips.add(counts, origin, to: &served[threshold])
        NearestTrips.add(counts, origin, to: &nearest[station, default: none][threshold])
      }
    }
  }

  private static func add(_ counts: [Double], _ origin: Int, to sums: inout [Double]) {
    for measure in sums.indices { sums[measure] += counts[origin * sums.count + measure] }
  }
}
