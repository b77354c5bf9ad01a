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

extension PageData {
  /// Adds a matrix: its places, summaries of its origins, and the cells of as many origins as a page can hold.
  ///
  /// - Parameter shown: The index of each of the origins among all.
  mutating func add(
    _ cells: ShownCells, origins: [ReportedPlace], destinations: [ReportedPlace],
    _ summaries: [[(mean: Double?, nearest: Double?)]], areOfRows: Bool, areInTable: Bool, hours: [String],
    _ reached: (shares: ReachedShares, unit: String?)?, of shown: [Int]
  ) {
    // If there are too many, the script computes them from the cells.
    let columns = areOfRows && summaries.reduce(0) { $0 + $1.count } > PageData.maximumShares ? [] : summaries
    var members: [(String, String)] = [
      ("origins", PageData.places(origins)), ("destinations", PageData.places(destinations)),
      ("counted", String(destinations.count { $0.status != .outsideCoverage })),
      PageData.column("mean", columns) { PageData.list($0) { PageData.json($0.mean, places: 0) } },
      PageData.column("nearest", columns) { PageData.list($0) { PageData.json($0.nearest, places: 0) } },
      PageData.column("hours", cells.hours) { PageData.json(hours[$0]) },
      PageData.column("rows", cells.rows) { String($0) },
      ("cells", "[\(cells.texts.map { "\"\($0)\"" }.joined(separator: ",\n"))]"),
    ]
    if areOfRows { members.append(("usesCells", "true")) }
    if areInTable { members.append(("hasSummaries", "true")) }
    if cells.areInTable { members.append(("areInTable", "true")) }
    if let note = cells.note {
      let isBare = reached == nil && summaries.allSatisfy(\.isEmpty)
      let more = isBare ? " It has no summaries of origins either, so the map shows only places." : ""
      members.append(("leftOut", PageData.json(note + more)))
    }
    if let reached, reached.shares.shares.count <= PageData.maximumShares {
      members.append(("within", PageData.json(reached, cells, hours.count, of: shown)))
    }
    add("matrix", PageData.object(members))
  }

  /// The maximum number of shares, and of mean times; more are omitted.
  private static let maximumShares = 300_000

  /// Returns the shares within each threshold, in thousandths, by shown hour and origin.
  private static func json(
    _ reached: (shares: ReachedShares, unit: String?), _ cells: ShownCells, _ hours: Int, of origins: [Int]
  ) -> String {
    let (shares, thresholds) = (reached.shares.shares, reached.shares.thresholds)
    let all = max(1, hours)
    let values = list(thresholds.indices) { threshold in
      list(hours == 0 ? [0] : cells.hours) { hour in
        list(origins) { json(shares[($0 * all + hour) * thresholds.count + threshold] * 1000, places: 0) }
      }
    }
    return object([
      column("thresholds", thresholds) { String($0) }, ("unit", json(reached.unit ?? "destinations")),
      ("shares", values),
    ])
  }

  static func places(_ places: [ReportedPlace]) -> String {
    object([
      column("id", places) { json($0.id) },
      column("name", places) { json($0.label) },
      column("ok", places) { $0.status == .ok ? "1" : "0" },
      ("points", json(line: places.map(\.point))),
    ])
  }
}

extension PageData {
  /// The maximum size of the areas' text in bytes: more makes a page too large.
  private static let maximumAreaBytes = 1_500_000

