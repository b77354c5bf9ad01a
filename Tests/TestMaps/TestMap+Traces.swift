import Geography

extension TestMap {
  /// Monday, 23 November 2026, 8:00 in Greenwich, in seconds since 1970.
  public static let monday = 1_795_420_800.0

  /// Returns a CSV of fixes: the rows of traces below a header.
  public func traces(_ traces: [String]) -> String { "trace_id,time,lon,lat\n" + traces.joined() }

  /// Returns the fixes of a trip from letter to letter, in straight lines at a constant speed in metres per second: one
  /// every `interval` seconds, the last one at the end of the trip.
  public func fixes(
    _ id: String, along letters: String, speed: Double = 5, every interval: Double = 5,
    at start: Double = TestMap.monday
  ) -> String {
    let points = letters.map { self[$0] }
    let lengths = zip(points, points.dropFirst()).map { $0.distance(to: $1) }
    let whole = lengths.reduce(0, +)
    let count = Int((whole / speed / interval).rounded(.up))
    let rows = (0...count).map { index in
      var (left, leg) = (min(whole, Double(index) * interval * speed), 0)
      while leg < lengths.count - 1, left > lengths[leg] { (left, leg) = (left - lengths[leg], leg + 1) }
      let (a, b) = (points[leg], points[leg + 1])
      let part = lengths[leg] > 0 ? left / lengths[leg] : 0
      let longitude = a.longitude + (b.longitude - a.longitude) * part
      let latitude = a.latitude + (b.latitude - a.latitude) * part
      return "\(id),\(start + Double(index) * interval),\(longitude),\(latitude)\n"
    }
    return rows.joined()
  }
}
