import Geography
import Jobs
import Tables

extension Report {
  /// The maximum number of lines drawn; more would be unreadable.
  private static let drawn = 1500
  /// The maximum number of pairs listed on a page.
  private static let listed = 20_000
  /// The maximum number of pairs on a map to embed: the script shows no more straight lines by default.
  private static let embedded = 500

  func trips() throws -> Content {
    try database.narrowRoutes()
    let survey = try database.routeSurvey(
      listing: isEmbedded ? max(2, Report.embedded / thinning) : Report.listed, workers: workers)
    let isRouted = database.kind.hasSteps
    var content = Content(
      title: isRouted ? "Routes \(travelling)" : "Travel times \(travelling)",
      subtitle: "\(file(.pairs)) on \(mapName)", rows: try database.hasLegs ? "legs" : "trips")
    try addMap(to: &content, survey)
    if isEmbedded || aspect != nil { return content }
    content.figures = try tripFigures()
    content.tables =
      try HTML.folded(
        "Longest trips and largest detours", tripTable(.longest, survey) + tripTable(.greatestDetour, survey))
      + HTML.folded("Without an answer", missingTrips(survey))
    return content
  }

  /// Adds the static map, and the data for the script that replaces it.
  private func addMap(to content: inout Content, _ survey: RouteSurvey) throws {
    let (lines, count) = try database.drawnTrips(atMost: Report.drawn, of: survey)
    let axis = try database.rowAxis()
    let missing = placeSurvey.missing
    guard var picture = MapPicture(around: placeSurvey.corners, and: missing, aspect: aspect) else { return }
    picture.draw(backdrop)
    // Below the lines, and far enough apart not to hide the streets.
    picture.draw(missing.map { ($0, nil) }, pitch: 120)
    let flows = try flows()
    let flowScale = FlowScale(most: flows.first?.sum ?? 0)
    let showsFlows =
      !flows.isEmpty && survey.answered / max(1, axis.count) >= Report.minimumFlows
    // A card needs pairs only for the scale of several hours.
    let isListed = aspect == nil || axis.count > 1 && !showsFlows
    // A map to embed shows either line widths or routes.
    var drawn = isListed && database.kind.hasSteps && (!isEmbedded || !showsFlows) ? try database.drawnRows() : []
    if drawn.count > Report.minimumFlows { drawn = thinned(drawn) }
    let pairs = isListed ? try database.listedPairs(of: survey, with: drawn, workers: workers) : []
    let hours = Dictionary(grouping: pairs, by: \.hour).values.map { $0.compactMap(\.time) }
    // Short trips are drawn above long ones.
    let scale = ColorScale(times: axis.count > 1 ? hours : [lines.map(\.seconds)])
    if showsFlows {
      picture.draw(flows, by: flowScale)
    } else {
      picture.draw(lines.map { ($0.points, scale.shade(of: $0.seconds)) }, width: lines.count > 300 ? 14 : 26)
      if axis.count > 1 { picture.hour = axis.initial?.text }
    }
    let isEmpty = lines.isEmpty && !showsFlows
    if isEmpty {
      picture.mark(try database.places().filter { $0.status == .ok }.map { ($0.point, $0.label) })
      picture.explain([("--station", "place on a street")])
    } else {
      picture.explain(showsFlows ? flowScale.legend : scale.minutesLegend)
    }
    if !missing.isEmpty { picture.explain([("--none", "place outside the map or without a street")]) }
    let note = lines.count < count ? ", \(Format.count(lines.count, of: count)) drawn" : ""
    content.map =
      showsFlows
      ? picture.html(title: "Trips on each street", unit: "both directions, \(flowUnit)\(try flowHours())")
      : picture.html(
        title: "Routes", unit: isEmpty ? "no trip has a route" : "coloured by travel time, minutes\(note)")
    if aspect != nil { return }
    var routes = try database.drawnRoutes(drawn)
    if isEmbedded { routes = routes.map { PageData.embedded($0, metres: lineGrain) } }
    let input = axis.count > 1 ? try database.inputRows() : (all: survey.count, rejected: 0)
    let all = input.all - input.rejected
    content.data = try tripData(picture.box, scale, pairs, of: all, routes)
    let listed = axis.count > 1 ? Set(pairs.map(\.id)).count : pairs.count
    if isEmbedded, listed < all, !showsFlows {
      content.drawn = "\(Format.count(listed, of: all)) trips"
    } else if isReduced, showsFlows {
      content.drawn = "the \(Format.count(flows.count)) busiest streets"
    }
    guard !isEmbedded || showsFlows else { return }
    content.data?.add(
      flows, by: flowScale, unit: flowUnit, hours: try flowHours(), isShown: showsFlows, isLeft: identity.drivesOnLeft)
  }

