import Hierarchy
import Testing
import Transit

/// A timetable drawn as text, one trip per line: stops with their times, which may be an arrival and a departure.
///
///     A 7:00  B 7:04-7:05  C 7:11
///
/// `B/b` allows no boarding and `B/a` no alighting. Stops are far apart unless `latitudes` specifies otherwise; all
/// trips run on day 0 unless services are given.
struct DrawnTimetable {
  struct Trip {
    var calls: [(stop: Int, arrival: Int, departure: Int, flags: UInt8)]
    var line = 0
    var service = 0
    var block: Int?
  }

  var names: [String] = []
  /// The latitudes of stops in 1e-7 degrees; one degree apart if unspecified.
  var latitudes: [String: Int32] = [:]
  var trips: [Trip] = []
  /// The feed and the days of each service.
  var services: [(feed: Int, days: Set<Int>)] = [(0, [0])]
  var frequencies: [Timetable.Frequency] = []
  var transfers: [Timetable.Transfer] = []
  var continuations: [Timetable.Continuation] = []
  /// Walks between stops, in milliseconds.
  var walks: [(from: Int, to: Int, milliseconds: Int)] = []
  var days = [TransitWindow.ServiceDay(feed: 0, day: 0, start: 0)]
  var slack = 0
  var limit = 7_200_000
  var isArrival = false
  var maximumRides: Int?
  var headways = TransitWindow.Headways.timetable

  init(_ lines: String) {
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      var trip = Trip(calls: [])
      for index in stride(from: 0, to: words.count, by: 2) {
        let parts = words[index].split(separator: "/")
        let times = words[index + 1].split(separator: "-").map { DrawnTimetable.seconds(String($0)) }
        let flags: UInt8 = parts.count == 1 ? 0 : parts[1] == "b" ? Timetable.noBoarding : Timetable.noAlighting
        trip.calls.append((stop(String(parts[0])), times[0], times[times.count - 1], flags))
      }
      trips.append(trip)
    }
  }

  /// Returns `7:04` or `7:04:30` in seconds.
  static func seconds(_ text: String) -> Int {
    let parts = text.split(separator: ":").map { Int($0)! }
    return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
  }

  mutating func stop(_ name: String) -> Int {
    if let index = names.firstIndex(of: name) { return index }
    names.append(name)
    return names.count - 1
  }

  mutating func walk(_ from: String, _ to: String, seconds: Int) {
    let (from, to) = (stop(from), stop(to))
    walks += [(from, to, seconds * 1000), (to, from, seconds * 1000)]
  }

  mutating func transfer(_ from: String, _ to: String, type: UInt32, seconds: Int32 = 0) {
    let (from, to) = (UInt32(stop(from)), UInt32(stop(to)))
    transfers.append(Timetable.Transfer(from: from, to: to, seconds: seconds, type: type))
    transfers.sort { ($0.from, $0.to) < ($1.from, $1.to) }
  }

  mutating func `repeat`(trip: Int, from start: String, until end: String, every headway: Int32) {
    let (start, end) = (Int32(DrawnTimetable.seconds(start)), Int32(DrawnTimetable.seconds(end)))
    frequencies.append(Timetable.Frequency(trip: UInt32(trip), start: start, end: end, headway: headway, isExact: 0))
  }

  var timetable: Timetable {
    let calls = trips.flatMap(\.calls)
    let text = Timetable.Text(start: 0, count: 0)
    let firstDay = services.flatMap(\.days).min() ?? 0
    return Timetable(
      timeZones: Column(repeatElement(text, count: Set(services.map(\.feed)).count)),
      callStops: Column(calls.map { UInt32($0.stop) }), arrivals: Column(calls.map { Int32($0.arrival) }),
      departures: Column(calls.map { Int32($0.departure) }), callFlags: Column(calls.map(\.flags)),
      firstCalls: Column(trips.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt32($1.calls.count)) }),
      trips: Column(
        trips.map { trip in
          Timetable.Trip(
            line: UInt32(trip.line), service: UInt32(trip.service),
            block: trip.block.map { UInt32($0) } ?? Timetable.none,
            shape: Timetable.none, wheelchair: 0, headsign: text, id: text)
        }), serviceFeeds: Column(services.map { UInt32($0.feed) }),
      serviceDays: Column(services.map { $0.days.reduce(0 as UInt64) { $0 | 1 << UInt64($1 - firstDay) } }),
      firstDay: Column([Int32(firstDay)]),
      stops: Column(
        names.enumerated().map { index, name in
          Timetable.Stop(
            longitude: 0, latitude: latitudes[name] ?? Int32(index) * 10_000_000, parent: Timetable.none, feed: 0,
            id: text, name: text, platform: text, type: 0, boarding: 0, row: 0)
        }),
      lines: Column(
        repeatElement(
          Timetable.Line(feed: 0, name: text, color: Timetable.none, textColor: Timetable.none, type: 3), count: 3)),
      frequencies: Column(frequencies), transfers: Column(transfers),
      continuations: Column(continuations), pathways: Column([]), firstShapePoints: Column([0]),
      shapePoints: Column([]),
      callHeadsigns: Column([]), callSegments: Column([]), strings: Column([]), metresPerDegree: 111_195)
  }

  var stopWalks: StopWalks {
    var lists = [[StopWalks.Walk]](repeating: [], count: names.count)
    for walk in walks {
      lists[walk.from].append(StopWalks.Walk(stop: UInt32(walk.to), milliseconds: UInt32(walk.milliseconds)))
    }
    return StopWalks(lists)
  }

  /// Returns the travel times between two stops in seconds, one per departure or arrival; -1 if there is no trip.
  /// Expects the oracle to agree.
  func times(
    _ from: String, _ to: String, at departures: [String], walking: Int? = nil, percentiles: [Int]? = nil
  ) -> [Double] {
    let question = Question(self, departures: departures.map { DrawnTimetable.seconds($0) * 1000 })
    let (origin, destination) = (names.firstIndex(of: from)!, names.firstIndex(of: to)!)
    let at = { (stop: Int) in StopWalks([[StopWalks.Walk(stop: UInt32(stop), milliseconds: 0)]]) }
    let (from, to) = isArrival ? (destination, origin) : (origin, destination)
    return question.times(from: at(from), to: at(to), walking: [walking.map { $0 * 1000 }], percentiles).map {
      $0 == MatrixBlock.unreachable ? -1 : Double($0) / 1000
    }
  }
}

