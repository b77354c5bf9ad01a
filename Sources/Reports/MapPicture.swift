import Foundation
import Geography
import Jobs
import Tables

/// A map of the results as inline SVG: a basemap with the results on top.
///
/// Coordinates are integers, ten per pixel of a picture 1,000 pixels wide.
package struct MapPicture {
  let box: BoundingBox
  /// The length of a degree of longitude relative to a degree of latitude.
  private let shrink: Double
  /// Picture coordinates per 1e-7 degrees of latitude.
  private let scale: Double
  private let height: Int
  var layers = ""
  /// The names of places, drawn on top.
  var names = ""
  private var legend = ""
  private var shades: Set<Int> = []
  /// Whether items without a value are hatched.
  private var hatches = false
  /// The opacity of the colours of a scale, on the map and in the legend; the style sheet has the opacity of cells.
  private static let opacity = 0.74
  /// The hour shown, which is the first hour of the script's map; nil for a map without hours.
  var hour: String?

  private static let width = 10_000

  /// Creates a map around points, including other points nearby; nil if there are no points.
  ///
  /// - Parameter aspect: The ratio of width to height; nil for one that suits the box.
  package init?(around points: [FixedCoordinate], and others: [FixedCoordinate] = [], aspect: Double? = nil) {
    var box = BoundingBox(around: points)
    guard !box.isEmpty else { return nil }
    // Across the antimeridian, longitudes continue above 180°.
    let (west, east) = box.edges(around: points)
    if east < west, east < -1_600_000_000 {
      box.minLongitude = west
      box.maxLongitude = Int32(Int64(east) + 3_600_000_000)
    }
    let wide = Double(box.maxLongitude) - Double(box.minLongitude)
    let near = Int32(max(wide, Double(box.maxLatitude) - Double(box.minLatitude)) / 4)
    let inner = box
    for point in others where inner.contains(point, margin: near) { box.extend(to: point) }
    shrink = max(0.01, cos(box.centre.coordinate.latitude * .pi / 180))
    // At least a kilometre wide and high, with a margin, and not too narrow or too tall.
    let centre = box.centre
    var halfWidth = max(Double(box.maxLongitude) - Double(box.minLongitude), 100_000) / 2 * shrink * 1.06
    var halfHeight = max(Double(box.maxLatitude) - Double(box.minLatitude), 100_000) / 2 * 1.06
    halfHeight = max(halfHeight, aspect.map { halfWidth / $0 } ?? halfWidth * 0.45)
    halfWidth = max(halfWidth, halfHeight * (aspect ?? 1.15))
    box.minLongitude = MapPicture.clamped(Double(centre.longitude) - halfWidth / shrink)
    box.maxLongitude = MapPicture.clamped(Double(centre.longitude) + halfWidth / shrink)
    box.minLatitude = MapPicture.clamped(Double(centre.latitude) - halfHeight)
    box.maxLatitude = MapPicture.clamped(Double(centre.latitude) + halfHeight)
    self.box = box
    scale = Double(MapPicture.width) / (halfWidth * 2)
    height = Int((halfHeight * 2 * scale).rounded())
  }

  private static func clamped(_ value: Double) -> Int32 { Int32(min(max(value, -2e9), 2e9)) }

  private var crossesAntimeridian: Bool { box.maxLongitude > 1_800_000_000 }

  struct Spot: Hashable {
    var x: Int
    var y: Int
  }

  func spot(_ point: FixedCoordinate) -> Spot {
    let longitude = Double(point.longitude) + (crossesAntimeridian && point.longitude < 0 ? 360e7 : 0)
    return Spot(
      x: Int(((longitude - Double(box.minLongitude)) * shrink * scale).rounded()),
      y: Int(((Double(box.maxLatitude) - Double(point.latitude)) * scale).rounded()))
  }

  private func isInside(_ spot: Spot) -> Bool {
    (0...MapPicture.width).contains(spot.x) && (0...height).contains(spot.y)
  }

  /// The visible area in picture coordinates.
  var view: Frame { Frame(x: 0...MapPicture.width, y: 0...height) }

  /// The zoom at which a web map has the same scale as the picture at 1,000 pixels, rounded up.
  var zoom: Int { Int(log2(360 * 1000 / 256 / (Double(MapPicture.width) / scale / shrink / 1e7)).rounded(.up)) }

  // MARK: Layers

  /// Draws lines in the colours of a scale, lower shades on top and lines without a shade at the bottom.
  package mutating func draw(_ lines: [(points: [FixedCoordinate], shade: Int?)], width: Int) {
    shades.formUnion(lines.compactMap(\.shade))
    for shade in [nil] + (0..<ColorScale.count).reversed() {
      let drawn = lines.filter { $0.shade == shade }.map { path($0.points, grain: 20) }
      layers += MapPicture.line(
        drawn.joined(), color: shade.map { "--c\($0)" } ?? "--soft", width: width,
        opacity: MapPicture.opacity)
    }
  }

  /// Draws lines of the same colour and width.
  mutating func draw(_ lines: [[FixedCoordinate]], color: String, width: Int) {
    layers += MapPicture.line(lines.map { path($0, grain: 12) }.joined(), color: color, width: width)
  }

  /// Draws areas in colours of a scale, in order: each covers the previous ones.
  ///
  /// - Parameter grain: The minimum distance between points of a ring, in picture coordinates; smaller rings are omitted.
  package mutating func draw(_ areas: [(rings: [[FixedCoordinate]], shade: Int)], grain: Int = 25) {
    shades.formUnion(areas.map(\.shade))
    // Consecutive areas of the same shade form one path.
    var (drawn, start) = ("", 0)
    while start < areas.count {
      let shade = areas[start].shade
      let end = areas[start...].firstIndex { $0.shade != shade } ?? areas.count
      let rings = areas[start..<end].map { $0.rings.map { ring($0, grain: grain) }.joined() }.joined()
      drawn += "<path fill=\"var(--c\(shade))\" d=\"\(rings)\"/>"
      start = end
    }
    layers += "<g opacity=\"\(MapPicture.opacity)\">\(drawn)</g>"
  }

  /// Draws points in the colours of a scale; points without a shade are on top, in the colour for missing values.
  ///
  /// - Parameters:
  ///   - none: The colour of points without a shade.
  ///   - pitch: The side of a square in which only one point of each shade is drawn, in picture coordinates.
  package mutating func draw(
    _ points: [(point: FixedCoordinate, shade: Int?)], palette: String = "--c", none: String = "--none", pitch: Int = 20
  ) {
    shades.formUnion(points.compactMap(\.shade))
    if points.count <= MapPicture.maximumCells,
      let lattice = Lattice(of: points.map { (Double(spot($0.point).x), Double(spot($0.point).y)) })
    {
      return draw(points, as: lattice, palette: palette)
    }
    let width = points.count < 300 ? 110 : points.count < 3000 ? 75 : points.count < 20_000 ? 45 : 28
    var seen: Set<Spot> = []
    var paths = [String](repeating: "", count: ColorScale.count + 1)
    for (point, shade) in points {
      let spot = spot(point)
      let cell = Spot(x: spot.x / pitch * (ColorScale.count + 1) + (shade ?? ColorScale.count), y: spot.y / pitch)
      guard isInside(spot), seen.insert(cell).inserted else { continue }
      paths[shade ?? ColorScale.count] += "M\(spot.x) \(spot.y)h0"
    }
    for shade in (0..<ColorScale.count).reversed() {
      layers += MapPicture.line(paths[shade], color: "\(palette)\(shade)", width: width, opacity: MapPicture.opacity)
    }
    layers += MapPicture.line(paths[ColorScale.count], color: none, width: width, opacity: 0.9)
  }

  /// The maximum number of cells: more would take too much text for a picture.
  private static let maximumCells = 6000

  private mutating func draw(
    _ points: [(point: FixedCoordinate, shade: Int?)], as lattice: Lattice, palette: String
  ) {
    let corners = lattice.corners.map { Spot(x: Int($0.x.rounded()), y: Int($0.y.rounded())) }
    let steps = zip(corners, corners.dropFirst()).map { "\($1.x - $0.x) \($1.y - $0.y)" }.joined(separator: " ")
    var paths = [String](repeating: "", count: ColorScale.count + 1)
    for (point, shade) in points {
      let spot = spot(point)
      guard isInside(spot) else { continue }
      paths[shade ?? ColorScale.count] += "M\(spot.x + corners[0].x) \(spot.y + corners[0].y)l\(steps)z"
    }
    for (shade, path) in paths.enumerated() where !path.isEmpty {
      let isNone = shade == ColorScale.count
      let fill = isNone ? "url(#hatch)" : "var(\(palette)\(shade))"
      layers += "<path class=\"cells\" fill=\"\(fill)\" d=\"\(path)\"/>"
      hatches = hatches || isNone
    }
  }

  /// Marks places, with their names as tooltips; if there are very many, draws points only.
  package mutating func mark(_ places: [(point: FixedCoordinate, name: String)]) {
    let shown = places.map { (spot($0.point), $0.name) }.filter { isInside($0.0) }
    if shown.count > 400 {
      layers += MapPicture.line(
        shown.map { "M\($0.0.x) \($0.0.y)h0" }.joined(), color: "--station", width: 22, opacity: 0.7)
      return
    }
    let radius = shown.count > 60 ? 32 : 55
    for (spot, name) in shown {
      layers +=
        "<circle cx=\"\(spot.x)\" cy=\"\(spot.y)\" r=\"\(radius)\" fill=\"var(--paper)\" stroke=\"var(--station)\" "
        + "stroke-width=\"\(radius / 2)\"><title>\(HTML.escaped(name))</title></circle>"
    }
  }

  /// Adds items to the legend, except classes of a scale without anything drawn in their colour.
  package mutating func explain(_ items: [(color: String, text: String)]) {
    legend += items.compactMap { item -> String? in
      let shade = item.color.firstMatch(of: /^--[cd](\d)/).flatMap { Int($0.1) }
      if let shade, !shades.contains(shade) { return nil }
      // The same shapes as drawn by `mark`.
      let shape =
        item.color == "--station" ? " class=\"ring\"" : item.color == "--none" && hatches ? " class=\"hatch\"" : ""
      let part = shade != nil ? ";--part:\(Format.decimal(MapPicture.opacity * 100))%" : ""
      return "<li><i\(shape) style=\"--color:var(\(item.color))\(part)\"></i>\(HTML.escaped(item.text))</li>"
    }.joined()
  }

  // MARK: The figure

  package func html(title: String, unit: String) -> String {
    let unit = unit + (hour.map { ", \(Format.moment($0))" } ?? "")
    return """
      <figure class="map picture"><figcaption>\(HTML.escaped(title)) <small>\(HTML.escaped(unit))</small></figcaption>
      <svg viewBox="0 0 \(MapPicture.width) \(height)" role="img"><title>\(HTML.escaped("\(title), \(unit)"))</title>\
      \(hatches ? MapPicture.hatchPattern : "")\(layers)\(names)\(scaleBar)</svg>
      <ul class="legend">\(legend)</ul></figure>

      """
  }

  private static let hatchPattern = """
    <defs><pattern id="hatch" width="40" height="40" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
    <path d="M0 0V40" stroke="var(--ink)" stroke-width="9"/></pattern></defs>
    """

  /// A round number of metres, about a fifth of the picture's width, and its length in the picture.
  private var roundLength: (metres: Double, drawn: Int) {
    let metres = Double(MapPicture.width) / scale / 1e7 * Coordinate.metresPerDegree / 5
    let power = pow(10, log10(metres).rounded(.down))
    let round = [5, 2, 1].map { $0 * power }.first { $0 <= metres } ?? power
    return (round, Int(round / Coordinate.metresPerDegree * 1e7 * scale))
  }

  /// The positions of the scale bar and the attribution.
  var notes: [Frame] {
    [
      Frame(x: 150...max(1_200, 350 + roundLength.drawn), y: height - 450...height - 100),
      Frame(x: MapPicture.width - 2_100...MapPicture.width, y: height - 300...height),
    ]
  }

  private var scaleBar: String {
    let (round, length) = roundLength
    let text = round >= 1000 ? "\(Format.decimal(round / 1000)) km" : "\(Format.decimal(round)) m"
    return """
      <path class="line" stroke="var(--ink)" stroke-width="14" d="M250 \(height - 250)v60h\(length)v-60"/>\
      <g transform="translate(\(250 + length / 2) \(height - 290))scale(10)"><text text-anchor="middle">\(text)</text></g>\
      <g transform="translate(\(MapPicture.width - 120) \(height - 120))scale(10)">\
      <text text-anchor="end">© OpenStreetMap contributors</text></g>
      """
  }

  private func ring(_ points: [FixedCoordinate], grain: Int) -> String {
    let box = BoundingBox(around: points)
    let high = (Double(box.maxLatitude) - Double(box.minLatitude)) * scale
    let wide = (Double(box.maxLongitude) - Double(box.minLongitude)) * shrink * scale
    return max(wide, high) < Double(grain) ? "" : path(points, grain: grain) + "z"
  }

  /// Returns a line with points at least `grain` apart; empty if no point is inside the picture.
  private func path(_ points: [FixedCoordinate], grain: Int) -> String {
    let spots = points.map(spot)
    return spots.contains(where: isInside) ? MapPicture.text(of: spots[...], grain: grain) : ""
  }

  /// Returns the path commands through spots that are at least `grain` apart.
  static func text(of spots: ArraySlice<Spot>, grain: Int) -> String {
    guard let first = spots.first else { return "" }
    var path = "M\(first.x) \(first.y)l"
    var (last, isStart) = (first, true)
    for (index, spot) in spots.enumerated().dropFirst() {
      let isNear = abs(spot.x - last.x) < grain && abs(spot.y - last.y) < grain
      guard !isNear || index == spots.count - 1 && isStart else { continue }
      path +=
        "\(isStart || spot.x < last.x ? "" : " ")\(spot.x - last.x)\(spot.y < last.y ? "" : " ")\(spot.y - last.y)"
      (last, isStart) = (spot, false)
    }
    return path
  }

  static func line(_ path: String, color: String, width: Int, opacity: Double = 1) -> String {
    guard !path.isEmpty else { return "" }
    let faint = opacity < 1 ? " stroke-opacity=\"\(opacity)\"" : ""
    return "<path class=\"line\" stroke=\"var(\(color))\" stroke-width=\"\(width)\"\(faint) d=\"\(path)\"/>"
  }
}

