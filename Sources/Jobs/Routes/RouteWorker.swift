import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import Transit
import TransitNetwork

/// A worker that computes the rows of a chunk; one per thread.
struct RouteWorker {
  let job: Job
  let table: PairTable
  /// The searches, one per set of avoidances; the first is for pairs without avoidances of their own.
  let searches: [RouteSearch]
  let content: RouteWriter.Content
  private let features = FeatureList()
  /// The check of the order of a row's times; nil if they need not be ordered.
  let order: DepartureOrder?
  /// The query for trips by public transport; nil in a job without transit.
  let transit: TransitTrips.Query?
  /// The service on the dates of rows; nil in a job without transit.
  let dates: TransitDates?
  /// The routes of trips by public transport; nil if only times are needed.
  let transitRoutes: TransitRoutes?
  /// The selection of trips by percentile; nil if each hour of a row is written.
  let percentiles: PercentileTrips?

  /// The answer for a pair of points and a departure or arrival, shared by equal rows.
  private enum Answer {
    case missing(RowStatus, reason: String)
    /// An earlier leg (with arrivals, a later one) has no route, so the time of this leg is unknown.
    case noTime
    /// The best route, then its alternates.
    case routes([Route])
    /// The streets are present only if the job counts trips per street.
    case eta(RouteRow.Found, streets: [DirectedStreet] = [])
    /// By public transport.
    case trip(RouteRow.Found, Route, [RideRow])

    /// The time of the best route; nil if there is none.
    var milliseconds: UInt32? {
      switch self {
      case .missing, .noTime: nil
      case .eta(let found, _), .trip(let found, _, _): UInt32(found.milliseconds)
      case .routes(let routes): routes[0].weight.milliseconds
      }
    }
  }

  /// The bytes of the searches so far.
  var memory: Int { searches.reduce(0) { $0 + $1.memory } }

  /// The indices of each row's hours; only 0 in a job without hours.
  private var hours: Range<Int> { 0..<(job.departures?.hours.count ?? 1) }

  func compute(_ rows: Range<Int>) throws -> RouteWriter.Chunk {
    let answers = answers(to: rows)
    try checkOrder(rows, answers)
    let trips = rows.flatMap { row in
      let first = (row - rows.lowerBound) * hours.count
      return writtenHours(of: answers[first..<first + hours.count]).map { percentile, hour in
        (TripKey(row: row, hour: hour, percentile: percentile), answers[first + hour])
      }
    }
    var written: [RouteWriter.Answer] = []
    written.reserveCapacity(trips.count)
    var phrases = ChunkPhrases()
    var text = TextBuffer(capacity: 1 << 16)
    var flows = FlowSums()
    func add(_ route: Route, _ row: RouteRow, _ rides: [RideRow] = [], avoiding avoids: Profile.Avoidance = []) {
      let steps = phrases.rows(of: route.steps, in: row, avoiding: avoids, hasGeometry: content.hasShapes)
      written.append(.init(row: row, steps: steps, rides: rides))
      features.append(&text) { $0.append(row, content.axis.column, shape: route.polyline) }
    }
    for (trip, answers) in trips {
      let elapsed = elapsed(of: answers, in: trip)
      for (leg, answer) in answers.enumerated() {
        var key = trip
        (key.leg, key.elapsed) = (leg, elapsed[leg])
        switch answer {
        case .missing(let status, let reason):
          var routeRow = self.row(key, status)
          routeRow.reason = reason
          written.append(.init(row: routeRow))
        case .noTime:
          var routeRow = self.row(key, .directionsNotFound)
          (routeRow.reason, routeRow.departure, routeRow.arrival) = ("no_time", nil, nil)
          written.append(.init(row: routeRow))
        case .eta(let found, let streets):
          flows.add(streets, weight: weight(of: trip.row))
          written.append(.init(row: self.row(key, .ok, found)))
        case .routes(let routes):
          flows.add(routes[0].streets, weight: weight(of: trip.row))
          for (alternative, route) in routes.enumerated() {
            add(route, self.row(key, .ok, RouteRow.Found(route), alternative), avoiding: table.pairs[trip.row].avoids)
          }
        case .trip(let found, let route, let rides):
          let routeRow = self.row(key, .ok, found)
          let rideRows = rides.map { ride in
            var ride = ride
            (ride.pair, ride.leg, ride.hour) = (routeRow.pair, routeRow.leg, routeRow.hour)
            return ride
          }
          add(route, routeRow, rideRows)
        }
      }
    }
    var chunk = RouteWriter.Chunk()
    (chunk.rows, chunk.routes, chunk.phrases) = (rows.count, written, phrases.rows)
    if content.hasSteps { chunk.features = features.finishBlock() }
    if content.hasFlows { chunk.flows = flows }
    return chunk
  }

