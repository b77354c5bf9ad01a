import Foundation
import Geography
import Jobs
import OpeningHours
import Tables

/// The report page of a results database: a map, charts, tables, and the provenance of all data.
///
///     try Report(of: "reports/helsinki/results.sqlite").write(to: "reports/helsinki/report.html")
///
/// The page is a self-contained file, identical for identical results. The duration and speed of a run are only in
/// table `job`.
package struct Report {
  /// The URL template of map tiles: "https://tiles.example.org/{z}/{x}/{y}.png"; nil for none.
  package var tiles: String?
  /// The number of threads that read rows.
  package var workers = 1
  /// Whether this is only a map, to embed in another page. The picture and the tables are left out, since they would be
  /// computed again at each reduction.
  private(set) var isEmbedded = false
  /// The ratio of the picture's width to its height on a card, which has nothing but the picture; nil on pages.
  var aspect: Double?
  /// The data that an embedded map leaves out: 0 for none; 1 for the data that it never shows; a larger number n for
  /// all rows except every nth.
  private var reduction = 0
  let database: ResultsDatabase
  /// The basemap, for the picture.
  private(set) var backdrop: [BackdropRow]
  let placeSurvey: PlaceSurvey
  let identity: Entries<IdentityKey>

  /// Opens the results. *Throws*: `ResultsError` if this is not a finished results database.
  package init(of path: String) throws {
    database = try ResultsDatabase(path: path, checksRows: true)
    identity = database.record.identity
    backdrop = try database.backdrop()
    placeSurvey = try database.placeSurvey()
  }

  /// Writes the page atomically. *Throws*: `ResultsError`.
  package func write(to path: String) throws { try Page.write(html(), to: path) }

  func content() throws -> Content {
    var content =
      switch database.kind {
      case .routes, .etas: try trips()
      case .matrix: try matrix()
      case .access: try access()
      case .isochrones: try isochrones()
      case .traces: try traces()
      }
    if let picture = outsideMap { (content.map, content.data) = (picture, nil) }
    return content
  }

  /// Writes a page with only the map, its headline and its legend, for embedding in a frame of another page. *Throws*:
  /// `ResultsError`.
  package func writeEmbedded(to path: String) throws {
    var report = self
    (report.isEmbedded, report.backdrop) = (true, backdrop.filter { $0.layer == "extent" })
    while true {
      let reduction = report.reduction
      var page = try report.embeddedPage()
      let bytes = page.data?.json.utf8.count ?? 0
      let rest = Report.maximumEmbeddedBytes - page.html.utf8.count
      let most = max(1, bytes + rest - Report.minimumBasemapBytes)
      if page.data == nil || rest >= Report.minimumBasemapBytes || reduction > 1_000_000 {
        page.data?.embed(backdrop.filter { !report.isReduced || $0.layer != "area" }, atMost: rest)
        return try Page.write(page.html, to: path)
      }
      // The exponent avoids leaving out too much: some data becomes smaller with the square of the reduction.
      report.reduction = max(
        reduction + 1 + reduction / 8, Int(Double(reduction) * pow(Double(bytes) / Double(most), 0.9)))
    }
  }

  private func embeddedPage() throws -> Page {
    var content = try content()
    content.data?.add("isEmbedded", "true")
    if let drawn = content.drawn { content.data?.add("drawn", PageData.json(drawn)) }
    content.data?.tiles = tiles
    let heading = identity.text(.title) ?? content.title
    return Page(
      title: "\(heading): \(mapName)", heading: heading, headline: try database.headline, subtitle: content.subtitle,
      // Without data there is no script, which would hide the line.
      missing: content.data == nil ? (try database.missing, 1) : ("", 0),
      map: content.data == nil ? content.map : Report.placeholder + "<noscript>The map needs JavaScript.</noscript>\n",
      figures: [], content: "", version: identity[.version] ?? "", data: content.data)
  }

  /// The maximum size of a map to embed, and the part of it that is reserved for its basemap, in bytes.
  private static let (maximumEmbeddedBytes, minimumBasemapBytes) = (395_000, 55_000)

  /// Whether this is a map to embed that leaves out data.
  var isReduced: Bool { reduction > 0 }

  /// The number of rows of a whole page per row of this one.
  var thinning: Int { max(1, reduction) }
  /// The distance in metres between points of lines; 0 for exact lines.
  var lineGrain: Double { 10 * Double(reduction) }

  /// Returns all rows, or an even sample of them if the map to embed is too large with all.
  func thinned<Row>(_ rows: [Row]) -> [Row] { stride(from: 0, to: rows.count, by: thinning).map { rows[$0] } }

  static let placeholder = "<div class=\"explorer\" hidden></div>\n"

  package func html() throws -> String {
    var content = try content()
    content.data?.add(backdrop)
    content.data?.tiles = tiles
    let parts =
      try timetable() + HTML.section("Distributions", charts(content)) + HTML.section("In numbers", statistics())
      + HTML.folded("Speeds", speeds()) + content.tables
      + HTML.folded("Missing", problemList() + missingTable() + rejected(), id: "missing")
      + HTML.folded("Places", placeTable()) + provenance()
    let counts = try database.statusCounts()
    let (all, answered) = (counts.total, counts.ok)
    let heading = identity.text(.title) ?? content.title
    return Page(
      title: "\(heading): \(mapName)", heading: heading, headline: try database.headline,
      subtitle: content.subtitle + (try mapDetails),
      missing: (try database.missing, all > 0 ? Double(all - answered) / Double(all) : 0), map: mapHTML(content),
      figures: try keyFigures(content, answered, of: all), content: parts, version: identity[.version] ?? "",
      data: content.data
    ).html
  }

  /// The content of a page that depends on the job's kind.
  struct Content {
    var title: String
    var subtitle: String
    /// Key figures at the top: numbers and labels.
    var figures: [(value: String, text: String)] = []
    var map = ""
    /// The data for the script that replaces the static map; nil if the static map stays.
    var data: PageData?
    /// The part of the rows that a map to embed shows: "500 of 20,000 trips"; nil if it shows all.
    var drawn: String?
    /// Charts that precede the histograms.
    var charts: [String] = []
    var tables = ""
    /// The noun for the rows counted in histograms.
    var rows: String
    /// The predicate for rows with a result: "have a route".
    var answered = "have a route"
  }

  /// Returns the static map, preceded by a placeholder for the script's map if the page has data for it.
  func mapHTML(_ content: Content) -> String { content.data == nil ? content.map : Report.placeholder + content.map }

  /// A map of the boxes of the extract and of the places, if no place is on a street (no origin, in an access job); nil
  /// otherwise.
  private var outsideMap: String? {
    guard placeSurvey.roles.allSatisfy({ $0.ok == 0 || $0.role == .station }), !placeSurvey.missing.isEmpty,
      let extent = backdrop.first(where: { $0.layer == "extent" })
    else { return nil }
    let rings = [extent.shapes.flatMap { $0.joined() }, placeSurvey.missing].map { BoundingBox(around: $0).ring }
    guard var picture = MapPicture(around: rings.flatMap(\.self), aspect: aspect) else { return nil }
    for (ring, color) in zip(rings, ["--accent", "--alert"]) { picture.draw([ring], color: color, width: 40) }
    picture.explain([("--accent", "map \(mapName)"), ("--alert", "places of the job")])
    let places = placeSurvey.roles.contains { $0.role == .station } ? "origins" : "places"
    return picture.html(title: "Map and places", unit: "none of the \(places) is on a street")
  }

  /// Returns the data of the script's map, with the hour or percentile that it shows at first, like the static map.
  func pageData(_ box: BoundingBox, scripts: [String]) throws -> PageData {
    var data = PageData(kind: database.kind.rawValue, box: box, scripts: scripts)
    if let initial = try database.rowAxis().initial { data.add("initial", PageData.json(initial.text)) }
    return data
  }

  /// Returns a map around the places on a street; nil if there are none.
  func picture(of places: [ReportedPlace]) -> MapPicture? {
    MapPicture(around: places.filter { $0.status == .ok }.map(\.point), aspect: aspect)
  }

  // MARK: All kinds

  var mapName: String { Format.isolated(((identity[.map] ?? "") as NSString).lastPathComponent) }
  var travelling: String { database.record.travelling }
  /// The date of the map, the date of the trips, and the number of tags about wheelchair access in the map.
  private var mapDetails: String {
    get throws {
      let moment = try database.moment
      return (identity.text(.mapDate).map { " of \(Format.day($0))" } ?? "") + (moment.map { "; trips \($0)" } ?? "")
        + (identity.text(.accessibility).map { "; the map has \($0)" } ?? "")
    }
  }
  var snapLimit: String { Format.length(identity.number(.snapLimit) ?? 0) }
  /// The thresholds in seconds, ascending.
  var thresholds: [Int] { identity.integers(.thresholds) }
  var lastThreshold: Int { thresholds.last ?? 0 }

  func file(_ key: IdentityKey) -> String {
    let path = identity[key] ?? ""
    return path.hasPrefix("osm:")
      ? "the map's \(path.dropFirst(4))" : Format.isolated((path as NSString).lastPathComponent)
  }

  private func keyFigures(_ content: Content, _ answered: Int, of all: Int) throws -> [(value: String, text: String)] {
    let axis = try database.rowAxis()
    let each = axis.count > 1 ? "(once for each of \(axis.count) \(axis.unit)) " : ""
    let waits = try database.typicalLongWaits
    let limit = "wait longer than \(LongWait.seconds / 60) minutes\(try database.percentileWords)"
    let waiting = waits > 0 ? [(Format.count(waits), limit)] : []
    let (verb, rest) = (content.answered.prefix { $0 != " " }, content.answered.drop { $0 != " " })
    // Unlike histograms, statuses count the cells from a place to itself.
    let noun = database.kind == .matrix ? "cells" : content.rows
    let (rows, answer) =
      all == 1
      ? (String(noun.dropLast()), (["have": "has", "are": "is"][verb] ?? verb) + rest)
      : (noun, content.answered[...])
    return [(Format.count(answered), "of \(Format.count(all)) \(rows) \(each)\(answer)")] + content.figures + waiting
  }

  /// Returns key figures of trips, or of cells of a matrix.
  func tripFigures() throws -> [(value: String, text: String)] {
    let statistics = try database.typicalStatistics().filter { $0.scope == "job" }
    guard let times = statistics.first(where: { $0.measure == .expectedTravelTime }) else { return [] }
    // In jobs of kind `etas` with transit, only walking trips have distances.
    let distances = statistics.first { $0.measure == .distance && $0.count == times.count }
    let whole = try database.hasLegs ? " of a trip with all its legs" : ""
    return [
      (Format.duration(times.quantiles[3]), "typical travel time\(whole)\(try database.percentileWords)"),
      (Format.duration(times.quantiles[5]), "19 in 20 take no longer"),
    ] + (distances.map { [(Format.length($0.quantiles[3]), "typical distance")] } ?? [])
  }

  /// Returns a note such as "100 of 2345, all in table route"; only the table if all rows are shown.
  func rowNote(_ shown: Int, _ count: Int, _ table: String) -> String {
    shown < count ? "\(Format.count(shown, of: count)), all in \(table)" : table
  }

  /// Returns the provenance of the results, without the run's duration and speed, so that identical results have
  /// identical pages.
  private func provenance() -> String {
    let run = database.record.run.entries.filter { $0.key == RunKey.jobFile.rawValue }
    // The page shows the counts by status in words.
    let figures = database.record.figures.entries.filter { !FigureKey.isCount($0.key) }
    var shown = (database.record.identity.entries + figures + run).sorted { $0.key < $1.key }
    // Table rejected also lists rows of feeds, whose rejection loses no pair or place.
    if shown.contains(where: { $0.key == "gtfs" }), let index = shown.firstIndex(where: { $0.key == "rejected" }) {
      shown[index].key = "rejected (without rows of feeds)"
    }
    return HTML.folded("How it was computed", HTML.list(shown))
  }

  func cell(_ place: NamedPlace?) -> ReportTable.Cell {
    guard let place else { return .text("–") }
    return .link(place.label, place.point.map(HTML.link))
  }
}