/// A rectangle in a picture.
struct Frame {
  var x: ClosedRange<Int>
  var y: ClosedRange<Int>

  func meets(_ other: Frame) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }

  func contains(_ other: Frame) -> Bool {
    x.lowerBound <= other.x.lowerBound && other.x.upperBound <= x.upperBound && y.lowerBound <= other.y.lowerBound
      && other.y.upperBound <= y.upperBound
  }
}

/// The basemap, with as many features as a picture can show: those of low zooms first.
extension MapPicture {
  /// The maximum number of names: more are unreadable.
  private static let maximumNames = 24

  package mutating func draw(_ backdrop: [BackdropRow]) {
    // More features would make the file large and the picture grey.
    let streets = MapPicture.finest(backdrop.filter { $0.layer == "street" && $0.minZoom <= zoom + 1 })
    let scenery = backdrop.filter {
      !["street", "place", "area", "extent", "hills"].contains($0.layer) && $0.minZoom <= zoom
    }
    drawScenery(MapPicture.first(of: scenery, atMost: 120_000))
    drawStreets(MapPicture.first(of: streets, atMost: 240_000))
    // The box of an extent on both sides of the antimeridian surrounds the world.
    for row in backdrop where row.layer == "extent" && !crossesAntimeridian {
      drawEnd(of: BoundingBox(around: row.shapes.joined().joined()))
    }
    write(backdrop.filter { $0.layer == "place" && $0.minZoom <= zoom }.flatMap(\.places))
  }

