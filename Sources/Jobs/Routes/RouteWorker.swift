import Input
import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

/// Computes the rows of a chunk: one worker per thread.
final class RouteWorker {
  private let job: Job
  private let table: PairTable
  /// First that of pairs which avoid no more than the job.
  private let searches: [RouteSearch]
  private let content: RouteWriter.Content
  private let features = FeatureList()
  /// That times of rows go by where speeds count: they are of the hours there.
  private let clock: LocalClock?
  /// Nil where times of a row need not be in order.
  private let order: DepartureOrder?
  /// Nil in a job that travels on streets alone.
  private let transit: TransitTrips.Query?

  init(
    _ job: Job, _ table: PairTable, _ searches: [RouteSearch], _ content: RouteWriter.Content, by clock: LocalClock?,
    _ order: DepartureOrder?, _ transit: TransitTrips.Query?
  ) {
    self.transit = transit
    (self.job, self.table, self.searches, self.content) = (job, table, searches, content)
    (self.clock, self.order) = (clock, order)
  }

  /// What was found for a pair of points at a time; rows with equal ones share it.
  private enum Answer {
    case missing(RowStatus, reason: String)
    /// There is a way, but too long a one.
    case tooLong
    /// The leg that it follows has no route.
    case noTime
    /// The best route first.
    case routes([Route])
    /// The streets only where trips are counted on them.
    case eta(RouteRow.Found, streets: [DirectedStreet] = [])

    /// Of the best route; nil where there is none.
    var milliseconds: UInt32? {
      switch self {
      case .missing, .tooLong, .noTime: nil
      case .eta(let found, _): UInt32(found.milliseconds)
      case .routes(let routes): routes[0].weight.milliseconds
      }
    }
  }

  /// The hours of each row; one that is none in a job without.
  private var hours: Range<Int> { 0..<(job.departures?.hours.count ?? 1) }

  func compute(_ rows: Range<Int>) throws -> RouteWriter.Chunk {
    let trips = rows.flatMap { row in hours.map { TripKey(row: row, hour: $0) } }
    let answers = answers(to: rows)
    try checkOrder(rows, answers)
    var written: [RouteWriter.Answer] = []
    written.reserveCapacity(trips.count)
    var phrases = ChunkPhrases()
    var text = TextBuffer(capacity: 1 << 16)
    var flows = FlowSums()
    for (trip, answers) in zip(trips, answers) {
      let elapsed = elapsed(of: answers, in: trip)
      for (leg, answer) in answers.enumerated() {
        var key = trip
        (key.leg, key.elapsed) = (leg, elapsed[leg])
        switch answer {
        case .missing(let status, let reason):
          var routeRow = self.row(key, status)
          routeRow.reason = reason
          written.append(.init(routeRow))
        case .tooLong:
          var routeRow = self.row(key, .directionsNotFound)
          routeRow.reason = "too_long"
          written.append(.init(routeRow))
        case .noTime:
          var routeRow = self.row(key, .directionsNotFound)
          // Nobody knows when it would begin.
          (routeRow.reason, routeRow.departure, routeRow.arrival) = ("no_time", nil, nil)
          written.append(.init(routeRow))
        case .eta(let found, let streets):
          flows.add(streets, weight: weight(of: trip.row))
          written.append(.init(self.row(key, .ok, found)))
        case .routes(let routes):
          flows.add(routes[0].streets, weight: weight(of: trip.row))
          for (alternative, route) in routes.enumerated() {
            let routeRow = self.row(key, .ok, RouteRow.Found(route), alternative)
            let steps = phrases.rows(
              of: route.steps, in: routeRow, avoiding: table.pairs[trip.row].avoids, hasGeometry: content.hasShapes)
            written.append(.init(routeRow, steps))
            features.append(&text) { $0.append(routeRow, shape: route.polyline) }
          }
        }
      }
    }
    var chunk = RouteWriter.Chunk(
      rows: rows.count, routes: written, phrases: phrases.rows,
      features: content.hasSteps ? features.finishBlock() : nil)
    if content.hasFlows { chunk.flows = flows }
    return chunk
  }

  /// Nil where the pair has none.
  private func weight(of row: Int) -> Double? {
    let weight = table.pairs[row].weight
    return weight.isNaN ? nil : weight
  }