/// A window of a drawn timetable, for both the sweep and the oracle.
struct Question {
  let timetable: Timetable
  let window: TransitWindow
  let walks: StopWalks
  var stops: [Bool]?
  var trips: [Bool]?

  init(_ drawn: DrawnTimetable, departures: [Int], stops: [Bool]? = nil, lines: [Bool]? = nil) {
    (timetable, walks, self.stops) = (drawn.timetable, drawn.stopWalks, stops)
    trips = lines.map { lines in drawn.trips.map { lines[$0.line] } }
    window = TransitWindow(
      departures: departures, isArrival: drawn.isArrival, limit: drawn.limit, boardingSlack: drawn.slack,
      maximumRides: drawn.maximumRides, headways: drawn.headways, days: drawn.days)
  }

  func graph(hasTrips: Bool = false) -> TransitGraph {
    TransitGraph(timetable, window, walks: walks, stops: stops, trips: trips, hasTrips: hasTrips)
  }

  /// Returns the travel times of all cells, by origin, departure or percentile, and destination; for arrivals,
  /// `origins` are the ends of trips. Expects the times for departures, and their trips, to equal the oracle's.
  func times(
    from origins: StopWalks, to places: StopWalks, walking: [Int?], _ percentiles: [Int]? = nil, seed: Int? = nil
  ) -> [UInt32] {
    let graph = graph(hasTrips: true)
    let destinations = TransitDestinations(graph, walks: places, workers: 1)
    let sweep = TransitSweep(graph)
    let onFoot = MatrixBlock(columns: places.count, hasLengths: false)
    onFoot.reset(0..<origins.count)
    for (cell, time) in walking.enumerated() {
      let weight = time.map { Weight(milliseconds: UInt32($0), centimetres: 0) } ?? .infinity
      onFoot.set(row: cell / places.count, column: cell % places.count, to: weight)
    }
    sweep.run(0..<origins.count, of: origins)
    let block = MatrixBlock(columns: places.count, hasLengths: false)
    sweep.fill(block, to: destinations, walking: onFoot)
    let oracle = TransitOracle(timetable, window, walks: walks, stops: stops, trips: trips)
    var (questions, swept): ([TripSweep.Question], [TransitTrip?]) = ([], [])
    let count = window.departures.count
    for origin in 0..<origins.count {
      for place in 0..<places.count {
        let walk = walking[origin * places.count + place]
        let (from, to) = window.isArrival ? (places[place], origins[origin]) : (origins[origin], places[place])
        let found = oracle.times(from: Array(from), to: [(egress: Array(to), walking: walk)])[0]
        let swept = (0..<count).map { block.times(row: origin * count + $0)[place] }
        #expect(
          found.map { $0.map { UInt32($0) } ?? MatrixBlock.unreachable } == swept,
          "seed \(seed ?? 0), \(origin) to \(place) at all departures")
      }
      if count <= 12 { expectTimesOfStops(origins[origin], oracle, "seed \(seed ?? 0), \(origin) and all stops") }
      for (departure, moment) in window.departures.enumerated() {
        for place in 0..<places.count {
          let walk = walking[origin * places.count + place]
          let (from, to) = (Array(origins[origin]), Array(places[place]))
          let best = oracle.trip(
            from: window.isArrival ? to : from, to: window.isArrival ? from : to, walking: walk, at: moment)
          let time = block.times(row: origin * count + departure)[place]
          let note = "seed \(seed ?? 0), \(origin) to \(place) at \(moment): oracle \(best as Any)"
          #expect(time == best.map { UInt32($0.milliseconds) } ?? MatrixBlock.unreachable, "\(note)")
          let trip = sweep.trip(lane: origin, to: place, of: destinations, departure: departure, walking: walk)
          #expect(trip?.milliseconds == best?.milliseconds && trip?.rides == best?.rides, "\(note)")
          questions.append(.init(access: origins[origin], egress: places[place], moment: moment, walking: walk))
          swept.append(trip)
          let own = sweep.time(lane: origin, to: place, of: destinations, departure: departure, walking: walk)
          #expect(own.map { Int($0) } == trip?.milliseconds, "\(note)")
          #expect(trip.map { $0.access + $0.transfer + $0.egress } == best?.walked, "\(note)")
          if let trip { expectVehicles(of: trip, at: moment, note) }
        }
      }
    }
    #expect(TripSweep(graph).trips(questions) == swept, "seed \(seed ?? 0): each trip at its own time")
    if let percentiles {
      let network = PercentileNetwork(count: count, percentiles: percentiles)
      sweep.fill(block, to: destinations, walking: onFoot, percentiles: network)
    }
    return (0..<block.rows.count).flatMap { Array(block.times(row: $0)) }
  }

  /// Expects the times between a place and each stop to equal those of trips between them.
  private func expectTimesOfStops(_ place: Slice<Column<StopWalks.Walk>>, _ oracle: TransitOracle, _ note: String) {
    for (stop, times) in oracle.timesOfStops(Array(place)).enumerated() {
      let walk = [StopWalks.Walk(stop: UInt32(stop), milliseconds: 0)]
      let trips = window.departures.map { moment in
        oracle.trip(
          from: window.isArrival ? walk : Array(place), to: window.isArrival ? Array(place) : walk, walking: nil,
          at: moment)
      }
      #expect(times == trips.map { $0?.milliseconds }, "\(note): \(stop)")
    }
  }

  /// Follows a trip from vehicle to vehicle, and expects it to add up and to catch every vehicle.
  private func expectVehicles(of trip: TransitTrip, at moment: Int, _ note: String) {
    #expect(trip.waiting >= 0 && trip.riding >= 0 && trip.rides <= window.maximumRides ?? .max, "\(note)")
    guard let first = trip.vehicles.first, let last = trip.vehicles.last else {
      #expect(trip.waiting + trip.riding + trip.transfer + trip.egress == 0, "\(note)")
      return
    }
    let start = window.isArrival ? moment - trip.milliseconds : moment
    #expect(start + trip.access + window.boardingSlack * 1000 <= first.departure * 1000, "\(note)")
    #expect(last.arrival * 1000 + trip.egress <= start + trip.milliseconds, "\(note)")
    var (riding, walked) = (0, 0)
    for (vehicle, next) in zip(trip.vehicles, trip.vehicles.dropFirst() + [last]) {
      let (boarding, alighting) = (vehicle.boarding, vehicle.alighting)
      #expect(timetable.callFlags[boarding] & 1 == 0 || vehicle.staysSeated, "\(note)")
      #expect(timetable.trip(of: boarding) == timetable.trip(of: alighting) && boarding < alighting, "\(note)")
      let shift = vehicle.departure - Int(timetable.departures[boarding])
      #expect(vehicle.arrival == Int(timetable.arrivals[alighting]) + shift, "\(note)")
      riding += (vehicle.arrival - vehicle.departure) * 1000
      guard next != vehicle else { continue }
      #expect(vehicle.arrival * 1000 + next.walk <= next.departure * 1000, "\(note)")
      walked += next.walk
      if next.staysSeated { riding += (next.departure - vehicle.arrival) * 1000 }
    }
    #expect(riding == trip.riding && walked == trip.transfer && !first.staysSeated, "\(note)")
  }
}
