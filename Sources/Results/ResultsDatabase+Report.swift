import Geography

extension ResultsDatabase {
  /// The facts of table `job`, by key.
  package func facts() throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try rows(Schema.facts) { ($0.text(0) ?? "", $0.text(1) ?? "") })
  }

  package func histograms() throws -> [Histogram] {
    let bins = try rows(Schema.histograms) { row in
      (
        scope: row.text(0) ?? "", measure: row.text(1) ?? "",
        bin: Histogram.Bin(low: row.double(2), high: row.double(3), count: row.integer(4))
      )
    }
    var histograms: [Histogram] = []
    var start = 0
    while start < bins.count {
      let (scope, measure) = (bins[start].scope, bins[start].measure)
      let end = bins[start...].firstIndex { $0.scope != scope || $0.measure != measure } ?? bins.count
      if let known = Statistic.Measure(rawValue: measure) {
        histograms.append(Histogram(scope: scope, known, bins: bins[start..<end].map(\.bin)))
      }
      start = end
    }
    return histograms
  }

  package func streets() throws -> [StreetRow] {
    try rows(Schema.streetShapes) { row in
      StreetRow(roadClass: row.text(0) ?? "", points: GeometryBlob(bytes: row.blob(1)).lines.first ?? [])
    }
  }

  package func places() throws -> [PlacePoint] {
    try rows(Schema.placePoints) { row in
      PlacePoint(
        role: row.text(0) ?? "", status: row.text(1) ?? "", point: row.point(2, 3),
        label: row.text(4) ?? row.text(5) ?? "")
    }
  }

  package func placeCounts() throws -> [PlaceCounts] {
    try rows(Schema.placeStatuses) { row in
      PlaceCounts(
        role: row.text(0) ?? "", count: row.integer(1), ok: row.integer(2), meanSnapDistance: row.optional(3),
        maxSnapDistance: row.optional(4))
    }
  }

  package func rejected(atMost limit: Int) throws -> (rows: [RejectedRow], count: Int) {
    let first = try rows(Schema.rejectedRows, limit) { row in
      RejectedRow(
        file: row.text(0) ?? "", line: row.integer(1), text: row.text(2) ?? "", reason: row.text(3) ?? "")
    }
    return (first, try count(Schema.rejectedCount))
  }

  // MARK: Kinds routes and etas

  package enum TripOrder { case longest, greatestDetour, missing }

  package func trips(_ order: TripOrder, atMost limit: Int) throws -> [ReportedTrip] {
    let question =
      switch order {
      case .longest: Schema.longestTrips
      case .greatestDetour: Schema.greatestDetours
      case .missing: Schema.missingTrips
      }
    return try rows(question, limit) { row in
      ReportedTrip(
        origin: row.place(id: 2, name: 1, point: 3), destination: row.place(id: 6, name: 5, point: 7),
        status: row.text(9) ?? "", originStatus: row.text(14) ?? "", time: row.optional(10), distance: row.optional(11),
        detour: row.optional(12), steps: row.isNull(13) ? nil : row.integer(13))
    }
  }

  /// At most so many trips, evenly chosen: as they are drawn, and how long they take in seconds. Without shapes they are
  /// straight.
  package func tripLines(atMost limit: Int) throws -> (lines: [(points: [FixedCoordinate], seconds: Double)], of: Int) {
    let count = try count(Schema.routeCount)
    let every = max(1, (count + limit - 1) / limit)
    let drawn = try rows(Schema.routeShapes, every) { row in
      (points: GeometryBlob(bytes: row.blob(0)).lines.first ?? [], seconds: row.double(1))
    }
    guard drawn.isEmpty else { return (drawn, count) }
    let straight = try rows(Schema.tripEnds, every) { row in
      (points: [row.point(0, 1), row.point(2, 3)], seconds: row.double(4))
    }
    return (straight, count)
  }

  // MARK: Kind access

  /// Every origin, and the seconds to its nearest station; nil where it has none.
  package func nearestTimes() throws -> [(point: FixedCoordinate, seconds: Double?)] {
    try rows(Schema.nearestTimes) { row in (row.point(0, 1), row.optional(2)) }
  }

  /// The longest walks; or origins without a station, the weightiest first.
  package func walks(missing: Bool, atMost limit: Int) throws -> [ReportedTrip] {
    try rows(missing ? Schema.missingWalks : Schema.longestWalks, limit) { row in
      ReportedTrip(
        origin: row.place(id: 0, name: 1, point: 2),
        destination: row.isNull(5) ? nil : row.place(id: 5, name: 4, point: 6), status: row.text(8) ?? "",
        time: row.optional(9), distance: row.optional(10), weight: row.optional(11))
    }
  }

  package func shares() throws -> [ReportedShare] {
    try rows(Schema.shares) { row in
      ReportedShare(
        threshold: row.integer(0), measure: row.text(1) ?? "", value: row.double(2), total: row.double(3),
        share: row.optional(4))
    }
  }

  /// What each station serves, in the order of the input.
  package func stationServices() throws -> [ReportedService] {
    var lines: [String: [String]] = [:]
    for (station, line) in try rows(Schema.stationLines, nil, { ($0.text(0) ?? "", $0.text(1) ?? "") }) {
      lines[station, default: []].append(line)
    }
    var services: [ReportedService] = []
    _ = try rows(Schema.stationServices) { row in
      let place = row.place(id: 0, name: 1, point: 2)
      if services.last?.place.id != place.id {
        services.append(
          ReportedService(place: place, status: row.text(4) ?? "", stations: 1, lines: lines[place.id] ?? []))
      }
      let (threshold, measure) = (row.integer(5), row.text(6) ?? "")
      services[services.count - 1].values[measure, default: [:]][threshold] = row.double(7)
      services[services.count - 1].nearest[measure, default: [:]][threshold] = row.double(8)
    }
    return services
  }

  package func lineServices() throws -> [ReportedService] {
    var services: [ReportedService] = []
    _ = try rows(Schema.lineServices) { row in
      let line = row.text(0) ?? ""
      if services.last?.place.id != line {
        services.append(
          ReportedService(place: NamedPlace(id: line, name: nil, point: nil), stations: row.integer(1)))
      }
      services[services.count - 1].values[row.text(3) ?? "", default: [:]][row.integer(2)] = row.double(4)
    }
    return services
  }

  /// The share of each measure that has a station within so many seconds.
  package func curves() throws -> [String: [(seconds: Int, share: Double)]] {
    var curves: [String: [(seconds: Int, share: Double)]] = [:]
    _ = try rows(Schema.curve) { row in
      curves[row.text(0) ?? "", default: []].append((row.integer(1), row.double(2)))
    }
    return curves
  }

  // MARK: Kinds isochrones and matrix

  /// The areas as they are drawn, the largest thresholds first.
  package func isochrones() throws -> [(threshold: Int, rings: [[FixedCoordinate]])] {
    try rows(Schema.isochroneShapes) { row in (row.integer(0), GeometryBlob(bytes: row.blob(1)).lines) }
  }

  package func isochroneSizes() throws -> [ReportedArea] {
    try rows(Schema.isochroneSizes) { row in
      ReportedArea(
        place: row.place(id: 0, name: 1, point: 2), status: row.text(4) ?? "", threshold: row.integer(5),
        squareMetres: row.optional(6), streetMetres: row.optional(7))
    }
  }

  package func originSummaries() throws -> [ReportedOrigin] {
    try rows(Schema.originSummaries) { row in
      ReportedOrigin(
        place: NamedPlace(id: row.text(4) ?? "", name: row.text(5), point: row.point(0, 1)), meanTime: row.optional(2),
        reachable: row.integer(3), nearest: row.text(6), nearestTime: row.optional(7))
    }
  }

  // MARK: Rows

  private func count(_ question: String) throws -> Int { try rows(question) { $0.integer(0) }.first ?? 0 }
}

extension SQLite.Statement {
  fileprivate func optional(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

  fileprivate func point(_ latitude: Int32, _ longitude: Int32) -> FixedCoordinate {
    let point = Coordinate(latitude: double(latitude), longitude: double(longitude))
    return FixedCoordinate(point.isValid ? point : Coordinate(latitude: 0, longitude: 0))
  }

  /// `point` is the column of the latitude; the longitude's follows.
  fileprivate func place(id: Int32, name: Int32, point: Int32) -> NamedPlace {
    NamedPlace(
      id: text(id) ?? "", name: text(name), point: isNull(point) ? nil : self.point(point, point + 1))
  }
}
