import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables
import Transit

// Converts the engine's routes to rows of their tables.

extension RouteRow {
  /// Sets the row's departure number, and its departure and arrival times, from the index of a job's departure.
  ///
  /// - Parameters:
  ///   - elapsed: Milliseconds of the pair's preceding legs or, with arrivals, of its following legs.
  ///   - number: The percentile of the trip; nil for the number of the hour.
  mutating func setHour(_ index: Int, of departures: Departures, elapsed: Int = 0, number: Int? = nil) {
    let hour = departures.hours[index]
    let sign = departures.isArrival ? -1 : 1
    let end = departures.text(of: hour, after: sign * elapsed)
    let otherEnd = found.map { departures.text(of: hour, after: sign * (elapsed + Int($0.milliseconds))) }
    self.hour = number ?? index + 1
    departure = departures.isArrival ? otherEnd : end
    arrival = departures.isArrival ? end : otherEnd
  }
}

extension RouteRow.Found {
  init(_ weight: Weight) { self.init(centimetres: Int64(weight.centimetres), milliseconds: Int64(weight.milliseconds)) }

  init(_ eta: TripETA) {
    self.init(eta.weight)
    staticMilliseconds = eta.freeFlow.map { Int64($0.milliseconds) }
    waitingMilliseconds = Int64(eta.waiting)
  }

  init(_ route: Route) {
    self.init(route.weight)
    staticMilliseconds = route.freeFlow.map { Int64($0.milliseconds) }
    waitingMilliseconds = route.waiting.map { Int64($0) }
    self.route = RouteRow.Details(route)
  }
}

extension PhraseRow {
  init(_ step: RouteStep) {
    self.init(
      instructions: step.instructions, notice: step.notice, transportType: step.transportType.rawValue,
      maneuver: step.maneuver.rawValue, street: step.street)
  }
}

extension RouteRow.Details {
  init(_ route: Route) {
    self.init(
      name: route.title, stepCount: route.steps.count, hasTolls: route.hasTolls, hasHighways: route.hasHighways,
      advisoryNotices: route.advisoryNotices, ascent: route.climb.map { Int64($0.ascent) },
      descent: route.climb.map { Int64($0.descent) },
      shape: route.polyline.isPoint ? nil : GeometryBlob(line: route.polyline.points))
    if shape != nil, !route.heights.isEmpty { heights = RouteHeights(centimetres: route.heights) }
  }
}

/// The distinct phrases of a chunk's steps, in order of appearance.
struct ChunkPhrases {
  private(set) var rows: [PhraseRow] = []
  /// Indices in `rows` of the phrases that a router has numbered.
  private var indices: [Key: Int] = [:]
  private var unnumbered: [PhraseRow: Int] = [:]

  /// A router numbers its phrases, and there is one router per set of avoidances.
  private struct Key: Hashable {
    var avoids: Profile.Avoidance
    var phrase: Int
  }

  private mutating func index(of step: RouteStep, _ avoids: Profile.Avoidance) -> Int {
    guard step.phrase >= 0 else { return index(of: PhraseRow(step)) }
    let key = Key(avoids: avoids, phrase: step.phrase)
    if let index = indices[key] { return index }
    indices[key] = rows.count
    rows.append(PhraseRow(step))
    return rows.count - 1
  }

  /// Returns the index of a phrase that the router has not numbered, since it names times and stops.
  private mutating func index(of phrase: PhraseRow) -> Int {
    if let index = unnumbered[phrase] { return index }
    unnumbered[phrase] = rows.count
    rows.append(phrase)
    return rows.count - 1
  }

  /// Returns the rows of a route's steps.
  ///
  /// - Parameter avoids: The pair's avoidances in addition to the job's.
  mutating func rows(
    of steps: [RouteStep], in route: RouteRow, avoiding avoids: Profile.Avoidance = [], hasGeometry: Bool
  ) -> [StepRow] {
    steps.enumerated().map { index, step in
      StepRow(
        pair: route.pair, leg: route.leg, alternative: route.alternative, hour: route.hour, step: index,
        phrase: self.index(of: step, avoids),
        centimetres: Int64(step.weight.centimetres), milliseconds: Int64(step.weight.milliseconds),
        ascent: step.climb.map { Int64($0.ascent) }, descent: step.climb.map { Int64($0.descent) },
        start: step.polyline.points.first!, hasGeometry: hasGeometry)
    }
  }
}

/// The elevations of a route's points in table format: a list of metres, `[12.3,12.9,null]`.
package struct RouteHeights: Sendable, Hashable {
  package let text: String

  /// - Parameter centimetres: The elevations; `Int32.min` if unknown.
  package init(centimetres: [Int32]) {
    var buffer = TextBuffer()
    buffer.append("[")
    for (index, height) in centimetres.enumerated() {
      if index > 0 { buffer.append(",") }
      if height == .min {
        buffer.append("null")
      } else {
        buffer.append(decimal: Int64((Double(height) / 10).rounded()), places: 1)
      }
    }
    buffer.append("]")
    text = buffer.string()
  }

  /// Nil for other text, since the text is embedded in pages verbatim.
  init?(text: String) {
    guard text.utf8.allSatisfy({ "[]0123456789.,-nul".utf8.contains($0) }) else { return nil }
    self.text = text
  }
}