  /// Adds the areas of places, largest thresholds first.
  ///
  /// - Parameter metres: The minimum distance between points of rings; 0 for the smallest at which all fit on a page.
  mutating func add(
    _ areas: [DrawnArea], of places: [ReportedPlace], _ hours: [(number: Int, text: String)], sizes: [ReportedArea],
    gridsAreComplete: Bool, hasBands: Bool, atLeast metres: Double
  ) {
    let indices = Dictionary(places.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let hourIndices = Dictionary(uniqueKeysWithValues: hours.enumerated().map { ($1.number, $0) })
    let (texts, grain) = PageData.texts(
      of: areas.compactMap { area in
        indices[area.place].map { (area, "\($0),\(area.threshold),\(area.departure.flatMap { hourIndices[$0] } ?? 0)") }
      }, grains: metres > 0 ? [metres] : [0, 5, 10, 20], canLeaveOut: !gridsAreComplete)
    let squareMetres = sizes.compactMap { size -> String? in
      guard let place = indices[size.place.id], let hour = size.departure.map({ hourIndices[$0] }) ?? 0 else {
        return nil
      }
      return "[\(place),\(size.threshold),\(hour),\(PageData.json(size.squareMetres, places: 0))]"
    }
    var members: [(String, String)] = [
      ("places", PageData.places(places)), PageData.column("hours", hours) { PageData.json($0.text) },
      ("areas", "[\(texts.joined(separator: ",\n"))]"),
      ("sizes", "[\(squareMetres.joined(separator: ","))]"),
    ]
    if hasBands { members.append(("hasBands", "true")) }
    if texts.count < areas.count {
      let text =
        gridsAreComplete
        ? "Edges of areas are as fine as the grid; table isochrone has the exact ones."
        : "\(Format.count(texts.count, of: areas.count)) areas are on the map; all are in table isochrone."
      members.append(("leftOut", PageData.json(text)))
    } else if grain > 0 {
      let text = "Edges of areas have a point every \(Format.decimal(grain)) m; table isochrone has the exact ones."
      members.append(("leftOut", PageData.json(text)))
    }
    add("isochrones", PageData.object(members))
  }

  /// Returns areas in the script's format, with at most one point every `grain` metres, at the finest grain at which
  /// all of them fit on a page. If they fit at no grain, returns as many as fit, or none if grids are drawn instead.
  private static func texts(
    of areas: [(area: DrawnArea, numbers: String)], grains: [Double], canLeaveOut: Bool
  ) -> (texts: [String], grain: Double) {
    for grain in grains {
      var (texts, bytes): ([String], Int) = ([], 0)
      for (area, numbers) in areas {
        let rings = area.rings.map { PageData.coarsened($0, metres: grain) }.filter { !$0.isEmpty }
        let text = "[\(numbers),\(PageData.json(EncodedPolyline.text(of: rings)))]"
        bytes += text.utf8.count
        guard bytes <= PageData.maximumAreaBytes else { break }
        texts.append(text)
      }
      if texts.count == areas.count || grain == grains.last && canLeaveOut { return (texts, grain) }
    }
    return ([], 0)
  }

  /// Returns a ring without points that are too close to the previous one; empty if less than a triangle remains.
  private static func coarsened(_ ring: [FixedCoordinate], metres: Double) -> [FixedCoordinate] {
    guard metres > 0, !ring.isEmpty else { return ring }
    let kept = coarsened(line: ring, metres: metres)
    return kept.count < 4 ? [] : kept
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
  /// The maximum number of names on a page: if there are more, only the worst origins are listed.
  private static let maximumNames = 20_000

  /// Adds the stations, and the origins with the times to their nearest station at each shown hour and to the next ones
  /// at the hour shown at first.
  ///
  /// - Parameter next: Returns the next stations of listed origins, given by their rows.
  mutating func add(
    _ origins: [AccessOrigin], nearest: [[(seconds: Double?, station: Int?)]],
    next: (_ origins: [Int]) throws -> [Int: [(seconds: Double, row: Int)]], hours: [String], stations: [ReportedPlace],
    services: [Identifier: ReportedService], _ thresholds: [Int], limit: Double?, of measure: String,
    noun: String, unit: String, snapLimit: String, isListed: Bool
  ) rethrows {
    var answers = Interner<Answer>()
    let reason = origins.map { answers.index(of: Answer(status: $0.status, reason: $0.reason?.rawValue)) }
    var listed = isListed ? Array(origins.indices) : []
    if listed.count > PageData.maximumNames {
      let first = nearest[0]
      listed = listed.sorted { (first[$0].seconds ?? .infinity, $1) > (first[$1].seconds ?? .infinity, $0) }
        .prefix(PageData.maximumNames).sorted()
    }
    let indices = Dictionary(uniqueKeysWithValues: stations.enumerated().map { ($1.row, $0) })
    var members: [(String, String)] = [
      ("points", PageData.json(line: origins.map(\.point))),
      // Whole seconds, rounded up: a time within a whole-second threshold stays within it on the page.
      PageData.column("seconds", nearest) { PageData.list($0) { PageData.json($0.seconds?.rounded(.up), places: 0) } },
      PageData.column("nearest", nearest) { PageData.list($0) { String($0.station.flatMap { indices[$0] } ?? -1) } },
      PageData.column("thresholds", thresholds) { String($0) }, ("limit", PageData.json(limit, places: 3)),
      PageData.column("services", stations) { station in
        let service = services[station.id]
        return PageData.list([service?.values[measure] ?? [:], service?.nearest[measure] ?? [:]]) { values in
          PageData.list(thresholds) { PageData.json(values[$0], places: 0) }
        }
      },
      PageData.column("reason", reason) { String($0) },
      PageData.column("reasons", answers.values) {
        PageData.json($0.status.reason(snapLimit: snapLimit, of: $0.reason.flatMap(PlaceReason.init)))
      }, PageData.column("statuses", answers.values) { PageData.json($0.status.rawValue) },
      PageData.column("listed", listed) { String($0) },
      PageData.column("names", listed) { PageData.json(origins[$0].place.label) },
      PageData.column("ids", listed) { PageData.json(origins[$0].place.id) },
      ("hours", PageData.list(hours, PageData.json)), ("stations", PageData.places(stations)),
      ("noun", PageData.json(noun)), ("unit", PageData.json(unit)),
      PageData.column("lines", stations) { station in
        let lines = services[station.id]?.lines ?? []
        return PageData.json(lines.count > 8 ? "\(lines.count) lines" : lines.joined(separator: ", "))
      },
    ]
    if origins.contains(where: { $0.weight != nil }) {
      // Tenths of a small sum would lose it.
      let places = origins.reduce(0) { $0 + ($1.weight ?? 0) } < 100 ? 7 : 1
      members.append(PageData.column("weight", origins) { PageData.json($0.weight ?? 0, places: places) })
    }
    let next = try next(listed.map { origins[$0].row })
    if !next.isEmpty {
      let lists = PageData.list(listed) { origin in
        PageData.list(next[origins[origin].row] ?? []) {
          "[\(indices[$0.row] ?? -1),\(PageData.json($0.seconds.rounded(.up), places: 0))]"
        }
      }
      members.append(("next", lists))
    }
    if isListed, listed.count < origins.count {
      let text =
        "\(Format.count(listed.count, of: origins.count)) origins are listed, those with the longest times; all are on the map."
      members.append(("leftOut", PageData.json(text)))
    }
    add("access", PageData.object(members))
  }
}

extension PageData {
  /// Adds traces, their parts and stops, and the fixes of some traces.
  mutating func add(
    _ traces: [ReportedTrace], _ parts: [ResultsDatabase.DrawnPart], stops: [ResultsDatabase.ReportedStop],
    snapLimit: String
  ) {
    let indices = Dictionary(traces.enumerated().map { ($1.id, $0) }) { first, _ in first }
    add(
      "traces",
      PageData.object([
        PageData.column("id", traces) { PageData.json($0.id) },
        PageData.column("departure", traces) { PageData.json($0.departure) },
        PageData.column("distance", traces) { PageData.json($0.distance, places: 0) },
        PageData.column("moving", traces) { PageData.json($0.movingTime, places: 0) },
        PageData.column("expected", traces) { PageData.json($0.expectedTime, places: 0) },
        PageData.column("ratio", traces) { PageData.json($0.timeRatio, places: 3) },
        PageData.column("fixes", traces) { "[\($0.fixes),\($0.kept),\($0.matched)]" },
        PageData.column("why", traces) { trace in
          PageData.json(trace.status == .ok ? nil : trace.reason ?? trace.status.reason(snapLimit: snapLimit))
        },
        PageData.column("lines", traces) { PageData.json(line: $0.points) },
      ]))
    add(
      "parts",
      PageData.list(parts) { part in
        "[\(indices[part.trace] ?? -1),\(PageData.json(part.beginReason)),\(PageData.json(line: part.points))]"
      })
    add(
      "stops",
      PageData.list(stops) { stop in
        "[\(PageData.json(stop.trace)),\(PageData.json(stop.seconds, places: 0)),\(PageData.json(stop.street)),\(PageData.json(line: [stop.point]))]"
      })
  }

  /// Adds streets with observed speeds by hour.
  mutating func add(_ streets: [ObservedStreet], of count: Int) {
    add(
      "streets",
      PageData.list(streets) { street in
        let hours = PageData.list(street.hours) { "[\($0.hour),\($0.passes),\(PageData.json($0.slowness, places: 2))]" }
        return "[\(PageData.json(street.name)),\(hours),\(PageData.json(line: street.points))]"
      })
    guard streets.count < count else { return }
    let text = "\(Format.count(streets.count, of: count)) streets are on the map, those with the most passes."
    add("leftOutStreets", PageData.json(text))
  }
}

extension PageData {
  /// Adds changed rows, the origins of all changes, their places, and the routes of some rows.
  mutating func add(
    _ rows: [ComparisonDatabase.Row], of count: Int, _ origins: [ChangedOrigin], _ places: [ComparedPlace],
    _ routes: [Int: ChangedRoute]
  ) {
    func index(where isIncluded: (ComparedPlace) -> Bool) -> [String: Int] {
      Dictionary(places.enumerated().filter { isIncluded($1) }.map { ($1.id, $0) }) { first, _ in first }
    }
    let (originIndex, otherIndex) = (index { $0.role == .origin }, index { $0.role != .origin })
    var reasons = Interner<String>()
    let changes = Change.allCases
    func indices(_ values: [Int?]) -> String { PageData.list(values) { String($0 ?? -1) } }
    let located = origins.filter { originIndex[$0.id] != nil }
    var members: [(String, String)] = [
      PageData.column("ids", places) { PageData.json($0.id) },
      PageData.column("names", places) { PageData.json($0.label) },
      ("points", PageData.json(line: places.map(\.point))),
      PageData.column("roles", places) { PageData.json($0.role.rawValue) },
      PageData.column("moves", places) { PageData.json($0.change) },
      ("origins", indices(located.map { originIndex[$0.id] })),
      PageData.column("differences", located) { PageData.json($0.difference, places: 1) },
      PageData.column("before", located) { PageData.json($0.old, places: 1) },
      PageData.column("counts", located) { origin in
        PageData.list(changes.enumerated().filter { origin.counts[$1] != nil }) { number, change in
          "[\(number),\(origin.counts[change]!)]"
        }
      },
      PageData.column("items", rows) { PageData.json($0.item) },
      ("from", indices(rows.map { $0.origin.flatMap { originIndex[$0] } })),
      ("to", indices(rows.map { $0.destination.flatMap { otherIndex[$0] } })),
      PageData.column("change", rows) { String(changes.firstIndex(of: $0.change)!) },
      PageData.column("changes", changes) { PageData.json($0.rawValue.replacing("_", with: " ")) },
      PageData.column("old", rows) { PageData.json($0.old, places: 1) },
      PageData.column("new", rows) { PageData.json($0.new, places: 1) },
      PageData.column("why", rows.map { reasons.index(of: $0.reason ?? "") }) { String($0) },
      PageData.column("reasons", reasons.values) { PageData.json($0) }, ("routes", PageData.json(routes, of: rows)),
    ]
    if rows.count < count {
      let text =
        "\(Format.count(rows.count, of: count)) changed rows are listed, those with the largest changes; "
        + "all origins are on the map."
      members.append(("leftOut", PageData.json(text)))
    }
    add("compare", PageData.object(members))
  }
}

extension PageData {
  /// Adds pairs as columns, with one value per pair and hour, and a note about omitted pairs.
  mutating func add(_ pairs: [ListedPair], of count: Int, hours: [String], snapLimit: String) {
    // There are few distinct reasons, so each is stored once, `ok` first.
    var answers = Interner([Answer(status: .ok)])
    let reason = pairs.map {
      answers.index(of: Answer(status: $0.status, reason: $0.status == .ok ? nil : $0.reason))
    }
    var columns: [(String, String)] = [
      PageData.column("id", pairs) { PageData.json($0.id) },
      PageData.column("from", pairs) { PageData.json($0.origin.label) },
      PageData.column("to", pairs) { PageData.json($0.destination.label) },
      PageData.column("time", pairs) { PageData.json($0.time, places: 3) },
      PageData.column("distance", pairs) { PageData.json($0.distance, places: 2) },
      PageData.column("detour", pairs) { PageData.json($0.detour, places: 5) },
      PageData.column("reason", reason) { String($0) },
      PageData.column("reasons", answers.values) {
        PageData.json($0.status.reason(snapLimit: snapLimit, route: $0.reason))
      },
      PageData.column("statuses", answers.values) {
        "[\(PageData.json($0.status.rawValue)),\(PageData.json($0.reason))]"
      },
      ("ends", PageData.json(line: pairs.flatMap { [$0.origin.point ?? .nowhere, $0.destination.point ?? .nowhere] })),
    ]
    if pairs.contains(where: { $0.leg > 1 }) { columns.append(PageData.column("leg", pairs) { String($0.leg) }) }
    if pairs.contains(where: { $0.departure != nil }) {
      columns.append(PageData.column("departure", pairs) { PageData.json($0.departure) })
    }
    // With arrivals, and for later legs, departures differ from the hours of the job.
    let numbers = pairs.compactMap(\.hour)
    if hours.count > 1, numbers.count == pairs.count {
      columns.append(PageData.column("hours", hours) { PageData.json($0) })
      columns.append(PageData.column("hour", numbers) { String($0 - 1) })
    }
    let listed = hours.count > 1 ? Set(pairs.map(\.id)).count : pairs.count
    if listed < count {
      let text =
        "\(Format.count(listed, of: count)) pairs are listed: those without an answer or with the longest travel "
        + "times, and an even sample of all; all are in table route."
      columns.append(("leftOut", PageData.json(text)))
    }
    add("pairs", PageData.object(columns))
  }

  mutating func add(_ routes: [DrawnRoute], of pairs: [ListedPair]) {
    let indices = Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($1.row, $0) })
    var (entries, start): ([String], Int) = ([], 0)
    while start < routes.count {
      let end = routes[start...].firstIndex { $0.row != routes[start].row } ?? routes.count
      if let index = indices[routes[start].row] {
        entries.append("{\"row\":\(index),\"routes\":\(PageData.list(routes[start..<end], PageData.json))}")
      }
      start = end
    }
    add("routes", "[\(entries.joined(separator: ",\n"))]")
  }

