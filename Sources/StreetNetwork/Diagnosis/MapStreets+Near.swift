import Foundation
import Geography

extension MapStreets {
  /// The ways nearest to a place, each once, at most `count` of them and none farther than `limit` metres; and the two
  /// nearest that the network uses, where none of those is.
  package func near(_ place: FixedCoordinate, count: Int, within limit: Double) -> [NearStreet] {
    let all = segments(near: place, within: limit)
    let hasUsed = all.prefix(count).contains { uses[$0.way] != 0 }
    let nearest = all.prefix(count) + (hasUsed ? [] : all.dropFirst(count).filter { uses[$0.way] != 0 }.prefix(2))
    guard !nearest.isEmpty else { return [] }
    let streets = streets(on: nearest.map { segment in (raw.ways[segment.way].id, segment) })
    return nearest.enumerated().map { index, segment in
      let way = raw.ways[segment.way]
      let tags = raw.tagList(of: way)
      return NearStreet(
        way: way.id, classTag: network.profile.classTag(of: tags), name: tags["name"] ?? tags["ref"] ?? "",
        distance: segment.distance, use: streets[index].map { use($0) } ?? .closed(cause(closing: tags)))
    }
  }

  private func use(_ street: StreetID) -> NearStreet.Use {
    .used(
      junctions: network.componentSize(of: street), reach.trap(street),
      isSnapped: network.street(street).flags.contains(.snappable))
  }

  private func cause(closing tags: TagList) -> String { network.profile.cause(closing: tags, nil) }

  /// A way's segment: that from the node at `position`, of all ways' references, to the next.
  struct NearSegment {
    var way: Int
    var position: Int
    var distance: Double
  }

  /// Of each way its nearest segment, the nearest way first.
  func segments(near place: FixedCoordinate, within limit: Double) -> [NearSegment] {
    let shrink = max(1e-6, cos(place.coordinate.latitude * .pi / 180))
    func offset(_ node: UInt32) -> SIMD2<Double>? {
      point(node).map {
        SIMD2(
          Double(Int64($0.longitude) - Int64(place.longitude)) * shrink,
          Double(Int64($0.latitude) - Int64(place.latitude)))
      }
    }
    let metres = Coordinate.metresPerDegree / 1e7
    var found: [NearSegment] = []
    for (index, way) in raw.ways.enumerated() {
      var best: NearSegment?
      var last = offset(nodes[way.nodes.lowerBound])
      for position in way.nodes.dropFirst() {
        let next = offset(nodes[position])
        defer { last = next }
        guard let last, let next else { continue }
        let (along, length) = (next - last, ((next - last) * (next - last)).sum())
        let share = length > 0 ? min(1, max(0, -(last * along).sum() / length)) : 0
        let nearest = last + along * share
        let distance = (nearest * nearest).sum().squareRoot() * metres
        if distance <= limit, distance < best?.distance ?? .infinity {
          best = NearSegment(way: index, position: position - 1, distance: distance)
        }
      }
      if let best { found.append(best) }
    }
    return found.sorted { ($0.distance, $0.way) < ($1.distance, $1.way) }
  }

  /// The streets of the network on which segments lie; nil where none does.
  private func streets(on segments: [(way: Int64, segment: NearSegment)]) -> [StreetID?] {
    var found = [StreetID?](repeating: nil, count: segments.count)
    let ways = Set(segments.map(\.way))
    for street in (0..<network.streetCount).map({ StreetID($0) }) {
      for part in network.parts(of: street) where ways.contains(part.way) {
        for (index, item) in segments.enumerated() where item.way == part.way && found[index] == nil {
          let ends = (id(ofNode: nodes[item.segment.position]), id(ofNode: nodes[item.segment.position + 1]))
          let nodes = part.points.map { network.pointNodes[$0] }
          let isThere = zip(nodes, nodes.dropFirst()).contains { $0 == ends || ($0.1, $0.0) == ends }
          if isThere { found[index] = street }
        }
      }
    }
    return found
  }
}
