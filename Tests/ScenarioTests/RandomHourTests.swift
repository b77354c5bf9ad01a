import Foundation
import Hierarchy
import OpeningHours
import Routing
import StreetNetwork
import TestMaps
import Testing

/// On random maps, at random hours of days on which streets open and close, every cell equals the result of the
/// textbook time-dependent algorithm and, if all hours are the same, the result without hours.
struct RandomHourTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func cellsEqualTheTextbookAlgorithm(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let map = RandomConditionTests.map(&random)
    let network = try map.drawn.network(profile: .stock(.automobile))
    let router = Router(network, map.drawn.options)
    let ends = RandomStateTests.ends(20, router, &random)
    let isArrival = Bool.random(using: &random)
    let date = CalendarDay(number: Int.random(in: 20_454..<20_819, using: &random))
    let noon = Date(timeIntervalSince1970: Double(date.number) * 86_400 + 43_200)
    let day = Bool.random(using: &random) ? LocalTime(noon, secondsFromGMT: 0) : nil
    let speeds = seed.isMultiple(of: 4) ? nil : RandomHourTests.speeds(of: network, &random)
    let timed = TimedNetwork(network, speeds, on: day, waitLimit: RandomHourTests.waitLimit(&random))
    let times = (0..<Int.random(in: 1...20, using: &random)).map { _ in
      TripTime(
        weekday: date.weekday,
        seconds: .random(in: 0..<96, using: &random) * 900 + (seed.isMultiple(of: 3) ? 7 : 0), day: day,
        isArrival: isArrival)
    }
    let (rows, columns) = (ends + ends.prefix(3), ends.suffix(12) + [ends[0]])
    for distances in [false, true] {
      let matrix = HourlyMatrix(
        timed, from: rows, to: Array(columns), at: times, distances: distances, sweeps: seed.isMultiple(of: 2))
      let fill = matrix.makeFill()
      for part in matrix.blocks {
        let block = fill(part)
        for (number, origin) in part.enumerated() {
          for (index, time) in times.enumerated() {
            for (column, destination) in columns.enumerated() {
              let found = block.weight(row: number * times.count + index, column: column)
              let right = RandomHourTests.weight(rows[origin], destination, at: time, timed)
              let isRight = distances ? found == right : found.milliseconds == right.milliseconds
              #expect(isRight, "seed \(seed), \(time): \(found), textbook \(right)\n\(map.drawn.opl)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func waitsEqualSingleTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 700)
    let map = RandomConditionTests.map(&random).drawn
    let network = try map.network(profile: .stock(.automobile))
    let hours = TimedNetworks(
      network, RandomHourTests.speeds(of: network, &random), waitLimit: RandomHourTests.waitLimit(&random))
    let router = Router(network, map.options, hours)
    let ends = RandomStateTests.ends(8, router, &random).compactMap(\.self)
    let noon = Date(timeIntervalSince1970: 1_774_000_000)
    let time = TripTime(
      weekday: 3, seconds: .random(in: 0..<86_400, using: &random), day: LocalTime(noon, secondsFromGMT: 0),
      isArrival: seed.isMultiple(of: 2))
    let matrix = HourlyMatrix(hours.network(at: time), from: ends, to: ends, at: [time], distances: true, waits: true)
    let block = matrix.makeFill()(ends.indices)
    for (row, from) in ends.enumerated() {
      for (column, to) in ends.enumerated() {
        let eta = router.eta(from: from, to: to, at: time)
        #expect(block.weight(row: row, column: column) == eta?.weight ?? .infinity, "seed \(seed)\n\(map.opl)")
        guard let eta else { continue }
        #expect(block.waits(row: row)[column] == eta.waiting, "seed \(seed), \(time)\n\(map.opl)")
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func otherDestinationsEqualASeparateMatrix(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let map = RandomConditionTests.map(&random)
    let network = try map.drawn.network(profile: .stock(.automobile))
    let ends = RandomStateTests.ends(12, Router(network, map.drawn.options), &random)
    let timed = TimedNetwork(
      network, RandomHourTests.speeds(of: network, &random), on: nil, waitLimit: RandomHourTests.waitLimit(&random))
    let times = (0..<3).map { TripTime(weekday: 1, seconds: 25_200 + $0 * 600, isArrival: seed.isMultiple(of: 2)) }
    let shared = HourlyMatrix(timed, from: ends, to: [], at: times, distances: true).to(ends)
    let whole = HourlyMatrix(timed, from: ends, to: ends, at: times, distances: true)
    let (found, expected) = (shared.makeFill()(ends.indices), whole.makeFill()(ends.indices))
    for row in 0..<ends.count * times.count {
      #expect(found.times(row: row).elementsEqual(expected.times(row: row)))
      #expect(found.lengths(row: row).elementsEqual(expected.lengths(row: row)))
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>, TransportType.allCases)
  func freeFlowIsTheSameAtAllHours(seed: UInt64, type: TransportType) throws {
    var random = SeededGenerator(seed: seed)
    let (map, _) = RandomStateTests.map(&random)
    let network = try map.network(profile: .stock(type.rawValue))
    let router = Router(network, map.options)
    let ends = RandomStateTests.ends(20, router, &random)
    for isArrival in [false, true] {
      let time = TripTime(weekday: 2, seconds: .random(in: 0..<86_400, using: &random), isArrival: isArrival)
      let matrix = HourlyMatrix(
        TimedNetwork(network, nil, on: nil, waitLimit: 0), from: ends, to: ends, at: [time], distances: true)
      let block = matrix.makeFill()(ends.indices)
      for (row, from) in ends.enumerated() {
        for (column, to) in ends.enumerated() {
          let right = RandomStateTests.weight(from, to, router) ?? .infinity
          #expect(block.weight(row: row, column: column) == right, "seed \(seed), \(type)\n\(map.opl)")
        }
      }
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func cutsStreetsAtTheThreshold(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 500)
    let map = RandomConditionTests.map(&random)
    let network = try map.drawn.network(profile: .stock(.automobile))
    var options = Directions.Options()
    options.countsSnapLegs = false
    let router = Router(network, options)
    let (places, points) = (RandomStateTests.ends(5, router, &random), RandomStateTests.ends(30, router, &random))
    let isArrival = Bool.random(using: &random)
    let date = CalendarDay(number: Int.random(in: 20_454..<20_819, using: &random))
    let noon = Date(timeIntervalSince1970: Double(date.number) * 86_400 + 43_200)
    let day = Bool.random(using: &random) ? LocalTime(noon, secondsFromGMT: 0) : nil
    let speeds = seed.isMultiple(of: 4) ? nil : RandomHourTests.speeds(of: network, &random)
    let timed = TimedNetwork(network, speeds, on: day, waitLimit: RandomHourTests.waitLimit(&random))
    let times = (0..<3).map { _ in
      TripTime(
        weekday: date.weekday, seconds: .random(in: 0..<86_400, using: &random), day: day, isArrival: isArrival)
    }
    let query = TripReachQuery(TripReach(timed, at: times))
    for place in places.compactMap(\.self) {
      let limit = UInt32.random(in: 0...300_000, using: &random)
      let states = query.states(around: [place], within: limit + 1000)
      for (hour, time) in times.enumerated() {
        let pieces = query.pieces(around: [(place, 0)], states[hour], at: hour, within: limit)
        for point in points.compactMap(\.self) where point.place != place.place {
          let (from, to) = isArrival ? (point, place) : (place, point)
          let trip = RandomHourTests.weight(from, to, at: time, timed)
          // Times within streets are rounded to milliseconds at a slowness of 1, and to up to 20 ms at others, so
          // either answer is right at the limit.
          guard abs(Int(trip.milliseconds) - Int(limit)) > 25 else { continue }
          guard point.snap.positions.allSatisfy({ $0.fraction > 0 && $0.fraction < 1 }) else { continue }
          let isCovered = point.snap.positions.contains { position in
            pieces.contains {
              $0.street == position.street && $0.from <= position.fraction && position.fraction <= $0.to
            }
          }
          #expect(
            isCovered == (trip.milliseconds <= limit), "seed \(seed), \(time), \(limit): \(trip)\n\(map.drawn.opl)")
        }
      }
    }
  }

  /// Returns a random wait limit: none, zero, some minutes, or an hour.
  static func waitLimit(_ random: inout SeededGenerator) -> UInt32 {
    [.max, 0, UInt32.random(in: 0...200, using: &random) * 60_000, 3_600_000].randomElement(using: &random)!
  }

  /// Returns a few profiles with very different slowness, assigned to random streets.
  static func speeds(of network: StreetNetwork, _ random: inout SeededGenerator) -> StreetSpeeds {
    let minutes = [5, 15, 60].randomElement(using: &random)!
    let count = 7 * 1440 / minutes
    let profiles = (0..<4).map { _ in
      let values = (0..<7).map { _ in
        UInt8.random(in: 0..<20, using: &random) == 0
          ? Slowness.closed : Slowness(Double.random(in: 0.2...20, using: &random))
      }
      return (0..<count).map { values[$0 % values.count] }
    }
    return StreetSpeeds(
      SpeedProfiles(period: UInt32(minutes) * 60_000, [Array(repeating: .one, count: count)] + profiles),
      streets: Column((0..<network.streetCount * 2).map { _ in UInt32.random(in: 0...4, using: &random) }))
  }

  static func weight(_ from: TripEnd?, _ to: TripEnd?, at time: TripTime, _ timed: TimedNetwork) -> Weight {
    guard let from, let to else { return .infinity }
    let oracle = TimedDijkstra(timed.graph)
    let searched =
      time.isArrival
      ? oracle.weights(from: [timed.sources(from)], to: timed.targets(to), by: time.clock)[0]
      : oracle.weights(from: timed.sources(from), at: time.clock, to: [timed.targets(to)])[0]
    return min(searched, timed.directWeight(from: from, to: to, at: time) ?? .infinity)
  }
}
