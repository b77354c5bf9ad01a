import COsmium
import Geography

/// The boundaries of countries in the map whose rings are complete in the file.
///
/// Reads relations with a country code or a driving side; their member ways are tagged as boundaries or used as
/// streets.
struct Boundaries {
  private var relations: [(code: String?, drivesOnLeft: Bool?, members: [Int64])] = []
  /// The nodes of ways that may be borders.
  private var ways: [Int64: [Int64]] = [:]

  /// A boundary with complete rings, as node IDs.
  typealias Boundary = (code: String?, drivesOnLeft: Bool?, rings: [[Int64]])

  /// Ways with this key may be borders.
  static let key = "boundary"

  mutating func read(_ way: COsmiumWay, _ tags: Tags) {
    guard tags[Boundaries.key] == "administrative", tags["admin_level"].flatMap(Int.init) ?? 2 <= 4 else { return }
    ways[way.id] = Array(UnsafeBufferPointer(start: way.nodes, count: way.node_count))
  }

  mutating func read(_ relation: COsmiumRelation, _ tags: Tags) {
    guard tags["type"] == "boundary" else { return }
    let code = tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"]
    let side = tags["driving_side"]
    guard code != nil || side == "left" || side == "right" else { return }
    let members = UnsafeBufferPointer(start: relation.members, count: relation.member_count)
    let borders = members.filter {
      $0.type == CChar(UInt8(ascii: "w")) && ["outer", "inner", ""].contains(String(cString: $0.role))
    }
    relations.append((code, side.flatMap { ["left": true, "right": false][$0] }, borders.map(\.ref)))
  }

  /// Returns the complete boundaries; `streets` provides member ways that are not tagged as boundaries.
  func assembled(_ streets: (Int64) -> [Int64]?) -> [Boundary] {
    relations.compactMap { relation in
      var lines: [[Int64]] = []
      for member in relation.members {
        guard let line = ways[member] ?? streets(member) else { return nil }
        lines.append(line)
      }
      guard !lines.isEmpty, let rings = closedRings(lines) else { return nil }
      return (relation.code, relation.drivesOnLeft, rings)
    }
  }
}

/// Joins lines end to end into rings; returns nil if a ring stays open.
private func closedRings(_ lines: [[Int64]]) -> [[Int64]]? {
  var byEnd: [Int64: [Int]] = [:]
  for (index, line) in lines.enumerated() {
    guard let first = line.first, let last = line.last else { return nil }
    byEnd[first, default: []].append(index)
    if last != first { byEnd[last, default: []].append(index) }
  }
  var isUsed = [Bool](repeating: false, count: lines.count)
  var rings: [[Int64]] = []
  for (index, line) in lines.enumerated() where !isUsed[index] {
    isUsed[index] = true
    var ring = line
    while let end = ring.last, end != ring[0] {
      guard let next = byEnd[end]?.first(where: { !isUsed[$0] }) else { return nil }
      isUsed[next] = true
      ring.append(contentsOf: lines[next].first == end ? lines[next].dropFirst() : lines[next].reversed().dropFirst())
    }
    rings.append(Array(ring.dropLast()))
  }
  return rings
}