/// No place is dropped silently: places off the map, far from a street or unreachable are counted and listed.
extension Report {
  /// Returns the list of place problems: counts, with their shares of all places and of those on the map; empty if
  /// there are none.
  private func problemList() throws -> String {
    let items = try PlaceProblems.lines(of: database, placeSurvey).map { "<li>\(HTML.escaped($0))</li>" }
    return items.isEmpty ? "" : "<ul class=\"problems\">\(items.joined())</ul>\n"
  }

  /// The name of the weight columns of the input, for tables.
  var weightName: String {
    let columns = [WeightOwner.origin, .destination].compactMap { database.record.figures.text(.weight(of: $0)) }
    return Set(columns).count == 1 ? columns[0] : "weight"
  }

  func missingTable() throws -> String {
    let problems = try database.problemPlaces(of: placeSurvey)
    let hasWeights = problems.contains { $0.weight != nil }
    return ReportTable(
      "Places outside the map, far from a street or unreachable",
      note: rowNote(problems.count, placeSurvey.problemCount, "table place"),
      heads: ["place", "role", "why", "#to its street, m"] + (hasWeights ? ["#\(weightName)"] : []),
      rows: problems.map { problem in
        [
          cell(problem.place), .text(problem.role.rawValue), .text(problem.reason.words(snapLimit: snapLimit)),
          .number(problem.snapDistance),
        ] + (hasWeights ? [.number(problem.weight)] : [])
      }
    ).html
  }
}

