import Geography
import StreetNetwork
import Tables

/// Stations and their entrances, from a list of places, a GTFS zip, or the map.
///
///     station  entrances      lines
///     Rossio   north, south   Verde
///     Cais     itself         –
///
/// A station without entrances is entered at its platforms or, if it has none, at its own position; platforms with
/// `stop_access` 1 are entrances of any station. The distance to a station is the distance to its nearest entrance.
package struct StationTable {
  package private(set) var stations: [InputPlace] = []
  /// All entrances, ordered by station.
  package private(set) var entrances: [Entrance] = []
  /// The sorted lines of each station; empty if the input has no lines.
  package private(set) var lines: [[String]] = []
  package private(set) var rejected: [RejectedRow] = []
  /// Notes about the file, without a final full stop.
  package private(set) var notes: [String] = []
  /// The number of stations omitted because no trip serves them.
  private var unservedStations = 0
  /// The number of stops joined by name.
  package private(set) var joinedStops = 0

  package struct Entrance: Sendable {
    package var place: InputPlace
    /// The index of its station.
    package var station: Int
  }

  /// Reads `source`: a file, or `osm:` followed by the tags of objects in `map`. `types` are the line types to use, nil
  /// for all. *Throws*: `OdometerError`.
  ///
  /// - Parameters:
  ///   - joining: The distance in metres within which stops with the same name form one station; nil to use only
  ///     `parent_station`.
  ///   - boarding: The stops to use, by wheelchair access.
  ///   - unserved: Whether to include timetable stops that no trip serves.
  ///   - duplicates: Handling of rows with duplicate ids.
  package init(
    _ source: String, map: String, types: Set<RouteType>?, area: BoundingBox = .earth, joining: Double? = nil,
    boarding: WheelchairBoarding = .any, unserved: Bool = false, duplicates: DuplicateRule = .reject
  ) throws {
    if types == nil, !unserved, let query = StationTable.query(source) {
      guard joining == nil else {
        throw .input(map, "joinStops is for a GTFS zip or a list of places; the map's stations have stop areas")
      }
      guard boarding == .any else {
        throw .input(
          map,
          "wheelchairBoarding is for a GTFS zip or a list of places; for the map's stations, add wheelchair=yes to the osm: tags"
        )
      }
      try readMap(map, query, source)
    } else if let feed = try GTFSFeed.open(source) {
      let table = try PlaceTable(feed, role: .station, area: area, keys: .withoutWeights, duplicates: duplicates)
      let linesOfStops = try feed.lines(of: types)
      (rejected, notes) = (table.rejected, feed.notes.map { "\(source): \($0)" } + table.notes)
      if let note = StationTable.note(on: linesOfStops, of: source, table.places) { notes.append(note) }
      let file = feed.path(of: "stops.txt")
      let places = withKnownParents(table.places, of: file)
      let hasServedStops = places.contains { linesOfStops["\($0.id)"] != nil }
      let stepped = boarding == .any ? [] : StationTable.steppedParts(places, boarding, along: try feed.pathways())
      group(
        accessiblePlaces(places, boarding, of: file, except: stepped), of: file, linesOfStops: linesOfStops,
        onlyServed: !unserved && (types != nil || hasServedStops), joining)
      if types == nil, unservedStations > 0 {
        notes.append(
          "\(file): \(unservedStations.counted("station")) that no trip serves \(unservedStations == 1 ? "is" : "are") left out "
            + "(set unservedStops: true to keep all)")
      }
    } else {
      for (key, isSet) in [("routeTypes", types != nil), ("unservedStops", unserved)] where isSet {
        throw .input(source, "not a GTFS zip; \(key) requires one")
      }
      let table = try PlaceTable(
        path: source, role: .station, area: area, keys: .withoutWeights, duplicates: duplicates)
      (rejected, notes) = (table.rejected, table.notes)
      let places = withKnownParents(table.places, of: source)
      group(accessiblePlaces(places, boarding, of: source), of: source, linesOfStops: [:], onlyServed: false, joining)
    }
    guard !stations.isEmpty else {
      let problem =
        boarding != .any && !rejected.isEmpty
        ? "no stop matches wheelchairBoarding: \(boarding.rawValue); first rejection: \(rejected[0].reason)"
          + (boarding == .known ? "; in a list of places, set column wheelchair_boarding to 1" : "")
        : types == nil
          ? "none of its places is a station or a stop" : "no stop is served by a line of the requested routeTypes"
      throw .input(source, problem)
    }
  }

  /// Returns a note about missing line data of a timetable; nil if there is none.
  private static func note(
    on linesOfStops: [String: Set<String>], of file: String, _ places: [InputPlace]
  ) -> String? {
    guard !linesOfStops.isEmpty else {
      return
        "\(file): no lines found, so all stops are kept: routes.txt, trips.txt or stop_times.txt is missing or refers to "
        + "no stop"
    }
    let known = Set(places.map { "\($0.id)" })
    let unknown = linesOfStops.keys.filter { !known.contains($0) }.sorted()
    guard !unknown.isEmpty else { return nil }
    let first = unknown.prefix(3).map { "\"\(RowProblem.excerpt($0))\"" }.joined(separator: ", ")
    return
      "\(file): \(unknown.count.counted("stop")) of stop_times.txt without a valid row in stops.txt (\(first))"
  }

  /// Whether the ids of stations and entrances are whole numbers.
  package var idsAreNumbers: Bool { stations.allSatisfy(\.id.isNumber) && entrances.allSatisfy(\.place.id.isNumber) }

  /// Converts all ids to strings.
  package mutating func useTextIDs() {
    stations.useTextIDs()
    for index in entrances.indices { entrances[index].place.id = entrances[index].place.id.asText }
  }

  /// A station whose parts are being collected.
  private struct StationBuilder {
    var place: InputPlace
    var entrances: [InputPlace] = []
    var platforms: [InputPlace] = []
    var lines: Set<String>
  }

  /// Returns the places; a stop whose parent is not a station loses it and becomes a separate station.
  private mutating func withKnownParents(_ places: [InputPlace], of file: String) -> [InputPlace] {
    let stations = Set(places.lazy.filter { $0.part == .station }.map(\.id))
    var unknown: [Identifier] = []
    let cleaned = places.map { place in
      guard place.part == .stop, let parent = place.parent, !stations.contains(parent) else { return place }
      unknown.append(parent)
      var place = place
      place.parent = nil
      return place
    }
    if let first = unknown.first {
      notes.append(
        "\(file): \(unknown.count) \(unknown.count == 1 ? "stop has" : "stops have") a parent_station that is not in the "
          + "file or is not a station (\"\(RowProblem.excerpt(first))\"); it is ignored")
    }
    return cleaned
  }

  /// Returns a function that checks the wheelchair rule; parts of a station inherit its value (GTFS).
  private static func check(_ places: [InputPlace], _ boarding: WheelchairBoarding) -> (InputPlace) -> Bool {
    let stations = Dictionary(places.lazy.filter { $0.part == .station }.map { ($0.id, $0) }) { first, _ in first }
    return { place in
      boarding.allows(place.wheelchairBoarding, in: place.parent.flatMap { stations[$0]?.wheelchairBoarding } ?? 0)
    }
  }

  /// Returns the entrances without a step-free pathway to a stop, and the stops without one to an entrance, in stations
  /// with pathways and entrances. Pathways count in both directions.
  private static func steppedParts(
    _ places: [InputPlace], _ boarding: WheelchairBoarding, along pathways: [GTFSFeed.Pathway]
  ) -> Set<Identifier> {
    let isAllowed = check(places, boarding)
    let parts = Dictionary(places.map { ($0.id, $0) }) { first, _ in first }
    let entered = Set(places.lazy.filter { $0.part == .entrance }.compactMap(\.parent))
    var stations = Set<Identifier>()
    var neighbours: [Identifier: [Identifier]] = [:]
    func join(_ a: Identifier, _ b: Identifier) {
      neighbours[a, default: []].append(b)
      neighbours[b, default: []].append(a)
    }
    for pathway in pathways {
      let ends = [pathway.from, pathway.to].compactMap { parts[$0] }
      stations.formUnion(ends.compactMap(\.parent).filter(entered.contains))
      let isOpen = ends.allSatisfy { $0.part != .entrance || isAllowed($0) }
      if pathway.isStepFree, isOpen { join(pathway.from, pathway.to) }
    }
    for place in places where place.part == .boardingArea { join(place.id, place.parent ?? place.id) }
    /// Returns the nodes connected to at least one allowed place of this type.
    func connected(to part: InputPlace.Part) -> Set<Identifier> {
      var found = Set(places.lazy.filter { $0.part == part && isAllowed($0) }.map(\.id))
      var rest = Array(found)
      while let id = rest.popLast() { rest += (neighbours[id] ?? []).filter { found.insert($0).inserted } }
      return found
    }
    let (toEntrances, toStops) = (connected(to: .entrance), connected(to: .stop))
    return Set(
      places.lazy.filter { place in
        guard let station = place.parent, stations.contains(station) else { return false }
        return place.part == .entrance && !toStops.contains(place.id)
          || place.part == .stop && !place.isDirect && !toEntrances.contains(place.id)
      }.map(\.id))
  }

  /// Returns the places that satisfy the wheelchair rule and are not in `stepped`; the others are rejected. A station
  /// whose entrances or stops are all rejected is rejected, too.
  private mutating func accessiblePlaces(
    _ places: [InputPlace], _ boarding: WheelchairBoarding, of file: String, except stepped: Set<Identifier> = []
  ) -> [InputPlace] {
    guard boarding != .any else { return places }
    let check = StationTable.check(places, boarding)
    func isAllowed(_ place: InputPlace) -> Bool { check(place) && !stepped.contains(place.id) }
    /// For each station and type, the number of all parts and of allowed parts.
    var parts: [Identifier: [InputPlace.Part: (all: Int, allowed: Int)]] = [:]
    for place in places {
      guard let parent = place.parent else { continue }
      parts[parent, default: [:]][place.part, default: (0, 0)].all += 1
      if isAllowed(place) { parts[parent]![place.part]!.allowed += 1 }
    }
    func isInaccessible(_ station: Identifier) -> Bool {
      guard let own = parts[station] else { return false }
      return [InputPlace.Part.entrance, .stop].contains { (own[$0]?.all ?? 0) > 0 && own[$0]?.allowed == 0 }
    }
    func hasParts(_ station: Identifier) -> Bool { parts[station]?[.entrance] != nil || parts[station]?[.stop] != nil }
    /// The stations with an allowed stop that is reached without entrances.
    let reached = Set(places.lazy.filter { $0.isDirect && isAllowed($0) }.compactMap(\.parent))
    return places.filter { place in
      let isKept =
        place.part == .station
        // A station satisfies the rule if one of its stops does.
        ? reached.contains(place.id) || !isInaccessible(place.id) && (hasParts(place.id) || isAllowed(place))
        : isAllowed(place) && (place.isDirect || !(place.parent.map(isInaccessible) ?? false))
      if !isKept {
        reject(
          place, of: file,
          stepped.contains(place.id) && check(place)
            ? "pathways.txt: no pathway without stairs or escalators connects "
              + (place.part == .stop ? "it to an entrance" : "this entrance to a platform") + " of its station"
            : "wheelchair_boarding: boarding with a wheelchair is not \(boarding == .known ? "known to be " : "")possible"
        )
      }
      return isKept
    }
  }

  /// Assembles stations by `parent_station` and, on request, by name.
  private mutating func group(
    _ places: [InputPlace], of file: String, linesOfStops: [String: Set<String>], onlyServed: Bool, _ joining: Double?
  ) {
    let leaderOf = StationTable.leaders(of: places, within: joining)
    joinedStops = leaderOf.count { $0 != nil }
    let leaders = Set(leaderOf.compactMap(\.self))
    var stations: [StationBuilder] = []
    var indices: [Identifier: Int] = [:]
    for (index, place) in places.enumerated()
    where (place.part == .station || place.part == .stop && place.parent == nil) && leaderOf[index] == nil {
      indices[place.id] = stations.count
      let lines = linesOfStops["\(place.id)"] ?? []
      stations.append(StationBuilder(place: place, lines: lines))
      // A stop that others are joined to is also a platform.
      if place.part == .stop, leaders.contains(index), !onlyServed || !lines.isEmpty {
        stations[stations.count - 1].platforms.append(place)
      }
    }
    for (index, place) in places.enumerated()
    where place.part == .entrance || place.part == .stop && (place.parent != nil || leaderOf[index] != nil) {
      guard let station = (place.parent ?? leaderOf[index].map { places[$0].id }).flatMap({ indices[$0] }),
        place.parent == nil || stations[station].place.part == .station
      else {
        let parent =
          place.parent.map { "parent_station \(RowProblem.excerpt($0)) is not in the file or is not a station" }
          ?? "it has no parent_station"
        reject(place, of: file, "part of a station, but \(parent)")
        continue
      }
      if place.part == .entrance {
        stations[station].entrances.append(place)
      } else {
        let lines = linesOfStops["\(place.id)"] ?? []
        stations[station].lines.formUnion(lines)
        if !onlyServed || !lines.isEmpty { stations[station].platforms.append(place) }
      }
    }
    unservedStations = onlyServed ? stations.count { $0.lines.isEmpty } : 0
    for station in stations where !onlyServed || !station.lines.isEmpty {
      append(
        station.place,
        entrances: station.entrances + station.platforms.filter { station.entrances.isEmpty || $0.isDirect },
        lines: station.lines.sorted())
    }
  }

  private mutating func reject(_ place: InputPlace, of file: String, _ reason: String) {
    rejected.append(
      RejectedRow(
        file: file, line: place.line, id: "\(place.id)", text: "\(place.id)", reason: reason, points: [place.coordinate]
      ))
  }

  /// Appends a station, which is its own entrance if it has no others.
  mutating func append(_ station: InputPlace, entrances: [InputPlace], lines: [String] = []) {
    let index = stations.count
    stations.append(station)
    self.lines.append(lines)
    for entrance in entrances {
      var entrance = entrance
      entrance.role = .entrance
      self.entrances.append(Entrance(place: entrance, station: index))
    }
    if entrances.isEmpty { self.entrances.append(Entrance(place: station, station: index)) }
  }
}