  /// Returns the pair's weight; nil if it has none.
  private func weight(of row: Int) -> Double? {
    let weight = table.pairs[row].weight
    return weight.isNaN ? nil : weight
  }

  /// Returns the hours of a row to write, each with its percentile; in a job without percentiles, all hours with nil.
  ///
  /// - Parameter answers: The answers at each hour.
  private func writtenHours(of answers: ArraySlice<[Answer]>) -> [(percentile: Int?, hour: Int)] {
    guard let percentiles else { return hours.map { (nil, $0) } }
    // Pairs of several legs have no percentiles (`TripTask.prepare`).
    return Array(zip(percentiles.percentiles, percentiles.hours(of: answers.map { $0[0].milliseconds })))
  }

  /// Checks the order of times in one row out of a thousand.
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

  /// Returns the answers in row order, each a list of legs. They are computed in map order, so that neighbouring trips
  /// find warm caches; equal queries are computed once.
  private func answers(to rows: Range<Int>) -> [[Answer]] {
    var order: [(from: UInt32, to: UInt32, row: Int)] = rows.map { row in
      let key = queryKey(of: table.pairs[row])
      return (HilbertIndex(key.origin).value, HilbertIndex(key.destination).value, row)
    }
    order.sort { ($0.from, $0.to, $0.row) < ($1.from, $1.to, $1.row) }
    if let transit { return answers(to: order.map(\.row), in: rows, by: transit) }
    var answers = [[Answer]](repeating: [], count: rows.count * hours.count)
    var computed = [QueryKey: Answer](minimumCapacity: answers.count)
    for (_, _, row) in order {
      let pair = table.pairs[row]
      let legs = table.pairs.legs(of: row)
      var key = queryKey(of: pair)
      for hour in hours {
        let index = (row - rows.lowerBound) * hours.count + hour
        guard legs.count == 1 else {
          answers[index] = compute(legs, of: pair, hour)
          continue
        }
        key.hour = hour
        let answer = computed[key] ?? compute(legs[0], pair.avoids, at: time(of: pair, hour))
        computed[key] = answer
        answers[index] = [answer]
      }
    }
    return answers
  }