extension Report {
  /// Returns the section about street speeds, for jobs with speeds or traffic.
  func speeds() throws -> String {
    guard let tables = try database.speedTables() else { return "" }
    return slownessPicture(tables.hours)
      + (tables.sources.isEmpty ? "" : classTable(tables.classes) + sourceTable(tables))
  }

  private func classTable(_ classes: [SpeedTables.ClassRow]) -> String {
    let (all, known) = (classes.reduce(0) { $0 + $1.distance }, classes.reduce(0) { $0 + $1.distanceWithData })
    return ReportTable(
      "Streets with speeds from a file: \(Format.percent(all > 0 ? known / all : 0)) of all kilometres",
      note: "table speed_class; other streets have the slowness of their class",
      heads: ["class", "#km in each direction", "#with speeds, km", "#share"],
      rows: classes.map { row in
        [
          .text(row.roadClass), .number(row.distance / 1000, places: 1),
          .number(row.distanceWithData / 1000, places: 1),
          .number(row.distance > 0 ? row.distanceWithData / row.distance : nil) { Format.percent($0) },
        ]
      }
    ).html
  }

  private func sourceTable(_ tables: SpeedTables) -> String {
    ReportTable(
      "Speed files", note: "table speed_source",
      heads: [
        "file", "format", "#rows", "#malformed", "#on the map", "#in part", "#not on the map", "#not open",
        "#duplicate", "#implausible", "for example",
      ],
      rows: tables.sources.map { source in
        let numbers = [
          source.rows, source.malformed, source.matched, source.partlyMatched, source.unmatched, source.notOpen,
          source.duplicate, source.implausible,
        ]
        let examples = [source.firstMalformed, source.firstUnmatched, source.firstImplausible].compactMap(\.first)
        return [.text((source.file as NSString).lastPathComponent), .text(source.format)]
          + numbers.map { .count($0) } + [.text(examples.joined(separator: "; "))]
      }
    ).html
  }
}

