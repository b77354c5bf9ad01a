import Geography
import Results
import StreetNetwork

/// Stations and the doors by which one gets into them, from a list of places, a GTFS zip, or the map itself.
///
///     station  door              lines
///     Rossio   entrance 1, 2     Verde
///     Cais     itself            –
///
/// A station's doors are its entrances, if it has any; else its platforms; else it is its own door. Doors count for their
/// station: a place is as near to it as to the nearest door.
package struct StationTable {
  package private(set) var stations: [InputPlace] = []
  /// Every door, those of the first station first.
  package private(set) var doors: [Door] = []
  /// The lines that call at each station, sorted; empty where the input says nothing of lines.
  package private(set) var lines: [[String]] = []
  package private(set) var rejected: [RejectedRow] = []

  package struct Door: Sendable {
    package var place: InputPlace
    /// The station's number.
    package var station: Int
  }

  /// Reads `source`: a file, or `osm:` and the tags of objects of `map`. `types` are those of lines that count, nil for
  /// all. *Throws*: `InputError`, `MapError`.
  package init(_ source: String, map: String, types: Set<RouteType>?, area: BoundingBox = .earth) throws {
    if types == nil, let query = StationTable.query(source) {
      try readMap(map, query, source)
    } else if let feed = try GTFSFeed.open(source) {
      let table = try PlaceTable(feed, role: .station, area: area)
      rejected = table.rejected
      group(table.places, file: source, try feed.lines(of: types), onlyServed: types != nil)
    } else {
      guard types == nil else { throw InputError(file: source, problem: "not a GTFS zip, which routeTypes needs") }
      let table = try PlaceTable(path: source, role: .station, area: area)
      rejected = table.rejected
      group(table.places, file: source, [:], onlyServed: false)
    }
    guard !stations.isEmpty else {
      let why =
        types == nil
        ? "none of its places is a station or a stop" : "no stop is served by a line of the routeTypes asked for"
      throw InputError(file: source, problem: why)
    }
  }

  // MARK: Parts of stations

  private mutating func group(
    _ places: [InputPlace], file: String, _ linesOfStops: [String: Set<String>], onlyServed: Bool
  ) {
    var numbers: [Identifier: Int] = [:]
    var wholes: [InputPlace] = []
    for place in places where place.part == .station || place.part == .stop && place.parent == nil {
      guard numbers[place.id] == nil else {
        reject(place, file, "the id occurs earlier in the file")
        continue
      }
      numbers[place.id] = wholes.count
      wholes.append(place)
    }
    var entrances = [[InputPlace]](repeating: [], count: wholes.count)
    var platforms = entrances
    var served = [Set<String>](repeating: [], count: wholes.count)
    for (number, whole) in wholes.enumerated() { served[number] = linesOfStops["\(whole.id)"] ?? [] }
    for place in places where place.part == .entrance || place.part == .stop && place.parent != nil {
      guard let station = place.parent.flatMap({ numbers[$0] }) else {
        let parent = place.parent.map { "parent_station \($0) is not in the file" } ?? "it has no parent_station"
        reject(place, file, "a part of a station: \(parent)")
        continue
      }
      if place.part == .entrance {
        entrances[station].append(place)
      } else {
        let lines = linesOfStops["\(place.id)"] ?? []
        served[station].formUnion(lines)
        if !onlyServed || !lines.isEmpty { platforms[station].append(place) }
      }
    }
    for (number, whole) in wholes.enumerated() where !onlyServed || !served[number].isEmpty {
      let doors = entrances[number].isEmpty ? platforms[number] : entrances[number]
      append(whole, doors: doors, lines: served[number].sorted())
    }
  }

  private mutating func reject(_ place: InputPlace, _ file: String, _ reason: String) {
    rejected.append(RejectedRow(file: file, line: place.line, text: "\(place.id)", reason: reason))
  }

  mutating func append(_ station: InputPlace, doors: [InputPlace], lines: [String]) {
    let number = stations.count
    stations.append(station)
    self.lines.append(lines)
    for door in doors {
      var door = door
      door.role = .entrance
      self.doors.append(Door(place: door, station: number))
    }
    if doors.isEmpty { self.doors.append(Door(place: station, station: number)) }
  }
}
