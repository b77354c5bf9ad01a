import Foundation
import Geography
import Hierarchy
import Testing
import Transit

struct RandomTimetableTests {
  /// Overtaking, loops, zero-time hops, stops at the same place, no slack, blocks, stops without boarding or alighting,
  /// all kinds of transfer rules, repeated trips, midnight, two time zones, closed stops and lines; more than 255
  /// departures; all in minutes or in seconds; by departure and by arrival, with and without a limit on rides.
  @Test(arguments: 0..<10) func everyCellEqualsTheOracle(part: Int) {
    let count = Int(ProcessInfo.processInfo.environment["ODOMETER_RANDOM_GRAPHS"] ?? "") ?? 1000
    for seed in stride(from: part, to: max(10, count), by: 10) {
      var random = RandomNumbers(seed: UInt64(seed))
      var drawn = DrawnTimetable(random: &random)
      (drawn.isArrival, drawn.maximumRides) = (seed / 10 % 2 == 1, seed / 20 % 2 == 1 ? seed / 40 % 3 + 1 : nil)
      let isWide = seed % 50 == 0
      let departures = (0..<(isWide ? 300 : random.number(1...12))).map { _ in
        random.moment(0...900) * 1000 + (random.isTrue(4) ? random.number(0...999) : 0)
      }
      let stops = random.isTrue(8) ? drawn.names.map { _ in !random.isTrue(4) } : nil
      let lines = random.isTrue(8) ? [true, !random.isTrue(2), true] : nil
      let question = Question(drawn, departures: departures, stops: stops, lines: lines)
      let (origins, places) = (drawn.places(&random, 1...3), drawn.places(&random, 1...4))
      let walking = (0..<origins.count * places.count).map { _ in random.isTrue(3) ? random.number(0...2_000_000) : nil
      }
      _ = question.times(from: origins, to: places, walking: walking, seed: seed)
    }
  }
}

/// Random times, reproducible by their seed.
struct RandomNumbers {
  private var generator: SeededGenerator
  /// The unit of times, in seconds: all times are multiples of it.
  var unit = 1

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func isTrue(_ oneIn: Int) -> Bool { number(1...oneIn) == 1 }
  mutating func moment(_ range: ClosedRange<Int>) -> Int { number(range) / unit * unit }
}

extension DrawnTimetable {
  /// Creates a small timetable with all features.
  init(random: inout RandomNumbers) {
    self.init("")
    random.unit = random.isTrue(2) ? 60 : 1
    let span = [300, 900][random.number(0...1)]
    names = (0..<random.number(2...7)).map { "\($0)" }
    // Every other stop is within 200 m of the previous one.
    for (index, name) in names.enumerated() where index % 2 == 1 {
      latitudes[name] = Int32(index - 1) * 10_000_000 + 15_000
    }
    services = [(0, [0, 1]), (0, [-1]), (1, [0])]
    let zone = random.number(-1...1) * 3600
    days = [-1, 0, 1].flatMap { day in
      [
        TransitWindow.ServiceDay(feed: 0, day: day, start: day * 86_400),
        TransitWindow.ServiceDay(feed: 1, day: day, start: day * 86_400 + zone),
      ]
    }
    headways = random.isTrue(2) ? .averageWait : .timetable
    slack = [0, 0, 1, 60][random.number(0...3)]
    limit = random.number(60...2400) * 1000
    for _ in 0..<random.number(1...20) {
      var trip = Trip(calls: [], line: random.number(0...2), service: random.number(0...2))
      var time = random.moment(0...span) - (trip.service == 2 ? zone : trip.service == 1 ? -86_400 : 0)
      for _ in 0..<random.number(2...5) {
        let arrival = time
        if random.isTrue(3) { time += random.moment(0...120) }
        let flags = UInt8(random.isTrue(4) ? random.number(1...3) : 0)
        trip.calls.append((random.number(0...names.count - 1), arrival, time, flags))
        if !random.isTrue(3) { time += random.moment(0...240) }
      }
      if random.isTrue(2) { trip.block = random.number(0...2) + trip.service * 3 }
      trips.append(trip)
    }
    for trip in trips.indices where random.isTrue(8) {
      let start = trips[trip].calls[0].departure
      for _ in 0..<random.number(1...2) {
        frequencies.append(
          Timetable.Frequency(
            trip: UInt32(trip), start: Int32(start + random.moment(0...60)),
            end: Int32(start + random.moment(60...400)),
            headway: Int32(max(random.unit, random.moment(20...200))), isExact: random.isTrue(2) ? 1 : 0))
      }
    }
    for from in names.indices {
      for to in names.indices {
        if random.isTrue(4) { walks.append((from, to, random.isTrue(3) ? 0 : random.number(0...300_000))) }
        guard random.isTrue(6) else { continue }
        transfers.append(
          Timetable.Transfer(
            from: UInt32(from), to: UInt32(to), seconds: Int32(random.moment(0...300)),
            type: UInt32(random.number(0...3))))
      }
    }
    for _ in 0..<random.number(0...3) {
      let (from, to) = (random.number(0...trips.count - 1), random.number(0...trips.count - 1))
      continuations.append(
        Timetable.Continuation(from: UInt32(from), to: UInt32(to), staysSeated: UInt32(random.number(0...1))))
    }
  }

