import COsmium
import Geography

/// An object of a map selected by its tags.
package struct MapPlace: Sendable, Hashable {
  /// The ID as in OpenStreetMap's URLs: "node/123", "way/45", "relation/6".
  package var id: String
  package var name: String?
  /// A node's point; the centre of a way's bounding box; a point on the surface of a multipolygon relation.
  package var point: FixedCoordinate
  package var isEntrance: Bool
  /// Whether the object is a station, which may have entrances, rather than a stop on a street.
  package var isStation: Bool
  /// The relation ID of its stop area, the lowest of several; nil for none.
  package var stopArea: Int64?
}

/// The tags that select objects: `railway=station,subway_entrance`; several keys are separated by `;`.
package struct MapQuery: Sendable {
  private let values: [(key: String, values: [String])]

  /// Returns nil if the text has another format.
  package init?(_ text: String) {
    var values: [(String, [String])] = []
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2 else { return nil }
      let words = sides[1].split(separator: ",", omittingEmptySubsequences: false)
      let key = MapQuery.trimmed(sides[0])
      let list = words.map(MapQuery.trimmed)
      guard !key.isEmpty, list.allSatisfy({ !$0.isEmpty }) else { return nil }
      values.append((key, list))
    }
    guard !values.isEmpty else { return nil }
    self.values = values
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  var keys: [String] { values.map(\.key) }

  func matches(_ tags: Tags) -> Bool {
    values.contains { key, values in
      tags[key].map { found in found.split(separator: ";").contains { values.contains(MapQuery.trimmed($0)) } } ?? false
    }
  }
}

extension OSMSource {
  /// Returns the nodes, ways and multipolygon relations selected by a query, in this order, and each in file order.
  /// Omits a relation if a way around it is selected. Reads the file twice, or three times if it has such relations.
  /// *Throws*: `OdometerError`.
  package func places(_ query: MapQuery) throws -> [MapPlace] {
    var ways: [(place: MapPlace, nodes: [Int64])] = []
    var areas: [(place: MapPlace, outer: [Int64], inner: [Int64])] = []
    var stopAreas: [String: Int64] = [:]
    let kinds = [
      CChar(UInt8(ascii: "n")): "node", CChar(UInt8(ascii: "w")): "way", CChar(UInt8(ascii: "r")): "relation",
    ]
    try readWays(having: query.keys) { object in
      switch object {
      case .way(let way):
        let tags = Tags(way.tags)
        guard query.matches(tags), way.node_count > 0 else { return }
        let nodes = Array(UnsafeBufferPointer(start: way.nodes, count: way.node_count))
        ways.append((MapPlace(id: "way/\(way.id)", tags, FixedCoordinate(longitude: 0, latitude: 0)), nodes))
      case .relation(let relation):
        let tags = Tags(relation.tags)
        let members = UnsafeBufferPointer(start: relation.members, count: relation.member_count)
        if tags["type"] == "multipolygon", query.matches(tags) {
          let ways = members.filter { kinds[$0.type] == "way" }
          func isInner(_ way: COsmiumMember) -> Bool { way.role.map { String(cString: $0) } == "inner" }
          areas.append(
            (
              MapPlace(id: "relation/\(relation.id)", tags, FixedCoordinate(longitude: 0, latitude: 0)),
              ways.filter { !isInner($0) }.map(\.ref), ways.filter(isInner).map(\.ref)
            ))
        }
        guard tags["public_transport"] == "stop_area" else { return }
        for member in members {
          guard let kind = kinds[member.type] else { continue }
          let id = "\(kind)/\(member.ref)"
          stopAreas[id] = min(stopAreas[id] ?? .max, relation.id)
        }
      }
    }
    let selected = Set(ways.map(\.place.id))
    areas.removeAll { area in area.outer.contains { selected.contains("way/\($0)") } }
    var outlines: [Int64: [Int64]] = [:]
    if !areas.isEmpty {
      try readWays(Set(areas.flatMap { $0.outer + $0.inner })) { way in
        outlines[way.id] = Array(UnsafeBufferPointer(start: way.nodes, count: way.node_count))
      }
    }
    var boxes: [Int64: BoundingBox] = [:]
    for node in ways.lazy.flatMap(\.nodes) { boxes[node] = .empty }
    for node in outlines.values.joined() { boxes[node] = .empty }
    var places: [MapPlace] = []
    try readNodes { node in
      let point = FixedCoordinate(longitude: node.longitude, latitude: node.latitude)
      if boxes[node.id] != nil { boxes[node.id] = BoundingBox(around: [point]) }
      let tags = Tags(node.tags)
      guard !tags.isEmpty, query.matches(tags) else { return }
      var place = MapPlace(id: "node/\(node.id)", tags, point)
      place.stopArea = stopAreas[place.id]
      places.append(place)
    }
    for (place, nodes) in ways {
      var place = place
      let box = nodes.reduce(into: BoundingBox.empty) { $0.formUnion(boxes[$1]!) }
      guard !box.isEmpty else { continue }  // none of its nodes is in the file
      place.point = box.centre
      place.stopArea = stopAreas[place.id]
      places.append(place)
    }
    for (place, outer, inner) in areas {
      var place = place
      guard let point = OSMSource.middle(of: (outer + inner).map { outlines[$0] ?? [] }, boxes) else { continue }
      place.point = point
      place.stopArea = stopAreas[place.id]
      places.append(place)
    }
    return places
  }

  /// Returns a point on the surface of an area, given the nodes of the ways around it and the box of each node. If ways
  /// or nodes are missing, returns the centre of the others, or nil if there are none.
  private static func middle(of ways: [[Int64]], _ boxes: [Int64: BoundingBox]) -> FixedCoordinate? {
    let nodes = NodeIndex(Array(ways.joined()))
    let points = nodes.ids.map { boxes[$0]! }
    let box = points.reduce(into: BoundingBox.empty) { $0.formUnion($1) }
    guard !box.isEmpty else { return nil }
    let joined = Rings(joining: ways.map { $0.map { UInt32(nodes[$0]!) } })
    let rings = joined.rings.map { $0.map { points[Int($0)].centre } }
    guard !joined.isOpen, !points.contains(where: \.isEmpty), let areas = RingedArea.areas(of: rings) else {
      return box.centre
    }
    let polygons = areas.map { area in
      area.rings.map { ring in
        (ring + ring.prefix(1)).map { [$0.coordinate.longitude, $0.coordinate.latitude] }
      }
    }
    let point = Shape.surfacePoint(ofPolygons: polygons)
    return point.map { FixedCoordinate(Coordinate(latitude: $0[1], longitude: $0[0])) } ?? box.centre
  }
}

extension MapPlace {
  fileprivate init(id: String, _ tags: Tags, _ point: FixedCoordinate) {
    self.id = id
    name = tags["name"] ?? tags["ref"]
    self.point = point
    isEntrance = ["subway_entrance", "train_station_entrance"].contains(tags["railway"]) || tags["entrance"] != nil
    isStation =
      ["station", "halt"].contains(tags["railway"]) || tags["public_transport"] == "station"
      || tags["amenity"] == "bus_station"
  }
}
