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
      "Pairs without an answer", note: of(trips.count, survey.missingCount, "table route"),
      heads: ["pair", "from", "to"] + legs + hours + ["why"],
      rows: trips.map { trip in
        [.name("\(trip.id)"), cell(trip.origin), cell(trip.destination)] + legs.map { _ in .count(trip.leg) }
          + hours.map { _ in .text(trip.hour.map { Format.moment(axis.labels[$0 - 1]) } ?? "–") }
          + [.text(trip.status.reason(snapLimit: snapLimit, route: trip.reason))]
      }
    ).html
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