  func tripData(
    _ box: BoundingBox, _ scale: ColorScale, _ pairs: [ListedPair], of count: Int, _ routes: [DrawnRoute]
  ) throws -> PageData {
    var data = try pageData(box, scripts: ["brush", "flows", "route", "routes"])
    // The transport type in Maps links.
    let type = identity[.transportType] ?? ""
    data.add("mode", PageData.json(["walking", "cycling", "transit"].contains(type) ? type : "driving"))
    data.add("scale", PageData.list(scale.breaks) { PageData.json($0, places: 0) })
    data.add(pairs, of: count, hours: try database.rowAxis().asDepartures.map(\.text), snapLimit: snapLimit)
    data.add(routes, of: pairs)
    return data
  }

  private func tripTable(_ order: RouteSurvey.Order, _ survey: RouteSurvey) throws -> String {
    let trips = try database.trips(order, of: survey)
    let hasSteps = trips.contains { $0.steps != nil }
    let hasHours = trips.contains { $0.departure != nil }
    // With arrivals, and for later legs, these are the rows' own departures.
    let hour = try database.rowAxis().middle == nil ? "departure" : "percentile"
    let legs = try database.hasLegs ? ["#leg"] : []
    return ReportTable(
      order == .longest ? "Longest travel times" : "Largest detours (at least 50 m apart)", note: "table route",
      heads: ["from", "to"] + legs + (hasHours ? [hour] : []) + ["#time, min", "#distance, m", "#detour"]
        + (hasSteps ? ["#steps"] : []),
      rows: trips.map { trip in
        [cell(trip.origin), cell(trip.destination)] + legs.map { _ in .count(trip.leg) }
          + (hasHours
            ? [.text(trip.departure.map { Format.moment($0).replacing("percentile ", with: "") } ?? "–")] : [])
          + [.minutes(trip.time), .number(trip.distance), .number(trip.detour, places: 2)]
          + (hasSteps ? [.number(trip.steps.map(Double.init))] : [])
      }
    ).html
  }

  private func missingTrips(_ survey: RouteSurvey) throws -> String {
    let trips = try database.trips(.missing, of: survey)
    let axis = try database.rowAxis()
    let hours = trips.contains { $0.hour != nil } ? [axis.head].compactMap(\.self) : []
    let legs = try database.hasLegs ? ["#leg"] : []
    return ReportTable(
      "Pairs without an answer", note: rowNote(trips.count, survey.missingCount, "table route"),
      heads: ["pair", "from", "to"] + legs + hours + ["why"],
      rows: trips.map { trip in
        [.name("\(trip.id)"), cell(trip.origin), cell(trip.destination)] + legs.map { _ in .count(trip.leg) }
          + hours.map { _ in .text(trip.hour.map { Format.moment(axis.labels[$0 - 1]) } ?? "–") }
          + [.text(trip.status.reason(snapLimit: snapLimit, route: trip.reason))]
      }
    ).html
  }
}

extension Report {
  /// The maximum number of streets: more are too many for a page, and too thin to be visible.
  private static let maximumFlows = 6000
  /// The minimum number of trips for drawing flows, each counted at one hour; fewer trips are drawn individually.
  static let minimumFlows = 50

  func flows() throws -> [DrawnFlow] {
    try database.drawnFlows(atMost: max(1, Report.maximumFlows / thinning))
  }

  /// The words after the unit in jobs with several hours: " at all hours together".
  func flowHours() throws -> String {
    let axis = try database.rowAxis()
    return axis.count > 1 ? " at all \(axis.unit) together" : ""
  }

  /// The unit that is counted: "trips", or the column with the pairs' weights.
  var flowUnit: String {
    database.record.figures.text(.weight(of: .pair)).map { $0 == "weight" ? "weighted trips" : $0 } ?? "trips"
  }
}

extension MapPicture {
  /// Draws streets with widths that show the number of trips, widest on top.
  mutating func draw(_ flows: [DrawnFlow], by scale: FlowScale) {
    for (shade, width) in FlowScale.widths.enumerated() {
      draw(flows.filter { scale.shade(of: $0.sum) == shade }.map(\.points), color: "--f\(shade)", width: width)
    }
  }
}