/// The hours of a job.
extension Report {
  /// The maximum number of hours shown on maps, and of points on all these maps together.
  private static let (maximumHours, maximumPoints) = (48, 150_000)

  /// Returns the indices of the hours shown on maps, evenly spaced.
  func shownHours(of axis: RowAxis, points: Int) -> [Int] {
    axis.evenlySpacedIndices(
      atMost: max(2, min(Report.maximumHours, Report.maximumPoints / max(1, points)) / thinning))
  }

  /// Returns "07:30" as 7.5.
  static func hourOfDay(_ time: String) -> Double {
    let parts = time.split(separator: ":").compactMap { Double($0) }
    return zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
  }
}

/// The timetables of a transit job: stops off the map, departures by hour, and figures for each feed.
extension Report {
  /// Returns the section about timetables; empty unless the job uses transit.
  func timetable() throws -> String {
    let feeds = try database.feeds()
    guard !feeds.isEmpty else { return "" }
    return HTML.section("Timetable", try timetableNotes(feeds) + (try departureChart()) + feedTable(feeds))
  }

  private func timetableNotes(_ feeds: [ReportedFeed]) throws -> String {
    let idle = try database.idleFeeds().map(\.file)
    let notes = feeds.flatMap { feed in
      let name = HTML.escaped(Format.isolated(feed.fileName))
      func note(_ count: Int, _ text: String) -> String? { count > 0 ? "<li>\(name): \(text)</li>" : nil }
      func be(_ count: Int) -> String { count == 1 ? "is" : "are" }
      return [
        note(
          feed.stopsOffMap,
          "\(Format.count(feed.stopsOffMap)) of \(Format.count(feed.stopsUsed)) stops \(be(feed.stopsOffMap)) outside the map or without a "
            + "street nearby; riders can only transfer there"),
        note(idle.contains(feed.file) ? 1 : 0, "no vehicle leaves during the job's hours"),
        note(
          feed.interpolatedTimes,
          "\(Format.count(feed.interpolatedTimes, "blank stop time")) \(be(feed.interpolatedTimes)) interpolated"),
        note(
          feed.rejectedRows,
          "\(Format.count(feed.rejectedRows, "row")) \(be(feed.rejectedRows)) rejected (table rejected)"),
      ].compactMap(\.self)
    }
    return notes.isEmpty ? "" : "<ul class=\"problems\">\(notes.joined())</ul>\n"
  }

