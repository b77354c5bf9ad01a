import Foundation
import Geography
import Jobs
import Tables

/// Mean travel times between places, or between zones if there are many places, as a coloured table.
struct HeatTable {
  /// The maximum number of places in a table; zones are used for more.
  private static let maximumPlaces = 12

  /// Whether rows and columns are zones instead of places.
  let isOfZones: Bool
  private let rows: Side
  private let columns: Side
  /// The cells from a place to itself, which are ignored.
  let own: OwnCells
  /// The sum of travel times in milliseconds, and the number of cells, by row and column.
  private var sums: [Int64]
  private var counts: [Int]
  /// The rows with an origin whose cells were added: a page may have only a sample.
  private var added: Set<Int> = []

  /// The rows or the columns: their names, and the index of each place; nil for places off the map.
  private struct Side {
    var names: [String]
    var index: [Int?]
  }

  init(origins: [ReportedPlace], destinations: [ReportedPlace], named: [BackdropRow.Place]) {
    own = OwnCells(origins: origins.map { ($0.id, $0.point) }, destinations: destinations.map { ($0.id, $0.point) })
    isOfZones = max(origins.count, destinations.count) > HeatTable.maximumPlaces
    let located = (origins + destinations).filter { $0.status == .ok }.map(\.point)
    let zones = isOfZones ? Zones(of: located, named: named) : nil
    func side(_ places: [ReportedPlace]) -> Side {
      Side(
        names: zones?.names ?? places.map(\.label),
        index: places.enumerated().map { $1.status == .ok ? zones?.zone(of: $1.point) ?? $0 : nil })
    }
    (rows, columns) = (side(origins), side(destinations))
    sums = [Int64](repeating: 0, count: rows.names.count * columns.names.count)
    counts = [Int](repeating: 0, count: sums.count)
  }

  /// - Parameter milliseconds: Travel times; negative if there is no route.
  mutating func add(_ milliseconds: some Sequence<Int64>, from origin: Int) {
    guard let row = rows.index[origin] else { return }
    added.insert(row)
    let own = own[origin]
    for (destination, (column, time)) in zip(columns.index, milliseconds).enumerated() where time >= 0 {
      guard let column, destination != own else { continue }
      sums[row * columns.names.count + column] += time
      counts[row * columns.names.count + column] += 1
    }
  }

  /// Returns the table; empty if there is nothing to compare.
  func html(_ scale: ColorScale, note: String) -> String {
    let shownRows = rows.names.indices.filter(added.contains)
    let shownColumns = columns.names.indices.filter(Set(columns.index.compactMap(\.self)).contains)
    guard shownRows.count > 1 || shownColumns.count > 1, counts.contains(where: { $0 > 0 }) else { return "" }
    let heads = shownColumns.map { "<th scope=\"col\" class=\"n\">\(HTML.name(columns.names[$0]))</th>" }
    let body = shownRows.map { row in
      let cells = shownColumns.map { cell(row * columns.names.count + $0, scale) }
      return "<tr><th scope=\"row\">\(HTML.name(rows.names[row]))</th>\(cells.joined())</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="Mean travel times"><table class="heat"><caption>Mean travel time, minutes, from each row to each column \
      <small>\(HTML.escaped(note))</small></caption>
      <thead><tr><th scope="col">from \\ to</th>\(heads.joined())</tr></thead>
      <tbody>
      \(body.joined(separator: "\n"))
      </tbody></table></div>

      """
  }

  private func cell(_ index: Int, _ scale: ColorScale) -> String {
    guard counts[index] > 0 else { return "<td class=\"n\">–</td>" }
    // Short times are shown with one decimal.
    let seconds = Double(sums[index]) / Double(counts[index]) / 1000
    return
      "<td class=\"n h\(scale.shade(of: seconds))\" data-value=\"\(seconds / 60)\">\(Format.decimal(seconds / 60, seconds < 600 ? 1 : 0))</td>"
  }
}

/// At most twelve zones with many places each, for readable tables: the surroundings of named places on the map or, if
/// fewer than three have places, the nine parts of the bounding box.
struct Zones {
  private static let (most, maximumNamed) = (12, 60)

  let names: [String]
  private let centres: [FixedCoordinate]
  /// The length of a degree of longitude relative to a degree of latitude.
  private let shrinking: Double

  /// - Parameter named: Places of the basemap, the most important first.
  init(of points: [FixedCoordinate], named: [BackdropRow.Place]) {
    var box = BoundingBox.empty
    for point in points { box.extend(to: point) }
    let middle = (Double(box.minLatitude) + Double(box.maxLatitude)) / 2e7
    let shrinking = cos(middle * .pi / 180)
    var seen: Set<String> = []
    let candidates = named.prefix(Zones.maximumNamed).filter { seen.insert($0.name).inserted }
    var counts = [Int](repeating: 0, count: candidates.count)
    for point in points { Zones.nearest(to: point, of: candidates.map(\.point), shrinking).map { counts[$0] += 1 } }
    let inhabited = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$1], $0) < (counts[$0], $1) }
    let chosen = inhabited.prefix(Zones.most).map { candidates[$0] }.sorted { $0.name < $1.name }
    self.shrinking = shrinking
    (names, centres) =
      chosen.count > 2 ? (chosen.map(\.name), chosen.map(\.point)) : (Zones.parts, Zones.centres(of: box))
  }

  /// Returns the index of the zone with the nearest centre.
  func zone(of point: FixedCoordinate) -> Int { Zones.nearest(to: point, of: centres, shrinking) ?? 0 }

  private static let parts = [
    "north-west", "north", "north-east", "west", "centre", "east", "south-west", "south", "south-east",
  ]

  private static func centres(of box: BoundingBox) -> [FixedCoordinate] {
    func part(_ sixths: Int32, _ least: Int32, _ most: Int32) -> Int32 {
      least + Int32((Int64(most) - Int64(least)) * Int64(sixths) / 6)
    }
    return [5, 3, 1].flatMap { north in
      [1, 3, 5].map { east in
        FixedCoordinate(
          longitude: part(east, box.minLongitude, box.maxLongitude),
          latitude: part(north, box.minLatitude, box.maxLatitude))
      }
    }
  }

  private static func nearest(to point: FixedCoordinate, of centres: [FixedCoordinate], _ shrinking: Double) -> Int? {
    func distance(_ centre: FixedCoordinate) -> Double {
      let x = (Double(centre.longitude) - Double(point.longitude)) * shrinking
      let y = Double(centre.latitude) - Double(point.latitude)
      return x * x + y * y
    }
    return centres.indices.min { distance(centres[$0]) < distance(centres[$1]) }
  }
}