extension StationTable {
  /// Returns the index of the station or stop that each place is joined to; nil for a separate place. Stops that the
  /// feed does not group are joined by name: stops with the same name within a distance of the first one form one
  /// station. If a station within that distance has the same name, the stops become part of that station.
  ///
  ///     Rossio (north)   \\
  ///     Rossio (south)    one station, the first; both are its platforms
  ///
  /// - Parameter metres: The maximum distance of a stop from the first one; nil to join none.
  private static func leaders(of places: [InputPlace], within metres: Double?) -> [Int?] {
    var leaders = [Int?](repeating: nil, count: places.count)
    guard let metres else { return leaders }
    let stops = places.indices.filter { places[$0].part == .stop && places[$0].parent == nil }
    var known: [String: [Int]] = [:]
    for index in places.indices.filter({ places[$0].part == .station }) + stops {
      // Case and spaces differ between feeds.
      let name = (places[index].name ?? "").lowercased().split(separator: " ").joined(separator: " ")
      guard !name.isEmpty else { continue }
      let near = known[name, default: []].map { ($0, places[$0].coordinate.distance(to: places[index].coordinate)) }
        .filter { $0.1 <= metres }
      // Ties go to the first place.
      if places[index].part == .stop, let nearest = near.min(by: { $0.1 < $1.1 }) {
        leaders[index] = nearest.0
      } else {
        known[name, default: []].append(index)
      }
    }
    return leaders
  }

