import Geography
import Jobs
import Tables

/// The data of a page's script: the members of a JSON object, and the names of the required script files.
struct PageData {
  /// The names of script files of `Page`, without ".js", in addition to those of all maps.
  var scripts: [String]
  /// The names of members and their values as JSON, in page order.
  var members: [(name: String, json: String)]

  /// The URL template of a tile server, if any.
  var tiles: String? { didSet { if let tiles { members.append(("tiles", PageData.json(tiles))) } } }

  /// - Parameter box: The initial view of the map.
  init(kind: String, box: BoundingBox, scripts: [String]) {
    self.scripts = scripts
    let least = FixedCoordinate(longitude: box.minLongitude, latitude: box.minLatitude).coordinate
    let greatest = FixedCoordinate(longitude: box.maxLongitude, latitude: box.maxLatitude).coordinate
    members = [
      ("kind", PageData.json(kind)),
      ("box", "[\(least.latitude),\(least.longitude),\(greatest.latitude),\(greatest.longitude)]"),
    ]
  }

  mutating func add(_ name: String, _ json: String) { members.append((name, json)) }

  /// The JSON, escaped for use in an HTML element: it has no "<", which could end the element.
  var json: String { PageData.object(members.map { ($0.name, PageData.escaped($0.json)) }) }

  private static func escaped(_ text: String) -> String {
    // Most strings contain no "<", and some are megabytes long.
    let less = UInt8(ascii: "<")
    guard text.utf8.withContiguousStorageIfAvailable({ $0.contains(less) }) ?? true else { return text }
    return text.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).map { Substring($0) }
      .joined(separator: "\\u003c")
  }

  // MARK: JSON

  /// Returns a string as JSON; null for nil.
  static func json(_ text: String?) -> String {
    guard let text else { return "null" }
    // Most strings need no escaping.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return "\"\(text)\""
    }
    var buffer = TextBuffer(capacity: text.utf8.count + 16)
    buffer.append(jsonString: text)
    return buffer.string()
  }

  /// Returns an id as in the database: a number or a string.
  static func json(_ id: Identifier) -> String {
    switch id {
    case .number(let number): String(number)
    case .text(let text): json(text)
    }
  }

  /// Returns a number with a maximum number of decimals; null for nil and for non-finite numbers.
  static func json(_ value: Double?, places: Int) -> String {
    let powers = [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000]
    guard let value, let scaled = Int64(exactly: (value * powers[places]).rounded()) else { return "null" }
    var buffer = TextBuffer(capacity: 32)
    buffer.append(decimal: scaled, places: places)
    return buffer.string()
  }

  static func json(line points: [FixedCoordinate]) -> String { json(EncodedPolyline.text(of: [points])) }

  static func list<Items: Sequence>(_ items: Items, _ json: (Items.Element) -> String) -> String {
    "[\(items.map(json).joined(separator: ","))]"
  }

  /// Returns a member whose value is a list with one value per item.
  static func column<Items: Sequence>(
    _ name: String, _ items: Items, _ json: (Items.Element) -> String
  ) -> (String, String) { (name, list(items, json)) }

  static func object(_ members: [(name: String, json: String)]) -> String {
    var text = "{"
    text.reserveCapacity(members.reduce(2) { $0 + $1.name.utf8.count + $1.json.utf8.count + 4 })
    for (index, member) in members.enumerated() {
      text += index > 0 ? "," : ""
      text += json(member.name)
      text += ":"
      text += member.json
    }
    return text + "}"
  }

  static func places(_ places: [ReportedPlace]) -> String {
    object([
      column("id", places) { json($0.id) },
      column("name", places) { json($0.label) },
      column("ok", places) { $0.status == .ok ? "1" : "0" },
      ("points", json(line: places.map(\.point))),
    ])
  }

  /// Returns a line without points that are too close to the previous one, except its ends.
  static func coarsened(line: [FixedCoordinate], metres: Double) -> [FixedCoordinate] {
    guard metres > 0, let first = line.first, let last = line.last else { return line }
    var kept = [first]
    for point in line.dropFirst().dropLast() where point.distance(to: kept[kept.count - 1]) >= metres {
      kept.append(point)
    }
    return kept + [last]
  }
}

extension PageData {
  /// Adds the basemap: the rows' texts unchanged, and the names of omitted street classes.
  mutating func add(_ backdrop: [BackdropRow]) {
    let rows = backdrop.filter { !$0.features.isEmpty }.map { row in
      "[\"\(row.layer)\",\"\(row.kind)\",\(row.minZoom),[\(row.features)]]"
    }
    add("backdrop", "[\(rows.joined(separator: ",\n"))]")
    let leftOut = backdrop.filter(\.features.isEmpty).map { PageData.words[$0.kind] ?? $0.kind }
    guard !leftOut.isEmpty else { return }
    add("leftOut", PageData.json("Left out of the map to limit its size: \(leftOut.joined(separator: ", "))."))
  }

  /// Adds the part of the basemap with the lowest zoom levels. Rows of one class and level are added together: a page
  /// draws only the finest lines of a class, which would end at the edges of tiles. Of each class of streets, only the
  /// lowest accurate level is added: the simplified streets of lower levels would not coincide with the results.
  mutating func embed(_ backdrop: [BackdropRow], atMost bytes: Int) {
    var rest = min(bytes, PageData.maximumBasemapBytes)
    let classes = Dictionary(grouping: backdrop.filter { !$0.features.isEmpty }) { row in
      "\(row.layer) \(row.kind)\(row.layer == "street" ? "" : " \(row.minZoom)")"
    }
    let levels = classes.map { name, rows in
      let zooms = rows.map(\.minZoom)
      let (first, shown) = (zooms.min()!, zooms.filter { $0 >= PageData.minimumAccurateZoom }.min() ?? zooms.max()!)
      let isStreets = rows[0].layer == "street"
      return (name: name, zoom: first, rows: isStreets ? rows.filter { $0.minZoom == shown } : rows)
    }
    let kept = levels.sorted { ($0.zoom, $0.name) < ($1.zoom, $1.name) }.flatMap { level -> [BackdropRow] in
      // 60 bytes is the maximum that `add` puts around a row.
      let bytes = level.rows.reduce(0) { $0 + $1.features.utf8.count + 60 }
      guard bytes <= rest else { return [] }
      rest -= bytes
      return level.rows.map { row in
        var row = row
        row.minZoom = level.zoom
        return row
      }
    }
    add(kept)
  }

  /// The lowest level at which streets are nowhere more than 25 m off.
  private static let minimumAccurateZoom = 9
  private static let maximumBasemapBytes = 100_000

  /// Display names of street classes.
  private static let words = [
    "motorway": "motorways", "trunk": "trunk roads", "primary": "primary roads", "secondary": "secondary roads",
    "tertiary": "tertiary roads", "street": "residential streets", "livingStreet": "living streets",
    "service": "service roads", "track": "tracks", "path": "paths", "other": "ferries and other connections",
    "origin": "the polygons of origins", "detail": "details of larger roads far from the centre",
  ]
}

/// The status of a row and the reason for a missing answer, in the database's words.
struct Answer: Hashable {
  var status: RowStatus
  var reason: String?
}
