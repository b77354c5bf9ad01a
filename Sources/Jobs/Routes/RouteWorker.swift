import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

/// Computes the rows of a chunk: one worker per thread.
final class RouteWorker {
  private let job: Job
  private let table: PairTable
  private let places: SnappedPlaces
  private let router: Router
  private let content: RouteWriter.Content
  private let features = FeatureList()
  /// That times of rows go by where speeds count: they are of the hours there.
  private let clock: LocalClock?

  init(
    _ job: Job, _ table: PairTable, _ places: SnappedPlaces, _ router: Router, _ content: RouteWriter.Content,
    by clock: LocalClock?
  ) {
    (self.job, self.table, self.places, self.router, self.content) = (job, table, places, router, content)
    self.clock = clock
  }

  /// What was found for a pair of points at a time; rows with equal ones share it.
  private enum Answer {
    case missing(RowStatus)
    /// There is a way, but too long a one.
    case tooLong
    /// The best route first.
    case routes([Route])
    case eta(RouteRow.Found)
  }

  /// The hours of each row; one that is none in a job without.
  private var hours: Range<Int> { 0..<(job.departures?.hours.count ?? 1) }

  func compute(_ rows: Range<Int>) throws -> RouteWriter.Chunk {
    let trips = rows.flatMap { row in hours.map { TripKey(row: row, hour: $0) } }
    let answers = answers(to: rows)
    try checkOrder(rows, answers)
    var written: [(row: RouteRow, steps: [StepRow])] = []
    written.reserveCapacity(trips.count)
    var phrases = ChunkPhrases()
    var text = TextBuffer(capacity: 1 << 16)
    for (row, answer) in zip(trips, answers) {
      switch answer {
      case .missing(let status): written.append((self.row(row, status), []))
      case .tooLong:
        var routeRow = self.row(row, .directionsNotFound)
        routeRow.isTooLong = true
        written.append((routeRow, []))
      case .eta(let found): written.append((self.row(row, .ok, found), []))
      case .routes(let routes):
        for (alternative, route) in routes.enumerated() {
          let routeRow = self.row(row, .ok, RouteRow.Found(route, hasShape: content.hasShapes), alternative)
          written.append((routeRow, phrases.rows(of: route.steps, in: routeRow, hasGeometry: content.hasShapes)))
          features.append(&text) { $0.append(routeRow, shape: route.polyline) }
        }
      }
    }
    return RouteWriter.Chunk(
      rows: rows.count, routes: written, phrases: phrases.rows,
      features: content.hasSteps ? features.finishBlock() : nil)
  }

  /// Compares the hours of one row in a thousand.
  private func checkOrder(_ rows: Range<Int>, _ answers: [Answer]) throws {
    guard let departures = job.departures else { return }
    let missing = UInt32.max
    for row in rows where row % DepartureOrder.interval == 0 && table.pairs[row].departure < 0 {
      let start = (row - rows.lowerBound) * hours.count
      let times = answers[start..<start + hours.count].map { answer -> UInt32 in
        switch answer {
        case .missing, .tooLong: missing
        case .eta(let found): UInt32(found.milliseconds)
        case .routes(let routes): routes[0].weight.milliseconds
        }
      }
      let pair = table.pairs[row]
      try DepartureOrder(departures).check(
        times, missing: missing, from: table.places[Int(pair.origin)].id, to: table.places[Int(pair.destination)].id)
    }
  }

  /// The answers in the order of the rows. Computed along the map, so that neighbouring trips follow one another and
  /// find memory warm; equal questions once.
  private func answers(to rows: Range<Int>) -> [Answer] {
    var order: [(from: UInt32, to: UInt32, row: Int)] = rows.map { row in
      let question = question(of: row)
      return (HilbertIndex(question.origin).value, HilbertIndex(question.destination).value, row)
    }
    order.sort { ($0.from, $0.to, $0.row) < ($1.from, $1.to, $1.row) }
    var known: [Question: Answer] = [:]
    var answers = [Answer?](repeating: nil, count: rows.count * hours.count)
    for (_, _, row) in order {
      var question = question(of: row)
      for hour in hours {
        question.hour = hour
        let answer = known[question] ?? compute(table.pairs[row], hour)
        known[question] = answer
        answers[(row - rows.lowerBound) * hours.count + hour] = answer
      }
    }
    return answers.compactMap(\.self)
  }

