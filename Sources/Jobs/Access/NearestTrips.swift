import Geography
import Tables

/// What the trips to nearest stations add up to, in the units of `AccessPlaces`.
struct NearestTrips {
  /// By measure: the sum of all origins.
  private(set) var totals: [Int64]
  /// Of each hour of the job; once where it has none.
  private(set) var hours: [Hour]
  private(set) var measures = Measures(scope: "job")

  struct Hour {
    /// By half minute of the time to the nearest station, then measure: the sum of those origins.
    fileprivate(set) var halfMinutes: [Int64]
    /// By threshold and measure.
    fileprivate(set) var served: [[Int64]]
    /// By station, threshold and measure: those for which it is the nearest.
    fileprivate(set) var nearest: [Int: [Int64]] = [:]
  }

  /// From the rows of the nearest stations in a database.
  ///
  /// - Parameter departures: How many hours the job has.
  init(_ database: SQLite, _ places: AccessPlaces, _ thresholds: [Int], departures: Int) throws {
    let counts = places.counts()
    let width = places.measures.count
    let none = Array(repeating: [Int64](repeating: 0, count: width), count: thresholds.count)
    totals = Array(repeating: 0, count: width)
    measures.reserveCapacity(
      places.origins.count * max(1, departures), for: [.distance, .expectedTravelTime, .speed, .detour])
    let bins = NearestTrips.halfMinutes(of: thresholds)
    let halfMinutes = [Int64](repeating: 0, count: bins * width)
    let noneNearest = [Int64](repeating: 0, count: thresholds.count * width)
    hours = Array(repeating: Hour(halfMinutes: halfMinutes, served: none), count: max(1, departures))
    for origin in places.origins.indices {
      for measure in 0..<width { totals[measure] += counts[origin * width + measure] }
    }
    let departure = departures > 0 ? "departure" : "1"
    let countsLegs = try database.jobRecord().identity.flag(.snapLegs) ?? false
    /// Where distances begin and end.
    func counted(_ place: PlaceRow) -> FixedCoordinate {
      countsLegs ? place.coordinate : place.snapped ?? place.coordinate
    }
    let row = try database.prepare(
      """
      SELECT origin_fid, station_fid, entrance_fid, milliseconds, centimetres, \(departure) AS hour FROM access_row
      WHERE rank = 1 ORDER BY origin_fid, hour
      """)
    let columns = try ["origin_fid", "station_fid", "entrance_fid", "milliseconds", "centimetres", "hour"].map(
      row.index)
    while try row.next() {
      let origin = places.rows.origin(of: try row.value(at: columns[0]))
      let station = places.rows.station(of: try row.value(at: columns[1]))
      let entrance = (try row.value(at: columns[2]) as Int?).map(places.rows.entrance)
      let milliseconds: Int = try row.value(at: columns[3])
      let metres = (try row.value(at: columns[4]) as Double) / 100
      let hour = (try row.value(at: columns[5]) as Int) - 1
      let end = entrance.map { places.entrances[$0] } ?? places.stations[station]
      measures.add(metres, to: .distance)
      measures.add(Double(milliseconds) / 1000, to: .expectedTravelTime)
      if milliseconds > 0 { measures.add(metres / Double(milliseconds) * 1000, to: .speed) }
      let straight = min(metres, counted(places.origins[origin]).distance(to: counted(end)))
      if straight > 0 { measures.add(metres / straight, to: .detour) }
      let bin = (milliseconds + 29_999) / 30_000
      let counted = counts[origin * width..<(origin + 1) * width]
      if bin < bins { NearestTrips.add(counted, to: &hours[hour].halfMinutes, at: bin * width) }
      guard let first = thresholds.firstIndex(where: { milliseconds <= $0 * 1000 }) else { continue }
      for threshold in first..<thresholds.count {
        NearestTrips.add(counted, to: &hours[hour].served[threshold], at: 0)
        NearestTrips.add(counted, to: &hours[hour].nearest[station, default: noneNearest], at: threshold * width)
      }
    }
  }

  private static func add(_ counts: ArraySlice<Int64>, to sums: inout [Int64], at start: Int) {
    for (measure, count) in counts.enumerated() { sums[start + measure] += count }
  }

  /// How many half minutes there are up to twice the last threshold, 0 included.
  private static func halfMinutes(of thresholds: [Int]) -> Int { (thresholds.last ?? 0) / 30 * 2 + 1 }

  /// Bytes that this takes at most: the values of all trips, some of them sorted, and the sums of every hour.
  static func memory(of places: AccessPlaces, _ thresholds: [Int], departures: Int) -> Int {
    let hours = max(1, departures)
    let (trips, width) = (places.origins.count * hours, places.measures.count * 8)
    let stations = min(places.stations.count, places.origins.count)
    // A row of a dictionary has a key and an array of its own.
    let sums = (halfMinutes(of: thresholds) + thresholds.count) * width + stations * (thresholds.count * width + 64)
    return trips * 48 + hours * sums
  }
}
