import COsmium
import Geography

/// An object of a map selected by its tags.
package struct MapPlace: Sendable, Hashable {
  /// The ID as in OpenStreetMap's URLs: "node/123", "way/45".
  package var id: String
  package var name: String?
  /// A node's point; the centre of a way's bounding box.
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
  /// Returns the nodes and ways selected by a query, in file order, nodes first. Reads the file twice. *Throws*:
  /// `OdometerError`.
  package func places(_ query: MapQuery) throws -> [MapPlace] {
    var ways: [(place: MapPlace, nodes: [Int64])] = []
    var stopAreas: [String: Int64] = [:]
    try readWays(having: query.keys) { object in
      switch object {
      case .way(let way):
        let tags = Tags(way.tags)
        guard query.matches(tags), way.node_count > 0 else { return }
        let nodes = Array(UnsafeBufferPointer(start: way.nodes, count: way.node_count))
        ways.append((MapPlace(id: "way/\(way.id)", tags, FixedCoordinate(longitude: 0, latitude: 0)), nodes))
      case .relation(let relation):
        guard Tags(relation.tags)["public_transport"] == "stop_area" else { return }
        let kinds = [CChar(UInt8(ascii: "n")): "node", CChar(UInt8(ascii: "w")): "way"]
        for member in UnsafeBufferPointer(start: relation.members, count: relation.member_count) {
          guard let kind = kinds[member.type] else { continue }
          let id = "\(kind)/\(member.ref)"
          stopAreas[id] = min(stopAreas[id] ?? .max, relation.id)
        }
      }
    }
    var boxes: [Int64: BoundingBox] = [:]
    for way in ways { for node in way.nodes { boxes[node] = .empty } }
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
    return places
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
