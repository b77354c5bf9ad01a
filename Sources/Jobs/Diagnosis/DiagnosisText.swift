import Geography
import Routing
import StreetNetwork
import Tables

/// Sentences about places on the map and what closes the way between them.
struct DiagnosisText {
  let map: DiagnosisMap
  private static let candidates = 6

  /// Where a place was snapped to, or why to nothing, and the ways nearest to it.
  func place(_ title: String, at point: FixedCoordinate) -> String {
    var lines = ["\(title) at \(DiagnosisText.coordinate(point)): \(snap(of: point))"]
    if let near = map.streets?.near(point, count: DiagnosisText.candidates, within: .infinity), !near.isEmpty {
      lines += DiagnosisText.columns(near.map(columns))
    }
    return lines.joined(separator: "\n")
  }

  private func snap(of point: FixedCoordinate) -> String {
    let limit = "the snap limit of \(DiagnosisText.metres(map.options.snapLimit))"
    guard let end = map.end(at: point) else {
      if let island = map.island(at: point) {
        return
          "no street that leads somewhere within \(limit), but one \(DiagnosisText.metres(island.distance)) away on an "
          + "island of \(island.size == 1 ? "1 junction" : "\(island.size) junctions")"
      }
      return map.network.box.contains(point)
        ? "no street that leads somewhere within \(limit)" : "off the map, no street within \(limit)"
    }
    let street = end.snap.street
    return "snapped to \(map.network.label(of: street)) in \(DiagnosisText.metres(end.snap.distance)), among "
      + DiagnosisText.around(map.network.componentSize(of: street), map.reach.trap(street))
  }

  private func columns(of street: NearStreet) -> [String] {
    let use =
      switch street.use {
      case .used(let size, let trap, true): "used, among \(DiagnosisText.around(size, trap))"
      case .used(let size, let trap, false): "used, but not snapped to: among \(DiagnosisText.around(size, trap))"
      case .closed(let cause): "not used: \(cause)"
      }
    return [
      DiagnosisText.metres(street.distance), "way/\(street.way)", street.classTag,
      street.name.isEmpty ? "–" : street.name,
      use,
    ]
  }

  /// What closes the way from one point to another; nil where only the extract would tell.
  func way(from origin: FixedCoordinate, to destination: FixedCoordinate) -> String? {
    if let source = map.end(at: origin), let target = map.end(at: destination),
      let (metres, seconds) = map.weight(from: source, to: target)
    {
      return
        "where no time is given a route leads there: \(DiagnosisText.metres(metres)), \(Int(seconds.rounded())) s"
    }
    // Nothing closes the way to what is not on the map.
    guard [origin, destination].allSatisfy({ map.end(at: $0) != nil || map.network.box.contains($0) }) else {
      return nil
    }
    return way("there", map.spot(at: origin), map.spot(at: destination))
  }

  /// What closes the way from a place to where most trips lead, and from there to it.
  ///
  /// - Parameter isOnIsland: Whether it was snapped to a street beyond its own, of which this tells.
  func ways(of point: FixedCoordinate, isOnIsland: Bool) -> [String] {
    let spot = map.spot(at: point, isOnIsland: isOnIsland)
    let it = isOnIsland ? "the street that it was snapped past" : "it"
    return [way("away from \(it)", spot, .main), way("to \(it)", .main, spot)].compactMap(\.self)
  }

  private func way(_ direction: String, _ origin: MapStreets.Spot, _ destination: MapStreets.Spot) -> String? {
    guard let streets = map.streets else { return nil }
    guard let found = streets.obstacles(from: origin, to: destination) else {
      return "nothing on the map that could be open leads \(direction): no street joins the two"
    }
    guard !found.list.isEmpty else { return "streets lead \(direction)" }
    let things = found.list.count == 1 ? "1 thing" : "\(found.list.count) things"
    let head = "\(things) would have to be open to lead \(direction), in \(DiagnosisText.metres(found.metres)):"
    return
      ([head]
      + DiagnosisText.columns(
        found.list.map { [$0.id, $0.cause, $0.name.isEmpty ? "–" : $0.name, DiagnosisText.coordinate($0.point)] }))
      .joined(separator: "\n")
  }

  // MARK: Words

  private static func around(_ junctions: Int, _ trap: MainReach.Trap?) -> String {
    let count = junctions == 1 ? "1 junction" : "\(junctions) junctions that are reached from one another"
    return count + (trap.map { ", \($0.rawValue)" } ?? "")
  }

  private static func metres(_ metres: Double) -> String {
    metres < 10_000 ? "\(Int(metres.rounded())) m" : "\(Int((metres / 1000).rounded())) km"
  }

  static func coordinate(_ point: FixedCoordinate) -> String {
    "\(Double(point.latitude) / 1e7),\(Double(point.longitude) / 1e7)"
  }

  /// Rows with their columns under one another.
  private static func columns(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.dropLast().map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { index, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 && cell.0.hasSuffix("m") ? padding + cell.0 : cell.0 + padding
      }
      return "  " + (cells + [row[row.count - 1]]).joined(separator: "  ")
    }
  }
}