  /// Returns the most detailed lines of each street class that fit; classes of low zooms first.
  private static func finest(_ streets: [BackdropRow]) -> [BackdropRow] {
    var levels: [String: (first: Int, last: Int)] = [:]
    for row in streets where !row.features.isEmpty {
      let known = levels[row.kind] ?? (row.minZoom, row.minZoom)
      levels[row.kind] = (min(known.first, row.minZoom), max(known.last, row.minZoom))
    }
    return streets.filter { $0.minZoom == levels[$0.kind]?.last }.enumerated()
      .sorted { (levels[$0.1.kind]!.first, $0.0) < (levels[$1.1.kind]!.first, $1.0) }.map(\.element)
  }

  /// Hatches the area beyond the map, with a label if there is room.
  private mutating func drawEnd(of box: BoundingBox) {
    let (least, greatest) = (
      spot(FixedCoordinate(longitude: box.minLongitude, latitude: box.maxLatitude)),
      spot(FixedCoordinate(longitude: box.maxLongitude, latitude: box.minLatitude))
    )
    let (right, bottom) = (view.x.upperBound, view.y.upperBound)
    func within(_ value: Int, _ end: Int) -> Int { min(max(value, 0), end) }
    let (west, east) = (within(least.x, right), within(greatest.x, right))
    let (north, south) = (within(least.y, bottom), within(greatest.y, bottom))
    let strips = [
      Frame(x: 0...right, y: 0...north), Frame(x: 0...right, y: south...bottom), Frame(x: 0...west, y: north...south),
      Frame(x: east...right, y: north...south),
    ].filter { $0.x.count > 1 && $0.y.count > 1 }
    layers += MapPicture.line(strips.map(MapPicture.hatch).joined(), color: "--soft", width: 8, opacity: 0.3)
    guard let widest = strips.max(by: { $0.x.count * $0.y.count < $1.x.count * $1.y.count }),
      widest.x.count > 1000, widest.y.count > 300
    else { return }
    let (x, y) = ((widest.x.lowerBound + widest.x.upperBound) / 2, (widest.y.lowerBound + widest.y.upperBound) / 2)
    names += """
      <g transform="translate(\(x) \(y + 40))scale(10)"><text class="name" text-anchor="middle">edge of the map</text></g>
      """
  }