  /// Returns a chart with one bar per hour that marks the job's first and last departures or arrivals.
  private func departureChart() throws -> String {
    let departures = try database.departures()
    let hours = departures.map { Report.hourOfDay($0.time) }
    let what = departures.first?.departure == nil ? "arrival" : "departure"
    let chart = Chart(
      try database.serviceHours(), title: "Departures of vehicles from stops by hour",
      unit: hours.isEmpty ? "on the date of the earliest pair" : "lines: the job's first and last \(what)",
      marks: [hours.min(), hours.max()].compactMap(\.self))
    return "<div class=\"charts\">\(chart.html)</div>\n"
  }

  private func feedTable(_ feeds: [ReportedFeed]) -> String {
    ReportTable(
      "Feeds", note: "table feed",
      heads: [
        "feed", "publisher", "first day", "last day", "time zone", "#trips that day", "#usually", "#stops used",
        "#of them without a street", "#departures during the job's hours",
      ],
      rows: feeds.map { feed in
        let numbers = [feed.tripsThatRun, feed.usualTrips, feed.stopsUsed, feed.stopsOffMap, feed.departures]
        return [
          .text(feed.fileName), .text(feed.publisher), .text(feed.days.first),
          .text(feed.days.last), .text(feed.timeZone),
        ] + numbers.map { .count($0) }
      }
    ).html
  }
}

/// The slowness of street classes over the week: one row per class, one cell per hour.
extension Report {
  /// Returns the picture; empty if there are no rows.
  private func slownessPicture(_ rows: [SpeedTables.HourRow]) -> String {
    var classes: [String] = []
    for row in rows where classes.last != row.roadClass { classes.append(row.roadClass) }
    guard !classes.isEmpty else { return "" }
    let (left, top, height, hour) = (84.0, 4.0, 18.0, 4.0)
    let scale = ColorScale(breaks: [1.05, 1.25, 1.5, 2, 3])
    let bottom = top + Double(classes.count) * height
    var drawing = ""
    for (index, name) in classes.enumerated() {
      let y = top + Double(index) * height
      let hours = rows.filter { $0.roadClass == name }
      for shade in 0...scale.breaks.count {
        let cells = hours.filter { scale.shade(of: $0.slowness) == shade }.map { row in
          "M\(Chart.short(left + Double(row.hourOfWeek) * hour)) \(Chart.short(y))h\(Chart.short(hour))"
            + "v\(Chart.short(height - 2))h\(Chart.short(-hour))z"
        }
        if !cells.isEmpty { drawing += "<path fill=\"var(--c\(shade))\" d=\"\(cells.joined())\"/>" }
      }
      drawing += Chart.text(name, left - 6, y + height - 6, anchor: "end")
    }
    let day = 24 * hour
    for (index, name) in Weekday.names.enumerated() {
      let x = left + Double(index) * day
      drawing += "<path class=\"axis\" d=\"M\(Chart.short(x)) \(Chart.short(top))V\(Chart.short(bottom + 4))\"/>"
      drawing += Chart.text(name, x + day / 2, bottom + 14)
    }
    let items = scale.legend { Format.decimal($0, 2) }.map { color, text in
      "<li><i style=\"background:var(\(color))\"></i>\(text)</li>"
    }
    return Chart.figure(
      title: "Slowness by road class and hour", unit: "travel time / free-flow time; each day from 0 to 24 h", drawing,
      after: "<ul class=\"legend\">\(items.joined())</ul>", size: (left + 7 * day + 4, bottom + 18))
  }
}