  /// Compares the hours of one row in a thousand.
  private func checkOrder(_ rows: Range<Int>, _ answers: [[Answer]]) throws {
    guard let order else { return }
    let missing = UInt32.max
    for row in rows where row % DepartureOrder.interval == 0 && table.pairs[row].time < 0 {
      let start = (row - rows.lowerBound) * hours.count
      guard answers[start].count == 1 else { continue }
      let times = answers[start..<start + hours.count].map { $0[0].milliseconds ?? missing }
      let pair = table.pairs[row]
      try order.check(
        times, missing: missing, from: table.places[Int(pair.origin)].id, to: table.places[Int(pair.destination)].id)
    }
  }

  /// The answers in the order of the rows, to each a list of its legs. Computed along the map, so that neighbouring trips
  /// follow one another and find memory warm; equal questions once.
  private func answers(to rows: Range<Int>) -> [[Answer]] {
    var order: [(from: UInt32, to: UInt32, row: Int)] = rows.map { row in
      let question = question(of: table.pairs[row])
      return (HilbertIndex(question.origin).value, HilbertIndex(question.destination).value, row)
    }
    order.sort { ($0.from, $0.to, $0.row) < ($1.from, $1.to, $1.row) }
    if let transit { return answers(to: order.map(\.row), in: rows, by: transit) }
    var known: [Question: Answer] = [:]
    var answers = [[Answer]](repeating: [], count: rows.count * hours.count)
    for (_, _, row) in order {
      let pair = table.pairs[row]
      let legs = table.pairs.legs(of: row)
      var question = question(of: pair)
      for hour in hours {
        let index = (row - rows.lowerBound) * hours.count + hour
        guard legs.count == 1 else {
          answers[index] = compute(legs, of: pair, hour)
          continue
        }
        question.hour = hour
        let answer = known[question] ?? compute(legs[0], pair.avoids, at: time(of: pair, hour))
        known[question] = answer
        answers[index] = [answer]
      }
    }
    return answers
  }

  /// The same by public transport.
  private func answers(to order: [Int], in rows: Range<Int>, by transit: TransitTrips.Query) -> [[Answer]] {
    var answers = [[Answer]](repeating: [], count: rows.count * hours.count)
    func set(_ row: Int, _ answer: (_ hour: Int) -> Answer) {
      for hour in hours { answers[(row - rows.lowerBound) * hours.count + hour] = [answer(hour)] }
    }
    var (asked, pairs): ([Int], [TransitTrips.Query.Pair]) = ([], [])
    for row in order {
      let leg = table.pairs.legs(of: row)[0]
      let (from, to) = (searches[0].places[Int(leg.origin)], searches[0].places[Int(leg.destination)])
      guard let origin = from.usableEnd, let destination = to.usableEnd else {
        // By that its answer is decided.
        set(row) { _ in compute(leg, [], at: nil) }
        continue
      }
      asked.append(row)
      pairs.append(
        .init(
          origin: Int(leg.origin), destination: Int(leg.destination),
          walk: searches[0].router.weight(from: origin, to: destination)))
    }
    for ((row, pair), trips) in zip(zip(asked, pairs), transit.trips(of: pairs)) {
      set(row) { hour in
        trips[hour].map { .eta(RouteRow.Found($0, walk: pair.walk)) }
          ?? .missing(.directionsNotFound, reason: "beyond_limit")
      }
    }
    return answers
  }

  private struct Question: Hashable {
    var origin: FixedCoordinate
    var destination: FixedCoordinate
    var time: Int32
    var avoids: Profile.Avoidance
    var hour = 0
  }

  /// A leg of a row of the input at one of its hours.
  private struct TripKey {
    var row: Int
    var hour: Int
    /// From 0.
    var leg = 0
    /// Milliseconds of the legs that are travelled before it; after it with arrivals.
    var elapsed = 0
  }

  private func question(of pair: InputPairs.Pair) -> Question {
    Question(
      origin: table.places.coordinate(at: Int(pair.origin)),
      destination: table.places.coordinate(at: Int(pair.destination)), time: pair.time, avoids: pair.avoids)
  }

  /// When a trip starts, or ends; nil where nobody says.
  private func time(of pair: InputPairs.Pair, _ hour: Int) -> TripTime? {
    ownTime(of: pair).map { job.tripTime($0.moment, isArrival: $0.isArrival, by: clock) }
      ?? job.departures?.hours[hour].time ?? job.tripTime
  }

  private func search(avoiding avoids: Profile.Avoidance) -> RouteSearch {
    searches.first { $0.avoids == avoids } ?? searches[0]
  }

