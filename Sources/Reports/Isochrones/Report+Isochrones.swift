import Foundation
import Geography
import Jobs
import Tables

extension Report {
  func isochrones() throws -> Content {
    let each = identity.text(.noun).map { "each of the \($0)" } ?? "each place"
    let word = identity.leadsToPlaces ? "Areas from which \(each) can be reached" : "Areas reachable from \(each)"
    var content = Content(
      title: "\(word) \(travelling)", subtitle: "\(file(.origins)) on \(mapName)", rows: "areas", answered: "are drawn")
    try addMap(to: &content)
    if isEmbedded || aspect != nil { return content }
    let words = try database.percentileWords
    for statistic in try database.typicalStatistics().sorted(by: { $0.quantiles[3] < $1.quantiles[3] }) {
      guard let threshold = statistic.scope.split(separator: ":").last.flatMap({ Int($0) }) else { continue }
      content.figures.append(
        (Format.area(statistic.quantiles[3]), "typical area \(database.record.reach(threshold))\(words)"))
    }
    content.tables = HTML.folded("Smallest areas, and \(database.record.noun) without an area", try areaTable())
    return content
  }

  /// Adds the static map, and the data for the script that replaces it.
  private func addMap(to content: inout Content) throws {
    let axis = try database.rowAxis()
    let departures = axis.asDepartures
    // The script's map shows all areas, at as many hours as fit on the page.
    let all = try database.drawnAreas()
    let hours = shownHours(of: axis, points: all.count * 50 / max(1, departures.count))
    let areas = departures.isEmpty ? all : all.filter { area in area.departure.map { hours.contains($0 - 1) } ?? false }
    let places = try database.places()
    let shown = Array(areas.prefix(Report.maximumAreas))
    let corners = places.filter { $0.status == .ok }.map(\.point) + shown.flatMap { $0.rings.joined() }
    guard var picture = MapPicture(around: corners, aspect: aspect) else { return }
    picture.draw(backdrop)
    // Limits the number of points in the picture, since each takes a few bytes.
    let points = shown.reduce(0) { $0 + $1.rings.reduce(0) { $0 + $1.count } }
    let grain = points < 200_000 ? 25 : points < 800_000 ? 60 : 100
    if !isEmbedded {
      let drawn = departures.isEmpty ? all : all.filter { $0.departure == axis.initial?.number }
      picture.draw(drawn.prefix(Report.maximumAreas).map { ($0.rings, shade(of: $0.threshold)) }, grain: grain)
    }
    picture.hour = axis.initial?.text
    picture.draw(places.filter { $0.status != .ok }.map { ($0.point, nil) })
    picture.mark(places.filter { $0.status == .ok }.map { ($0.point, $0.label) })
    // Of whole areas that share a colour, only the largest shows.
    let distinct = thresholds.enumerated().filter { index, threshold in
      database.record.hasBands || index + 1 == thresholds.count
        || shade(of: thresholds[index + 1]) != shade(of: threshold)
    }
    picture.explain(distinct.map { ("--c\(shade(of: $1))", database.record.reach($1)) })
    picture.explain([("--station", database.record.noun)])
    if places.contains(where: { $0.status != .ok }) {
      picture.explain([("--none", "\(database.record.noun) without an area")])
    }
    let note = shown.count < areas.count ? ", \(Format.count(shown.count, of: areas.count)) drawn" : ""
    content.map = picture.html(title: "Areas", unit: "coloured by travel time, minutes\(note)")
    if aspect != nil { return }
    var data = try pageData(picture.box, scripts: ["grid", "isochrones"])
    data.add("scale", PageData.list(thresholds) { String($0) })
    data.add("noun", PageData.json(database.record.noun))
    data.add("shades", PageData.list(thresholds) { String(shade(of: $0)) })
    let located = places.filter { $0.role == .origin }
    let origins = thinned(located)
    let ids = Set(origins.map(\.id))
    let gridsAreComplete = data.add(try database.grids().filter { ids.contains($0.place) }, of: origins, at: hours)
    // A complete set of grids already contains all areas.
    data.add(
      isReduced && gridsAreComplete ? [] : areas.filter { ids.contains($0.place) }, of: origins,
      hours.map { ($0 + 1, departures[$0].text) },
      sizes: try database.areas().filter { ids.contains($0.place.id) }, gridsAreComplete: gridsAreComplete,
      hasBands: database.record.hasBands, atLeast: lineGrain)
    content.data = data
    if origins.count < located.count {
      content.drawn = "areas of \(Format.count(origins.count, of: located.count)) \(database.record.noun)"
    }
  }