  /// Returns diagonal lines through a frame, eight pixels apart.
  private static func hatch(_ frame: Frame) -> String {
    let (first, last) = (frame.x.lowerBound + frame.y.lowerBound, frame.x.upperBound + frame.y.upperBound)
    return stride(from: (first / 80 + 1) * 80, to: last, by: 80).map { sum in
      let (from, to) = (
        max(frame.x.lowerBound, sum - frame.y.upperBound), min(frame.x.upperBound, sum - frame.y.lowerBound)
      )
      return "M\(from) \(sum - from)L\(to) \(sum - to)"
    }.joined()
  }

  /// Returns the first rows within a number of bytes; rows of the same class and zoom are used together or not at all.
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

  /// Draws sea, parks, water and railways, in this order.
  private mutating func drawScenery(_ rows: ArraySlice<BackdropRow>) {
    let colors: KeyValuePairs = ["sea": "--water", "park": "--park", "water": "--water", "railway": "--rail"]
    var areas: [String: [String]] = [:]
    var lines: [String: String] = [:]
    for row in rows {
      for shape in row.shapes {
        if row.layer != "railway", shape.first.map(MapPicture.isRing) == true {
          // The smallest islands are reduced to lines, which are omitted.
          let rings = shape.filter(MapPicture.isRing).map(ring).joined()
          if !rings.isEmpty { areas[row.layer, default: []].append(rings) }
        } else {
          lines[row.layer, default: ""] += shape.map(path).joined()
        }
      }
    }
    for (layer, color) in colors {
      if let areas = areas[layer] {
        // Inner rings of an area are holes; with a path for each area, overlapping areas do not become holes.
        let paths = areas.map { "<path d=\"\($0)\"/>" }.joined()
        // Without a stroke, a seam would be visible between adjacent areas.
        let seam = layer == "sea" ? " stroke=\"var(\(color))\" stroke-width=\"10\"" : ""
        layers += "<g class=\"\(layer)\" fill=\"var(\(color))\" fill-rule=\"evenodd\"\(seam)>\(paths)</g>"
      }
      if let path = lines[layer] { layers += MapPicture.line(path, color: color, width: layer == "railway" ? 10 : 24) }
    }
  }