extension RouteHeights: Journaled {
  package func write(to journal: inout JournalWriter) { journal.put(text) }

  package init(from journal: inout JournalReader) throws {
    guard let heights = RouteHeights(text: try journal.take()) else { throw JournalReader.Failure() }
    self = heights
  }
}

extension TextBuffer {
  /// Appends a route as a GeoJSON Feature on one line, with its row's columns except `reason` and `heights` as
  /// properties, and its shape as a LineString, or null if it has no length. Its id is the pair's, followed by the hour,
  /// the leg and the number of an alternate, if it has them. A slash in the pair's own id is doubled, so that no two
  /// features share an id.
  mutating func append(_ row: RouteRow, _ axis: RowAxis.Column?, shape: Polyline) {
    guard let found = row.found, let details = found.route else { return }
    append("{\"type\":\"Feature\",\"id\":")
    let parts = [row.hour, row.leg, row.alternative > 0 ? row.alternative : nil].compactMap(\.self)
    if parts.isEmpty, row.pair.isNumber {
      append(row.pair)
    } else {
      let pair = "\(row.pair)".replacing("/", with: "//")
      append(jsonString: ([pair] + parts.map(String.init)).joined(separator: "/"))
    }
    append(",\"properties\":{")
    member("pair_id", row.pair)
    member(axis?.rawValue ?? "departure", row.hour)
    member("leg", row.leg)
    member("alternative", row.alternative)
    member("origin_id", row.origin)
    member("destination_id", row.destination)
    member("status", row.status.rawValue)
    member("distance", decimal: found.centimetres, places: 2)
    member("expected_travel_time", decimal: found.milliseconds, places: 3)
    member("static_travel_time", decimal: found.staticMilliseconds, places: 3)
    member("waiting_time", decimal: found.waitingMilliseconds, places: 3)
    if let transit = found.transit {
      member("rides", transit.rides)
      member("access_time", decimal: transit.access, places: 3)
      member("riding_time", decimal: transit.riding, places: 3)
      member("transfer_time", decimal: transit.transfer, places: 3)
      member("egress_time", decimal: transit.egress, places: 3)
    }
    member("ascent", decimal: details.ascent, places: 2)
    member("descent", decimal: details.descent, places: 2)
    member("transport_type", row.transportType)
    member("name", details.name)
    member("step_count", details.stepCount)
    member("crow_fly_distance", decimal: row.straightLineCentimetres, places: 2)
    member("has_tolls", details.hasTolls)
    member("has_highways", details.hasHighways)
    member("advisory_notices", details.advisoryNotices.joined(separator: " "))
    member("departure_date", row.departure)
    member("expected_arrival_date", row.arrival)
    member("arrival_time", row.arrivalTime)
    member("link", row.link)
    member("pair_group", row.group)
    if let weight = row.weight {
      key("weight")
      append(number: weight)
    }
    member("avoids", row.avoids)
    guard !shape.isPoint else { return append(text: "},\"geometry\":null}") }
    endFeature(along: shape)
  }
}

/// The number of rides of a transit trip, and the parts of its time in milliseconds: with the waits, they add up to the
/// trip's time.
struct TransitParts: Sendable, Equatable, JournaledFields {
  /// The number of vehicles taken; 0 if the whole trip is on foot.
  var rides = 0
  /// The walk to the first stop, or the whole trip if it is on foot.
  var access: Int64 = 0
  var riding: Int64 = 0
  /// The walks between vehicles.
  var transfer: Int64 = 0
  /// The walk from the last stop.
  var egress: Int64 = 0

  mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&rides, &access, &riding, &transfer, &egress)
  }
}

extension RouteRow.Found {
  /// - Parameter walk: The walk from origin to destination, which gives the length of a trip without rides.
  init(_ trip: TransitTrip, walk: Weight?) {
    let isWalk = trip.rides == 0
    self.init(centimetres: isWalk ? Int64(walk?.centimetres ?? 0) : 0, milliseconds: Int64(trip.milliseconds))
    waitingMilliseconds = Int64(trip.waiting)
    transit = TransitParts(
      rides: trip.rides, access: Int64(trip.access), riding: Int64(trip.riding), transfer: Int64(trip.transfer),
      egress: Int64(trip.egress))
  }

  /// Whether the trip's length is known: rides have a length only if their route is computed.
  var hasLength: Bool { transit.map { $0.rides == 0 || route != nil } ?? true }
}