  private struct Question: Hashable {
    var origin: FixedCoordinate
    var destination: FixedCoordinate
    var departure: Int32
    var hour = 0
  }

  /// A row of the input at one of its hours.
  private struct TripKey {
    var row: Int
    var hour: Int
  }

  private func question(of row: Int) -> Question {
    let pair = table.pairs[row]
    return Question(
      origin: table.places.coordinate(at: Int(pair.origin)),
      destination: table.places.coordinate(at: Int(pair.destination)),
      departure: pair.departure)
  }

  private func compute(_ pair: InputPairs.Pair, _ hour: Int) -> Answer {
    let (from, to) = (places[Int(pair.origin)], places[Int(pair.destination)])
    guard !from.isOutside && !to.isOutside else { return .missing(.outsideCoverage) }
    guard let origin = from.end, let destination = to.end else { return .missing(.placemarkNotFound) }
    let ofRow = pair.departure >= 0 ? table.departures[Int(pair.departure)] : nil
    let time = ofRow.map { job.tripTime($0, by: clock) } ?? job.departures?.hours[hour].time ?? job.tripTime
    guard content.hasSteps else {
      let found: RouteRow.Found? =
        if let time {
          router.eta(from: origin, to: destination, at: time).map { RouteRow.Found($0) }
        } else {
          router.weight(from: origin, to: destination).map { RouteRow.Found($0) }
        }
      return found.map(Answer.eta) ?? withoutRoute(from: origin, to: destination)
    }
    let routes = router.routes(from: origin, to: destination, at: time, withAlternates: job.wantsAlternates)
    return routes.isEmpty ? withoutRoute(from: origin, to: destination) : .routes(routes)
  }

  private func withoutRoute(from origin: TripEnd, to destination: TripEnd) -> Answer {
    router.isTooLong(from: origin, to: destination) ? .tooLong : .missing(.directionsNotFound)
  }

  private func departure(of pair: InputPairs.Pair) -> Timestamp? {
    pair.departure >= 0 ? table.departures[Int(pair.departure)] : job.departure
  }

  private func row(
    _ trip: TripKey, _ status: RowStatus, _ found: RouteRow.Found? = nil, _ alternative: Int = 0
  ) -> RouteRow {
    let pair = table.pairs[trip.row]
    let (origin, destination) = (table.places[Int(pair.origin)], table.places[Int(pair.destination)])
    var routeRow = RouteRow(
      pair: pair.id, origin: origin.id, destination: destination.id,
      group: pair.group >= 0 ? table.groups[Int(pair.group)] : nil, status: status,
      transportType: router.transportType.rawValue,
      straightLineCentimetres: straightLine(of: pair, isFound: found != nil),
      found: found)
    routeRow.alternative = alternative
    let seconds = found.map { Double($0.milliseconds) / 1000 }
    if let departures = job.departures, pair.departure < 0 {
      routeRow.setHour(trip.hour, of: departures)
    } else if let departure = departure(of: pair) {
      routeRow.departure = departure.text
      routeRow.arrival = seconds.map { departure.adding(seconds: $0).text }
    } else if let arrival = job.arrival {
      routeRow.departure = seconds.map { arrival.adding(seconds: -$0).text }
      routeRow.arrival = arrival.text
    }
    if job.writesLinks { routeRow.link = link(from: origin, to: destination) }
    return routeRow
  }

  /// Of a pair without a route between the places: it has no distance that begins anywhere else.
  private func straightLine(of pair: InputPairs.Pair, isFound: Bool) -> Int64 {
    let (origin, destination) = (Int(pair.origin), Int(pair.destination))
    if isFound, let from = places[origin].usableEnd, let to = places[destination].usableEnd {
      return TripEnd.straightLine(from, to)
    }
    return Int64((table.places[origin].coordinate.distance(to: table.places[destination].coordinate) * 100).rounded())
  }

  private func link(from origin: InputPlace, to destination: InputPlace) -> String {
    var request = DirectionsRequest(
      source: Place(coordinate: origin.coordinate.coordinate),
      destination: Place(coordinate: destination.coordinate.coordinate))
    request.transportType = router.transportType
    return request.url.absoluteString
  }
}