  /// Returns the answers for trips by public transport.
  private func answers(to order: [Int], in rows: Range<Int>, by transit: TransitTrips.Query) -> [[Answer]] {
    var answers = [[Answer]](repeating: [], count: rows.count * hours.count)
    func set(_ row: Int, _ answer: (_ hour: Int) -> Answer) {
      for hour in hours { answers[(row - rows.lowerBound) * hours.count + hour] = [answer(hour)] }
    }
    var (pairRows, pairs): ([Int], [TransitTrips.Query.Pair]) = ([], [])
    var byHour: [TransitHour: [(row: Int, pair: TransitTrips.Query.Pair, instant: TransitInstant)]] = [:]
    for row in order {
      let leg = table.pairs.legs(of: row)[0]
      let (from, to) = (searches[0].places[Int(leg.origin)], searches[0].places[Int(leg.destination)])
      guard let origin = from.usableEnd, let destination = to.usableEnd else {
        // The reason depends only on how the pair's ends were snapped.
        set(row) { _ in compute(leg, [], at: nil) }
        continue
      }
      let pair = TransitTrips.Query.Pair(
        origin: Int(leg.origin), destination: Int(leg.destination),
        walk: searches[0].router.weight(from: origin, to: destination))
      guard let dates, let time = rowTime(of: table.pairs[row]) else {
        pairRows.append(row)
        pairs.append(pair)
        continue
      }
      let (hour, milliseconds) = dates.hour(of: time)
      byHour[hour, default: []].append(
        (row, pair, dates.instant(milliseconds, of: hour, secondsFromGMT: time.moment.secondsFromGMT)))
    }
    func answer(
      _ row: Int, _ pair: TransitTrips.Query.Pair, _ trip: TransitTrip?, _ instant: TransitInstant,
      in schedule: TransitSchedule?
    ) -> Answer {
      trip.map { self.answer($0, of: table.pairs.legs(of: row)[0], walk: pair.walk, at: instant, in: schedule) }
        ?? .missing(.directionsNotFound, reason: "beyond_limit")
    }
    for (hour, requests) in byHour.sorted(by: { $0.key < $1.key }) {
      let trips = transit.trips(of: requests.map { ($0.pair, $0.instant.milliseconds) }, in: hour)
      let schedule = try? dates?.schedule(in: hour)
      for ((row, pair, instant), trip) in zip(requests, trips) {
        let found = answer(row, pair, trip, instant, in: schedule)
        set(row) { _ in found }
      }
    }
    guard let departures = job.departures else { return answers }
    let found = transit.trips(of: pairs, choosing: percentiles.map { percentiles in { percentiles.hours(of: $0) } })
    for ((row, pair), found) in zip(zip(pairRows, pairs), found) {
      set(row) { hour in
        // An hour with a time but no trip is not written; its time only serves to select percentiles.
        if let time = found.times[hour], found.trips[hour] == nil {
          return .eta(RouteRow.Found(centimetres: 0, milliseconds: Int64(time)))
        }
        return answer(row, pair, found.trips[hour], departures.instant(transit.moments[hour]), in: nil)
      }
    }
    return answers
  }

  /// Returns the answer for a trip by public transport, with its route if requested.
  ///
  /// - Parameter schedule: The schedule of the trip's hour; nil for the job's.
  private func answer(
    _ trip: TransitTrip, of leg: InputPairs.Leg, walk: Weight?, at instant: TransitInstant,
    in schedule: TransitSchedule?
  ) -> Answer {
    var found = RouteRow.Found(trip, walk: walk)
    let places = searches[0].places
    guard let routes = transitRoutes, let origin = places[Int(leg.origin)].usableEnd,
      let destination = places[Int(leg.destination)].usableEnd,
      let (route, rides) = routes.route(
        of: trip, from: origin, to: destination, at: instant.milliseconds, in: schedule, searches[0].router)
    else { return .eta(found) }
    found.centimetres = Int64(route.weight.centimetres)
    found.route = RouteRow.Details(route)
    let rows = rides.enumerated().map { index, ride in
      RideRow(ride, number: index + 1, of: routes.timetable, at: instant, hasShapes: content.hasShapes)
    }
    return .trip(found, route, rows)
  }

  private struct QueryKey: Hashable {
    var origin: FixedCoordinate
    var destination: FixedCoordinate
    var time: Int32
    var avoids: Profile.Avoidance
    var hour = 0
  }

  /// A leg of an input row at one of its hours.
  private struct TripKey {
    var row: Int
    var hour: Int
    /// Nil in a job without percentiles.
    var percentile: Int?
    /// The index of the leg, from 0.
    var leg = 0
    /// Milliseconds of the earlier legs; for arrivals, of the later ones.
    var elapsed = 0
  }

  private func queryKey(of pair: InputPairs.Pair) -> QueryKey {
    QueryKey(
      origin: table.places.coordinate(at: Int(pair.origin)),
      destination: table.places.coordinate(at: Int(pair.destination)), time: pair.time, avoids: pair.avoids)
  }

  /// Returns the departure or arrival of a trip; nil if there is none.
  private func time(of pair: InputPairs.Pair, _ hour: Int) -> TripTime? {
    job.tripTime(of: rowTime(of: pair), atHour: hour)
  }

  private func search(avoiding avoids: Profile.Avoidance) -> RouteSearch {
    searches.first { $0.avoids == avoids } ?? searches[0]
  }