  /// Leg after leg, each from when the one before it ends; with arrivals from the last to the first.
  private func compute(_ legs: [InputPairs.Leg], of pair: InputPairs.Pair, _ hour: Int) -> [Answer] {
    guard var time = time(of: pair, hour) else { return legs.map { compute($0, pair.avoids, at: nil) } }
    var answers = [Answer](repeating: .noTime, count: legs.count)
    for leg in time.isArrival ? legs.indices.reversed() : Array(legs.indices) {
      answers[leg] = compute(legs[leg], pair.avoids, at: time)
      guard let milliseconds = answers[leg].milliseconds, let next = time.moved(by: milliseconds) else { break }
      time = next
    }
    return answers
  }

  /// Milliseconds before each leg of a trip; after it with arrivals.
  private func elapsed(of answers: [Answer], in trip: TripKey) -> [Int] {
    guard answers.count > 1 else { return [0] }
    let isArrival = time(of: table.pairs[trip.row], trip.hour)?.isArrival == true
    var (elapsed, sum) = ([Int](repeating: 0, count: answers.count), 0)
    for leg in isArrival ? answers.indices.reversed() : Array(answers.indices) {
      elapsed[leg] = sum
      sum += answers[leg].milliseconds.map { Int($0) } ?? 0
    }
    return elapsed
  }

  private func compute(_ leg: InputPairs.Leg, _ avoids: Profile.Avoidance, at time: TripTime?) -> Answer {
    let search = search(avoiding: avoids)
    let (from, to) = (search.places[Int(leg.origin)], search.places[Int(leg.destination)])
    func missing(_ status: RowStatus) -> Answer {
      let reason = RouteReason(
        origin: from, at: table.places.coordinate(at: Int(leg.origin)), destination: to,
        at: table.places.coordinate(at: Int(leg.destination)), isTimed: time != nil, search.router)
      return .missing(status, reason: reason.text)
    }
    func withoutRoute(from origin: TripEnd, to destination: TripEnd) -> Answer {
      search.router.isTooLong(from: origin, to: destination) ? .tooLong : missing(.directionsNotFound)
    }
    guard !from.isOutside && !to.isOutside else { return missing(.outsideCoverage) }
    guard let origin = from.end, let destination = to.end else { return missing(.placemarkNotFound) }
    guard content.hasSteps else {
      let found: RouteRow.Found? =
        if let time {
          search.router.eta(from: origin, to: destination, at: time).map { RouteRow.Found($0) }
        } else {
          search.router.weight(from: origin, to: destination).map { RouteRow.Found($0) }
        }
      guard let found else { return withoutRoute(from: origin, to: destination) }
      return .eta(
        found, streets: content.hasFlows ? search.router.streets(from: origin, to: destination, at: time) : [])
    }
    let routes = search.router.routes(from: origin, to: destination, at: time, withAlternates: job.wantsAlternates)
    return routes.isEmpty ? withoutRoute(from: origin, to: destination) : .routes(routes)
  }

  private func ownTime(of pair: InputPairs.Pair) -> PairTable.RowTime? {
    pair.time >= 0 ? table.times[Int(pair.time)] : nil
  }

  /// When a trip starts, or ends, by its row or by the job; nil if neither says.
  private func moment(of pair: InputPairs.Pair) -> (Timestamp, isArrival: Bool)? {
    if let own = ownTime(of: pair) { return (own.moment, own.isArrival) }
    return job.departure.map { ($0, false) } ?? job.arrival.map { ($0, true) }
  }

  private func row(
    _ trip: TripKey, _ status: RowStatus, _ found: RouteRow.Found? = nil, _ alternative: Int = 0
  ) -> RouteRow {
    let pair = table.pairs[trip.row]
    let legs = table.pairs.legs(of: trip.row)
    let ends = (origin: Int(legs[trip.leg].origin), destination: Int(legs[trip.leg].destination))
    let (origin, destination) = (table.places[ends.origin], table.places[ends.destination])
    var routeRow = RouteRow(
      pair: pair.id, origin: origin.id, destination: destination.id,
      group: pair.group >= 0 ? table.groups[Int(pair.group)] : nil, status: status,
      transportType: found?.transit?.rides == 0 ? job.transportType.rawValue : job.transportName,
      straightLineCentimetres: straightLine(ends.origin, ends.destination, pair.avoids, isFound: found != nil),
      found: found)
    routeRow.alternative = alternative
    if legs.count > 1 { routeRow.leg = trip.leg + 1 }
    routeRow.weight = weight(of: trip.row)
    if !pair.avoids.isEmpty { routeRow.avoids = pair.avoids.text }
    let elapsed = Double(trip.elapsed) / 1000
    let seconds = found.map { elapsed + Double($0.milliseconds) / 1000 }
    if let departures = job.departures, pair.time < 0 {
      routeRow.setHour(trip.hour, of: departures, elapsed: trip.elapsed)
    } else if let (moment, isArrival) = moment(of: pair) {
      if isArrival {
        routeRow.departure = seconds.map { moment.adding(seconds: -$0).text }
        routeRow.arrival = moment.adding(seconds: -elapsed).text
        routeRow.arrivalTime = moment.text
      } else {
        routeRow.departure = moment.adding(seconds: elapsed).text
        routeRow.arrival = seconds.map { moment.adding(seconds: $0).text }
      }
    }
    if job.writesLinks {
      routeRow.link = job.link(from: origin.coordinate, to: destination.coordinate, avoiding: pair.avoids)
    }
    return routeRow
  }

