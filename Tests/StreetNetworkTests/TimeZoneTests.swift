import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

struct TimeZoneTests {
  private static let places = [
    ("Porto", 41.15, -8.61, "Europe/Lisbon"), ("Ponta Delgada", 37.74, -25.67, "Atlantic/Azores"),
    ("Las Palmas", 28.12, -15.43, "Atlantic/Canary"), ("Monaco", 43.735, 7.42, "Europe/Monaco"),
    ("New York", 40.71, -74.0, "America/New_York"), ("Phoenix", 33.45, -112.07, "America/Phoenix"),
    ("Columbus", 39.96, -83.0, "America/New_York"), ("Porto Alegre", -30.03, -51.23, "America/Sao_Paulo"),
    ("Manaus", -3.1, -60.02, "America/Porto_Velho"), ("Sydney", -33.87, 151.21, "Australia/Sydney"),
    ("Perth", -31.95, 115.86, "Australia/Perth"), ("Vladivostok", 43.12, 131.89, "Asia/Vladivostok"),
    ("Belgrade", 44.8, 20.46, "Europe/Belgrade"), ("Saint-Denis, Réunion", -20.88, 55.45, "Indian/Reunion"),
    ("Honolulu", 21.31, -157.86, "Pacific/Honolulu"), ("Kathmandu", 27.7, 85.3, "Asia/Kathmandu"),
  ]

  @Test(arguments: places)
  func findsTheZoneOfAPlace(name: String, latitude: Double, longitude: Double, zone: String) {
    let found = TimeZoneTable.timeZone(at: Coordinate(latitude: latitude, longitude: longitude))
    #expect(sameClocks(found, zone), "\(name): \(found)")
  }

  @Test(arguments: [(-45.0, -20.0, "Etc/GMT+1"), (0, 0, "Etc/GMT"), (-60, 100, "Etc/GMT-7"), (80, 180, "Etc/GMT-12")])
  func placesAtSeaUseTheZoneOfTheirLongitude(latitude: Double, longitude: Double, zone: String) {
    #expect(TimeZoneTable.timeZone(at: Coordinate(latitude: latitude, longitude: longitude)) == zone)
  }

  @Test func aMapHasTheZoneOfItsCentre() throws {
    let network = try TestMap("a-b", at: Coordinate(latitude: 41.15, longitude: -8.61)).way("ab").network()
    #expect(network.timeZone == "Europe/Lisbon")
  }

  @Test func aMapAcrossTheAntimeridianHasTheZoneOfItsCentre() throws {
    let longitudes = ["178.4", "178.41", "-179.98", "-179.97"]
    let nodes = longitudes.enumerated().map {
      #"<node id="\#($0 + 1)" lat="\#(-17.8 + Double($0 / 2))" lon="\#($1)"/>"#
    }
    let ways = [1, 3].map {
      #"<way id="\#($0)"><nd ref="\#($0)"/><nd ref="\#($0 + 1)"/><tag k="highway" v="footway"/></way>"#
    }
    let scratch = try Scratch()
    defer { scratch.remove() }
    let map = try scratch.write("<osm version=\"0.6\">\((nodes + ways).joined())</osm>", to: "map.osm")
    let network = try StreetNetwork(map: map, profile: .stock("walking"))
    #expect(network.timeZone == "Pacific/Fiji")
    #expect(network.facts.contains { $0 == ("area", "-17.8,178.4 to -16.8,-179.97") })
  }

  @Test func clocksOfEveryZoneAreKnown() {
    for latitude in stride(from: -55.0, through: 78, by: 1.5) {
      for longitude in stride(from: -180.0, through: 180, by: 1.5) {
        let zone = TimeZoneTable.timeZone(at: Coordinate(latitude: latitude, longitude: longitude))
        #expect(TimeZone(identifier: zone) != nil, "\(zone)")
      }
    }
  }

  private func sameClocks(_ a: String, _ b: String) -> Bool {
    guard let a = TimeZone(identifier: a), let b = TimeZone(identifier: b) else { return false }
    return (0..<260).allSatisfy { week in
      let moment = Date(timeIntervalSince1970: 1_577_836_800 + Double(week) * 604_800)
      return a.secondsFromGMT(for: moment) == b.secondsFromGMT(for: moment)
    }
  }
}