  /// Computes the legs in order, each starting when the previous one ends; for arrivals, from the last to the first.
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

  /// Returns the milliseconds of the legs before each leg of a trip; for arrivals, of the legs after it.
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
      let reason = search.router.reason(
        origin: from, at: table.places.coordinate(at: Int(leg.origin)), destination: to,
        at: table.places.coordinate(at: Int(leg.destination)), time)
      return .missing(status, reason: reason)
    }
    func withoutRoute(from origin: TripEnd, to destination: TripEnd) -> Answer {
      search.router.isTooLong(from: origin, to: destination)
        ? .missing(.directionsNotFound, reason: "too_long") : missing(.directionsNotFound)
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

  private func rowTime(of pair: InputPairs.Pair) -> PairTable.RowTime? {
    pair.time >= 0 ? table.times[Int(pair.time)] : nil
  }

  /// Returns the departure or arrival of a trip, from its row or the job; nil if neither has one.
  private func moment(of pair: InputPairs.Pair) -> (Timestamp, isArrival: Bool)? {
    if let time = rowTime(of: pair) { return (time.moment, time.isArrival) }
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
      routeRow.setHour(trip.hour, of: departures, elapsed: trip.elapsed, number: trip.percentile)
      routeRow.arrivalTime = job.arrival?.text
    } else if let (moment, isArrival) = moment(of: pair) {
      if isArrival {
        // Rounded down, so that a trip that leaves then is in time.
        routeRow.departure = seconds.map { moment.adding(seconds: -$0.rounded(.up)).text }
        routeRow.arrival = moment.adding(seconds: -elapsed.rounded(.up)).text
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

  /// Returns the straight-line distance in centimetres between the end points of the route; without a route, between
  /// the places themselves.
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

extension Router {
  /// Returns why there is no route between two places at a time: `closed` if there is a route without a time or at other
  /// times; otherwise one or two parts joined by a comma, each an end and its problem.
  fileprivate func reason(
    origin: SnappedPlace, at from: FixedCoordinate, destination: SnappedPlace, at to: FixedCoordinate, _ time: TripTime?
  ) -> String {
    guard let source = origin.usableEnd, let target = destination.usableEnd else {
      let ends = [("origin", origin, from), ("destination", destination, to)]
      return ends.compactMap { name, place, point in
        place.usableEnd == nil ? place.reason(at: point, on: network).map { "\(name): \($0.rawValue)" } : nil
      }.joined(separator: ", ")
    }
    if let time, weight(from: source, to: target) != nil || hasRouteWhenOpen(from: source, to: target, at: time) {
      return "closed"
    }
    let problems = problems(source, target)
    guard problems.isEmpty else { return problems.joined(separator: ", ") }
    let sizes = [source, target].map { network.componentSize(of: $0.snap.street) }
    let isOrigin = sizes[0] <= sizes[1]
    // If there is a route in the opposite direction, one of the two places can only be entered or only be left.
    if weight(from: target, to: source) != nil {
      return isOrigin ? "origin: cannot be left" : "destination: cannot be entered"
    }
    return isOrigin ? "origin: \(island(source))" : "destination: \(island(target))"
  }

  private func island(_ end: TripEnd) -> String {
    "island of \(network.componentSize(of: end.snap.street).counted("junction"))"
  }

  /// Returns the problem of each end, relative to the largest part of the network; empty if both ends are in that part.
  private func problems(_ source: TripEnd, _ target: TripEnd) -> [String] {
    guard let main = mainEnd else { return [] }
    var problems: [String] = []
    if weight(from: source, to: main) == nil {
      problems.append("origin: \(weight(from: main, to: source) != nil ? "cannot be left" : island(source))")
    }
    if weight(from: main, to: target) == nil {
      problems.append("destination: \(weight(from: target, to: main) != nil ? "cannot be entered" : island(target))")
    }
    return problems
  }

  /// Returns why there is no trip between two places, for column `reason` of table `route`; empty if there is one.
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
    return reason(
      origin: places[0], at: FixedCoordinate(origin), destination: places[1], at: FixedCoordinate(destination), time)
  }
}