  private mutating func drawStreets(_ rows: ArraySlice<BackdropRow>) {
    let major: Set<String> = ["motorway", "trunk", "primary", "secondary"]
    for (color, width, isMajor) in [("--street", 8, false), ("--major", 16, true)] {
      let lines = rows.filter { major.contains($0.kind) == isMajor }.flatMap { $0.shapes.joined().map(path) }
      layers += MapPicture.line(lines.joined(), color: color, width: width)
    }
  }

  /// Writes the names of places, larger places first, so that they do not overlap each other, the scale, the
  /// attribution or the edge.
  private mutating func write(_ places: [BackdropRow.Place]) {
    var taken = notes
    var count = 0
    for place in places where count < MapPicture.maximumNames {
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

  /// Returns the approximate width of a name in letters of eleven pixels; East Asian characters are as wide as they are
  /// high.
  private static func width(of name: String) -> Int {
    name.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 70 : 120) }
  }

  // MARK: Lines and rings

  private static func isRing(_ line: [FixedCoordinate]) -> Bool { line.count > 3 && line.first == line.last }

  /// The smallest visible distance, in tenths of a pixel.
  private static let grain = 12

  /// Returns a ring; empty if its bounding box is outside the picture. A ring may surround the whole picture.
  private func ring(_ points: [FixedCoordinate]) -> String {
    let spots = points.map(spot)
    let xs = (spots.lazy.map(\.x).min() ?? 0)...(spots.lazy.map(\.x).max() ?? 0)
    let ys = (spots.lazy.map(\.y).min() ?? 0)...(spots.lazy.map(\.y).max() ?? 0)
    guard view.meets(Frame(x: xs, y: ys)) else { return "" }
    let path = MapPicture.text(of: spots.dropLast(), grain: MapPicture.grain)
    return path.isEmpty ? "" : path + "z"
  }

  /// Returns the parts of a line inside the picture, each extended to the adjacent points outside.
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