extension Report {
  /// Writes the page of one pair, with its routes on the map, step by step. *Throws*: `ResultsError`.
  package func write(_ pairs: [ListedPair], _ routes: [DrawnRoute], to path: String) throws {
    let first = pairs[0]
    let ends = pairs.flatMap { [$0.origin.point, $0.destination.point].compactMap(\.self) }
    var content = Content(title: "", subtitle: "", rows: "")
    if var picture = MapPicture(around: ends + routes.flatMap(\.points)) {
      picture.draw(backdrop)
      picture.draw(routes.map { ($0.points, 0) }, width: 40)
      picture.mark(ends.map { ($0, "") })
      picture.explain([("--c0", "route"), ("--station", "end")])
      content.map = picture.html(title: "Route", unit: travelling)
      content.data = try tripData(
        picture.box, ColorScale(times: pairs.compactMap(\.time)), pairs, of: 1, routes)
      content.data?.add(backdrop)
      content.data?.tiles = tiles
    }
    let last = pairs[pairs.count - 1]
    let axis = try database.rowAxis()
    // The legs of the pair at the hour that the map shows at first; all rows are legs if the pair has its own time.
    let shown = pairs.filter { $0.hour == axis.initial?.number }
    let legs = shown.isEmpty ? pairs : shown
    let distances = legs.compactMap(\.distance)
    let answer =
      legs.first { $0.status != .ok }.map { $0.status.reason(snapLimit: snapLimit, route: $0.reason) }
      ?? (Format.duration(legs.compactMap(\.time).reduce(0, +))
        + (distances.count == legs.count ? ", \(Format.length(distances.reduce(0, +)))" : ""))
    let hours = axis.asDepartures
    // The row's own departure differs from the hour with arrivals, and for later legs.
    func hour(_ pair: ListedPair) -> String? {
      (pair.hour.map { hours[$0 - 1].text } ?? pair.departure).map(Format.moment)
    }
    let captions = Dictionary(
      uniqueKeysWithValues: pairs.map { pair in
        let words = [legs.count > 1 ? "leg \(pair.leg)" : nil, hour(pair)]
        return (pair.row, words.compactMap(\.self))
      })
    let page = Page(
      title: "Pair \(Format.isolated("\(first.id)")): \(mapName)",
      heading: "\(Format.isolated(first.origin.label)) → \(Format.isolated(last.destination.label))",
      headline: "\(answer), \(travelling)\(hour(legs[0]).map { ", \($0)" } ?? "").",
      subtitle: "pair \(Format.isolated("\(first.id)")) of \(file(.pairs)), \(travelling), on \(mapName)",
      map: mapHTML(content), figures: [],
      content: HTML.section("Steps", routes.map { stepTable($0, captions[$0.row] ?? []) }.joined()),
      version: identity[.version] ?? "", data: content.data)
    try Page.write(page.html, to: path)
  }

  private func stepTable(_ route: DrawnRoute, _ caption: [String]) -> String {
    ReportTable(
      route.name ?? "Route",
      note: (caption + [Format.duration(route.time), Format.length(route.distance)]).joined(separator: ", "),
      heads: ["#step", "instructions", "notice", "#distance, m", "#time, s"],
      rows: route.steps.enumerated().map { index, step in
        [
          .count(index + 1), .text(step.instructions), .text(step.notice ?? ""), .number(step.distance),
          .number(step.time),
        ]
      }
    ).html
  }
}

extension PageData {
  /// Adds streets with the number of trips on them.
  mutating func add(_ flows: [DrawnFlow], by scale: FlowScale, unit: String, hours: String, isShown: Bool, isLeft: Bool)
  {
    guard !flows.isEmpty else { return }
    let unit = (flows.contains { $0.weight != nil } ? unit : "trips") + hours
    add(flowsOf: flows.map { ($0.name, $0.points) }, by: scale, unit: unit, isShown: isShown, isLeft: isLeft) { index in
      let flow = flows[index]
      let weights = flow.weight.map { [$0.forward, $0.backward].map { PageData.json($0, places: 2) } } ?? []
      return ["\(flow.trips.forward)", "\(flow.trips.backward)"] + weights
    }
  }

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

extension FixedCoordinate {
  /// The coordinates of places whose position is unknown.
  fileprivate static let nowhere = FixedCoordinate(longitude: 0, latitude: 0)
}
