import Geography

/// Finds the time zone of a point of the earth, as IANA names it: that of the country there, or of the nearest one within
/// 100 km; at sea that of the longitude.
package struct TimeZoneFinder: Sendable {
  private let countries: CountryTable
  private let zones: TimeZoneTable

  package init() { (countries, zones) = (.stock, .stock) }

  /// "Europe/Lisbon"; at sea "Etc/GMT+2", which is two hours *behind* Greenwich.
  package func timeZone(at point: Coordinate) -> String {
    let fixed = FixedCoordinate(point)
    var finder = CountryFinder([], table: countries, box: BoundingBox(around: [fixed]))
    let zone = finder.answer(at: fixed).country.flatMap { zones.zone(at: fixed, in: $0) }
    return zone ?? TimeZoneFinder.nauticalZone(at: point.longitude)
  }

  /// Signs are POSIX's.
  private static func nauticalZone(at longitude: Double) -> String {
    let hours = Int((longitude / 15).rounded())
    return hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
  }
}