  /// Returns places with walks to some of the stops.
  func places(_ random: inout RandomNumbers, _ count: ClosedRange<Int>) -> StopWalks {
    StopWalks(
      (0..<random.number(count)).map { _ in
        names.indices.filter { _ in random.isTrue(2) }.map { stop in
          StopWalks.Walk(stop: UInt32(stop), milliseconds: UInt32(random.isTrue(3) ? 0 : random.number(0...400_000)))
        }
      })
  }
}

/// Properties that hold for every timetable, whatever the results.
struct TransitPropertyTests {
  private static let departures = (0..<20).map { $0 * 40_000 }

  /// Returns the times between all pairs of stops for a timetable without rules that forbid a transfer.
  private func times(_ drawn: DrawnTimetable, departures: [Int] = departures) -> [UInt32] {
    let stops = StopWalks(drawn.names.indices.map { [StopWalks.Walk(stop: UInt32($0), milliseconds: 0)] })
    let walking = [Int?](repeating: nil, count: stops.count * stops.count)
    return Question(drawn, departures: departures).times(from: stops, to: stops, walking: walking)
  }

  private func isNeverQuicker(_ a: [UInt32], than b: [UInt32]) -> Bool { zip(a, b).allSatisfy { $0 >= $1 } }

  @Test(arguments: 0..<40) func timetableChangesAreMonotonic(seed: Int) {
    var random = RandomNumbers(seed: UInt64(seed))
    var drawn = DrawnTimetable(random: &random)
    (drawn.transfers, drawn.limit) = ([], 2_000_000)
    let times = times(drawn)
    let (stops, count) = (drawn.names.count, TransitPropertyTests.departures.count)
    for cell in times.indices where cell / stops % count > 0 && times[cell] != MatrixBlock.unreachable {
      #expect(times[cell - stops] <= times[cell] + 40_000, "a later departure must not arrive earlier")
    }
    var changed = drawn
    changed.slack += 30
    #expect(isNeverQuicker(self.times(changed), than: times))
    changed = drawn
    for walk in changed.walks.indices { changed.walks[walk].milliseconds /= 2 }
    #expect(isNeverQuicker(times, than: self.times(changed)))
    changed = drawn
    var trip = changed.trips[0]
    trip.block = nil
    for call in trip.calls.indices { trip.calls[call].arrival += 1; trip.calls[call].departure += 1 }
    changed.trips.append(trip)
    #expect(isNeverQuicker(times, than: self.times(changed)))
    changed = drawn
    for day in changed.days.indices { changed.days[day].start += 3600 }
    #expect(self.times(changed, departures: TransitPropertyTests.departures.map { $0 + 3_600_000 }) == times)
  }
}