  /// Returns a route for an embedded map, which has no card: with its line and, if the line is exact, its rides.
  static func embedded(_ route: DrawnRoute, metres: Double) -> DrawnRoute {
    var route = route
    (route.points, route.heights) = (coarsened(line: route.points, metres: metres), nil)
    route.steps.removeAll { metres > 0 || $0.ride == nil }
    return route
  }

  private static func json(_ route: DrawnRoute) -> String {
    let climbs = route.heights.map { heights in
      [
        ("heights", heights.text), ("ascent", json(route.ascent, places: 1)),
        ("descent", json(route.descent, places: 1)),
      ]
    }
    return object(
      [
        ("line", json(line: route.points)), ("time", json(route.time, places: 3)),
        ("distance", json(route.distance, places: 2)), ("name", json(route.name)), ("notices", json(route.notices)),
        column("steps", route.steps) { step in
          "[\(json(step.instructions)),\(json(step.notice)),\(json(step.distance, places: 2)),"
            + "\(json(step.time, places: 3)),\(step.points.lowerBound),\(step.points.upperBound),"
            + json(step.maneuver)
            + (step.ride.map { ",[\(json($0.line)),\(json($0.color)),\(json($0.textColor))]]" } ?? "]")
        },
      ] + (climbs ?? []))
  }
}

/// Why a row has no answer, in the database's words.
private struct Answer: Hashable {
  var status: RowStatus
  var reason: String?
}

extension FixedCoordinate {
  /// The coordinates of places whose position is unknown.
  fileprivate static let nowhere = FixedCoordinate(longitude: 0, latitude: 0)
}