  /// The maximum distance in metres of an entrance from its station if the map does not relate them.
  private static let maximumEntranceDistance = 300.0

  /// Returns the tags in `osm:key=value,…`; nil for a file.
  package static func query(_ source: String) -> MapQuery? {
    source.hasPrefix("osm:") ? MapQuery(String(source.dropFirst(4))) : nil
  }

  mutating func readMap(_ map: String, _ query: MapQuery, _ source: String) throws {
    guard !StreetNetwork.isNetworkFile(map) else {
      throw .input(
        map,
        "stations: \(source) needs map objects, which a network file does not contain; set map to the "
          + "extract, or give stations in a file (CSV, GeoJSON, GTFS)")
    }
    let found = try OSMSource.file(map).places(query)
    guard !found.isEmpty else { throw .input(map, "the map has no objects with the tags \(source.dropFirst(4))") }
    let objects = found.filter { !$0.isEntrance }
    var entrances = [[MapPlace]](repeating: [], count: objects.count)
    let stations = objects.indices.filter { objects[$0].isStation }
    var unassigned: [MapPlace] = []
    for entrance in found where entrance.isEntrance {
      let sameStopArea = stations.first { objects[$0].stopArea != nil && objects[$0].stopArea == entrance.stopArea }
      let nearest = stations.min {
        objects[$0].point.distance(to: entrance.point) < objects[$1].point.distance(to: entrance.point)
      }.flatMap { objects[$0].point.distance(to: entrance.point) <= StationTable.maximumEntranceDistance ? $0 : nil }
      if let station = sameStopArea ?? nearest {
        entrances[station].append(entrance)
      } else {
        unassigned.append(entrance)
      }
    }
    for (place, entrances) in zip(objects + unassigned, entrances + unassigned.map { _ in [] }) {
      append(InputPlace(place, .station), entrances: entrances.map { InputPlace($0, .entrance) })
    }
  }
}

extension InputPlace {
  fileprivate init(_ place: MapPlace, _ role: Role) {
    self.init(id: .text(place.id), role: role, name: place.name, coordinate: place.point, weight: nil)
  }
}
