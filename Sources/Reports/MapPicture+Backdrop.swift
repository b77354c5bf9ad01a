import Foundation
import Geography
import Jobs
import Tables

/// What the map has under the results, as much as a picture can show: what is drawn from afar first.
extension MapPicture {
  /// More names than this are a list.
  private static let mostNames = 24

  package mutating func draw(_ backdrop: [BackdropRow]) {
    // More text makes the picture heavy, and grey.
    let streets = backdrop.filter { $0.layer == "street" && $0.minZoom <= zoom + 1 }
    let scenery = backdrop.filter { !["street", "place", "area"].contains($0.layer) && $0.minZoom <= zoom }
    drawScenery(MapPicture.first(of: scenery, atMost: 120_000))
    drawStreets(MapPicture.first(of: streets, atMost: 240_000))
    write(backdrop.filter { $0.layer == "place" && $0.minZoom <= zoom }.flatMap(\.places))
  }

  /// The first rows, of so many bytes in all: those of one class that are drawn from one zoom on, all or none.
  private static func first(of rows: [BackdropRow], atMost bytes: Int) -> ArraySlice<BackdropRow> {
    var (end, rest) = (0, bytes)
    while end < rows.count {
      let row = rows[end]
      let next = rows[end...].firstIndex { ($0.layer, $0.kind, $0.minZoom) != (row.layer, row.kind, row.minZoom) }
      let size = rows[end..<(next ?? rows.count)].reduce(0) { $0 + $1.features.utf8.count }
      guard size <= rest || end == 0 else { break }
      (end, rest) = (next ?? rows.count, rest - size)
    }
    return rows[..<end]
  }

  /// Sea, parks, water and railways, from the bottom up.
  private mutating func drawScenery(_ rows: ArraySlice<BackdropRow>) {
    let colors: KeyValuePairs = ["sea": "--water", "park": "--park", "water": "--water", "railway": "--rail"]
    var areas: [String: [String]] = [:]
    var lines: [String: String] = [:]
    for row in rows {
      for shape in row.shapes {
        if row.layer != "railway", shape.allSatisfy(MapPicture.isRing) {
          let rings = shape.map(ring).joined()
          if !rings.isEmpty { areas[row.layer, default: []].append(rings) }
        } else {
          lines[row.layer, default: ""] += shape.map(path).joined()
        }
      }
    }
    for (layer, color) in colors {
      if let areas = areas[layer] {
        // The rings of one area make its holes; areas that lie upon one another make none.
        let paths = areas.map { "<path d=\"\($0)\"/>" }.joined()
        // Areas that meet would show a seam.
        let seam = layer == "sea" ? " stroke=\"var(\(color))\" stroke-width=\"10\"" : ""
        layers += "<g class=\"\(layer)\" fill=\"var(\(color))\" fill-rule=\"evenodd\"\(seam)>\(paths)</g>"
      }
      if let path = lines[layer] {
        layers += MapPicture.line(path, color: color, width: layer == "railway" ? 10 : 24)
      }
    }
  }

  private mutating func drawStreets(_ rows: ArraySlice<BackdropRow>) {
    let major: Set<String> = ["motorway", "trunk", "primary", "secondary"]
    let widths = [false: 8, true: 16]
    var lines = [true: "", false: ""]
    for row in rows {
      for line in row.shapes.joined() { lines[major.contains(row.kind)]! += path(line) }
    }
    for isMajor in [false, true] {
      layers += MapPicture.line(lines[isMajor]!, color: isMajor ? "--major" : "--street", width: widths[isMajor]!)
    }
  }

  /// Names of places, the larger places first, and none over another, the scale, the source or the edge.
  private mutating func write(_ places: [BackdropRow.Place]) {
    var taken = notes
    var count = 0
    for place in places where count < MapPicture.mostNames {
      let isLarge = place.kind == "city" || place.kind == "town"
      let spot = spot(place.point)
      let (width, height) = (MapPicture.width(of: place.name) * (isLarge ? 9 : 7) / 7 + 60, 200)
      let box = Frame(x: spot.x - width / 2...spot.x + width / 2, y: spot.y - height / 2...spot.y + height / 2)
      guard view.contains(box), !taken.contains(where: box.meets) else { continue }
      taken.append(box)
      count += 1
      names += """
        <g transform="translate(\(spot.x) \(spot.y + 40))scale(10)"><text class="name\(isLarge ? " large" : "")" \
        text-anchor="middle">\(HTML.escaped(place.name))</text></g>
        """
    }
  }

  /// About as much as letters of eleven pixels need; those of the Far East are as wide as high.
  private static func width(of name: String) -> Int {
    name.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 70 : 120) }
  }

  // MARK: Lines and rings

  private static func isRing(_ line: [FixedCoordinate]) -> Bool { line.count > 3 && line.first == line.last }

  /// As many pixels apart as one sees.
  private static let grain = 12

  /// A ring; nothing where it lies on one side of the picture. It may go round all of it.
  private func ring(_ points: [FixedCoordinate]) -> String {
    let spots = points.map(spot)
    let xs = (spots.lazy.map(\.x).min() ?? 0)...(spots.lazy.map(\.x).max() ?? 0)
    let ys = (spots.lazy.map(\.y).min() ?? 0)...(spots.lazy.map(\.y).max() ?? 0)
    guard view.meets(Frame(x: xs, y: ys)) else { return "" }
    let path = MapPicture.text(of: spots.dropLast(), grain: MapPicture.grain)
    return path.isEmpty ? "" : path + "z"
  }

  /// What of a line is inside, from a point outside to a point outside.
  private func path(_ points: [FixedCoordinate]) -> String {
    var (path, run): (String, [Spot]) = ("", [])
    var last: Spot?
    func end() {
      path += MapPicture.text(of: run[...], grain: MapPicture.grain)
      run.removeAll(keepingCapacity: true)
    }
    for point in points {
      let spot = spot(point)
      if let last {
        if view.meets(Frame(x: min(last.x, spot.x)...max(last.x, spot.x), y: min(last.y, spot.y)...max(last.y, spot.y)))
        {
          if run.isEmpty { run.append(last) }
          run.append(spot)
        } else if !run.isEmpty {
          end()
        }
      }
      last = spot
    }
    end()
    return path
  }
}