  /// Without a route between the places themselves: there is no distance that begins anywhere else.
  private func straightLine(
    _ origin: Int, _ destination: Int, _ avoids: Profile.Avoidance, isFound: Bool
  ) -> Int64 {
    let places = search(avoiding: avoids).places
    if isFound, let from = places[origin].usableEnd, let to = places[destination].usableEnd {
      return TripEnd.straightLine(from, to)
    }
    return Int64((table.places[origin].coordinate.distance(to: table.places[destination].coordinate) * 100).rounded())
  }
}

/// Why there is no route between two places: what is the matter with which end.
struct RouteReason {
  /// Parts joined by commas, each an end and what is the matter with it.
  let text: String

  /// - Parameter isTimed: Whether the trip was searched for at a time, which the streets may be closed at.
  init(
    origin: SnappedPlace, at from: FixedCoordinate, destination: SnappedPlace, at to: FixedCoordinate, isTimed: Bool,
    _ router: Router
  ) {
    guard let source = origin.usableEnd, let target = destination.usableEnd else {
      let ends = [("origin", origin, from), ("destination", destination, to)]
      text = ends.compactMap { name, place, point in
        place.usableEnd == nil ? place.reason(at: point, on: router.network).map { "\(name): \($0.rawValue)" } : nil
      }.joined(separator: ", ")
      return
    }
    if isTimed, router.weight(from: source, to: target) != nil {
      text = "closed"
      return
    }
    let ends = RouteReason.ends(source, target, router)
    guard ends.isEmpty else {
      text = ends.joined(separator: ", ")
      return
    }
    let sizes = [source, target].map { router.network.componentSize(of: $0.snap.street) }
    let isOrigin = sizes[0] <= sizes[1]
    if router.weight(from: target, to: source) != nil {
      // There is a way back: one of the two is a place that one only comes to, or only leaves.
      text = isOrigin ? "origin: cannot be left" : "destination: cannot be entered"
    } else {
      let size = min(sizes[0], sizes[1])
      text = "\(isOrigin ? "origin" : "destination"): island of \(size) \(size == 1 ? "junction" : "junctions")"
    }
  }

  /// What is the matter with each end, next to the largest part of the network; empty where both are of it.
  private static func ends(_ source: TripEnd, _ target: TripEnd, _ router: Router) -> [String] {
    guard let main = router.mainEnd else { return [] }
    func island(_ end: TripEnd) -> String {
      let size = router.network.componentSize(of: end.snap.street)
      return "island of \(size) \(size == 1 ? "junction" : "junctions")"
    }
    var ends: [String] = []
    if router.weight(from: source, to: main) == nil {
      ends.append("origin: \(router.weight(from: main, to: source) != nil ? "cannot be left" : island(source))")
    }
    if router.weight(from: main, to: target) == nil {
      ends.append("destination: \(router.weight(from: target, to: main) != nil ? "cannot be entered" : island(target))")
    }
    return ends
  }
}

extension Router {
  /// Why there is no trip between two places, as column `reason` of table `route` has it; empty if there is one.
  package func reason(from origin: Coordinate, to destination: Coordinate, at time: TripTime?) -> String {
    let ends = [("origin", origin), ("destination", destination)]
    guard ends.allSatisfy(\.1.isValid) else {
      return ends.filter { !$0.1.isValid }.map { "\($0.0): invalid" }.joined(separator: ", ")
    }
    let places = ends.map { _, place in
      let end = end(at: place)
      return SnappedPlace(end: end, passedSize: end == nil ? passedIsland(at: place, nil)?.size : nil)
    }
    if let source = places[0].end, let target = places[1].end {
      if weight(from: source, to: target, at: time) != nil { return "" }
      if isTooLong(from: source, to: target) { return "too_long" }
    }
    return RouteReason(
      origin: places[0], at: FixedCoordinate(origin), destination: places[1], at: FixedCoordinate(destination),
      isTimed: time != nil, self
    ).text
  }
}