  private static let maximumAreas = 3000

  private func shade(of threshold: Int) -> Int {
    let (index, count) = (thresholds.firstIndex(of: threshold) ?? 0, thresholds.count)
    // If there are more than six, neighbours share colours.
    return count > 6 ? index * 5 / (count - 1) : ColorScale.spread(index, of: count)
  }

  private func areaTable() throws -> String {
    let areas = try database.areas().filter { $0.threshold == lastThreshold }
    let axis = try database.rowAxis()
    let labels = axis.labels.map(Format.moment)
    let problems = try database.problemPlaces(of: placeSurvey).filter { $0.role == .origin }
    let reasons = Dictionary(problems.map { ($0.place.id, $0.reason) }) { first, _ in first }
    let shown = areas.sorted { ($0.squareMetres ?? -1, "\($0.place.id)") < ($1.squareMetres ?? -1, "\($1.place.id)") }
      .prefix(50)
    return ReportTable(
      "Within \(Format.minutes(Double(lastThreshold))) minutes",
      note: rowNote(
        shown.count, areas.count, "\(database.record.hasBands ? "sums of the rings in " : "")table isochrone"),
      heads: ["place"] + [axis.head].compactMap(\.self) + ["#area, km²", "#streets, km", "status"],
      rows: shown.map { area in
        [cell(area.place)] + (area.departure.map { [.text(labels[$0 - 1])] } ?? []) + [
          .number(area.squareMetres.map { $0 / 1_000_000 }, places: 3),
          .number(area.streetMetres.map { $0 / 1000 }, places: 1),
          .text(
            area.status == .directionsNotFound
              ? area.status.reason(snapLimit: snapLimit, route: "closed")
              : area.status.reason(snapLimit: snapLimit, of: reasons[area.place.id])),
        ]
      }
    ).html
  }
}

extension PageData {
  /// The maximum total size of grids, in bytes; larger pages are slow.
  private static let maximumGridBytes = 1_200_000

  /// Adds as many travel-time grids of the given hour indices as fit on the page. Returns whether there are grids and
  /// all of them fit.
  mutating func add(_ grids: [TravelTimeGridRow], of places: [ReportedPlace], at hours: [Int]) -> Bool {
    let indices = Dictionary(places.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let hourIndices = Dictionary(uniqueKeysWithValues: hours.enumerated().map { ($1 + 1, $0) })
    var (texts, bytes): ([String], Int) = ([], 0)
    for grid in grids {
      guard let place = indices[grid.place], let hour = grid.departure.map({ hourIndices[$0] }) ?? 0 else { continue }
      let degrees = [grid.corner.longitude, grid.corner.latitude, grid.width, grid.height]
        .map { PageData.json(Double($0) / 1e7, places: 7) }.joined(separator: ",")
      let text =
        "[\(place),\(hour),\(degrees),\(grid.columns),\(grid.rows),\(grid.step),"
        + "\"\(Data(grid.bytes).base64EncodedString())\"]"
      bytes += text.utf8.count
      guard bytes <= PageData.maximumGridBytes else { break }
      texts.append(text)
    }
    guard !texts.isEmpty else { return false }
    add("grids", "[\(texts.joined(separator: ",\n"))]")
    return bytes <= PageData.maximumGridBytes
  }

  /// The maximum size of the areas' text in bytes: more makes a page too large.
  private static let maximumAreaBytes = 1_500_000

  /// Adds the areas of places, largest thresholds first.
  ///
  /// - Parameter metres: The minimum distance between points of rings; 0 for the smallest one at which all areas fit on a
  ///   page.
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
}
