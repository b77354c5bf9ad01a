import Geography
import StreetNetwork

extension StationTable {
  /// How far an entrance may be from the station it is counted for where the map does not say which one it is, in
  /// metres.
  private static let farthestEntrance = 300.0

  /// The tags that `osm:key=value,…` asks for; nil for a file.
  static func query(_ source: String) -> MapQuery? {
    source.hasPrefix("osm:") ? MapQuery(String(source.dropFirst(4))) : nil
  }

  mutating func readMap(_ map: String, _ query: MapQuery, _ source: String) throws {
    guard !StreetNetwork.isNetworkFile(map) else {
      throw InputError(
        file: map,
        problem:
          "stations: \(source) are objects of the map, and a network file has none; name the extract as map, or stations "
          + "in a file (CSV, GeoJSON, GTFS)")
    }
    let found = try OSMSource.file(map).places(query)
    guard !found.isEmpty else {
      throw InputError(file: map, problem: "the map has nothing with the tags \(source.dropFirst(4))")
    }
    let wholes = found.filter { !$0.isEntrance }
    var entrances = [[MapPlace]](repeating: [], count: wholes.count)
    let stations = wholes.indices.filter { wholes[$0].isStation }
    var alone: [MapPlace] = []
    for entrance in found where entrance.isEntrance {
      let ofArea = stations.first { wholes[$0].stopArea != nil && wholes[$0].stopArea == entrance.stopArea }
      let nearest = stations.min {
        wholes[$0].point.distance(to: entrance.point) < wholes[$1].point.distance(to: entrance.point)
      }.flatMap { wholes[$0].point.distance(to: entrance.point) <= StationTable.farthestEntrance ? $0 : nil }
      if let station = ofArea ?? nearest { entrances[station].append(entrance) } else { alone.append(entrance) }
    }
    for (whole, entrances) in zip(wholes + alone, entrances + alone.map { _ in [] }) {
      append(InputPlace(whole, .station), entrances: entrances.map { InputPlace($0, .entrance) })
    }
  }
}

extension InputPlace {
  fileprivate init(_ place: MapPlace, _ role: Role) {
    self.init(id: .text(place.id), role: role, name: place.name, coordinate: place.point, weight: nil)
  }
}
