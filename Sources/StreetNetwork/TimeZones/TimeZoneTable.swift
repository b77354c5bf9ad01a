import Foundation
import Geography
import Settings

/// The time zones of countries, with outlines if a country has several: `data/countries/time-zones.json5`.
package struct TimeZoneTable: Sendable {
  /// The zones by country code, with IANA names ("Europe/Lisbon"); within a country, the smallest first.
  private let zones: [String: [(name: String, outline: Outline)]]

  /// The built-in table, read on first use.
  static let stock: TimeZoneTable = {
    do { return try TimeZoneTable(SettingsFile(embedded: "data/countries/time-zones.json5")) } catch {
      preconditionFailure("the table of time zones cannot be read: \(error)")
    }
  }()

  init(_ settings: SettingsFile) throws {
    let file = settings.root
    zones = try Dictionary(
      uniqueKeysWithValues: file.keys.map { code in
        let country = try file.object(code)
        let zones = try country.keys.map { (name: $0, outline: Outline(encoded: try country.strings($0))) }
        return (code, zones.sorted { $0.outline.area < $1.outline.area })
      })
  }

  /// Returns the zone of a point in a country: the one whose outline contains it, otherwise the nearest; nil if the
  /// country has none.
  private func zone(at point: FixedCoordinate, in country: Country) -> String? {
    guard let zones = zones[country.code], let first = zones.first else { return nil }
    guard zones.count > 1 else { return first.name }
    let containing = zones.first { $0.outline.contains(point) }
    return (containing ?? zones.min { $0.outline.distance(to: point) < $1.outline.distance(to: point) })?.name
  }

  /// Returns the IANA time zone of a point, such as "Europe/Lisbon": the zone of its country, or of the nearest country
  /// within 100 km; at sea, the zone of the longitude, such as "Etc/GMT+2", which is two hours *behind* UTC.
  package static func timeZone(at point: Coordinate) -> String {
    let fixed = FixedCoordinate(point)
    var finder = CountryFinder([], table: .stock, box: BoundingBox(around: [fixed]))
    let zone = finder.locality(at: fixed).country.flatMap { stock.zone(at: fixed, in: $0) }
    let hours = Int((point.longitude / 15).rounded())
    return zone ?? (hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))")
  }
}
