import Foundation
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Estimates at random hours on random maps, next to the textbook on the clock.
struct RandomEstimateTests {
  /// What is asked of a random map.
  private struct Scene {
    let timed: TimedNetwork
    let ends: [TripEnd?]
    let times: [TripTime]
    let map: String

    init(
      seed: UInt64, days: Int = 1, waitLimit: UInt32 = .max,
      _ speeds: (StreetNetwork, inout SeededGenerator) -> StreetSpeeds? = RandomHourTests.speeds
    ) throws {
      var random = SeededGenerator(seed: seed &+ 9000)
      let drawn = RandomConditionTests.map(&random).drawn
      let network = try drawn.network(profile: .stock(.automobile))
      var options = drawn.options
      options.countsSnapLegs = false
      ends = RandomStateTests.ends(16, Router(network, options), &random)
      let date = CalendarDay(number: Int.random(in: 20_454..<20_819, using: &random))
      let noon = Date(timeIntervalSince1970: Double(date.number) * 86_400 + 43_200)
      let (hasDate, isArrival) = (Bool.random(using: &random), Bool.random(using: &random))
      let day = hasDate ? LocalTime(noon, secondsFromGMT: 0) : nil
      timed = TimedNetwork(network, speeds(network, &random), on: day, waitLimit: waitLimit)
      let seconds = (0..<12).map { _ in Int.random(in: 0..<86_400 * days, using: &random) }.sorted()
      times = seconds.map { TripTime(weekday: date.weekday, seconds: $0, day: day, isArrival: isArrival) }
      map = "seed \(seed)\n\(drawn.opl)"
    }

    /// Milliseconds of each cell: `[origin][time][destination]`.
    func estimates() -> [[[UInt32]]] {
      let matrix = EstimatedMatrix(timed, from: ends, to: ends, at: times)
      let block = matrix.makeFill()(ends.indices)
      return ends.indices.map { row in times.indices.map { Array(block.times(row: row * times.count + $0)) } }
    }

    func forEach(_ body: (_ from: TripEnd?, _ to: TripEnd?, _ time: TripTime, _ estimate: UInt32) -> Void) {
      for (from, rows) in zip(ends, estimates()) {
        for (time, row) in zip(times, rows) { for (to, found) in zip(ends, row) { body(from, to, time, found) } }
      }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func tripsThatEndBeforeAnythingChangesAreExact(seed: UInt64) throws {
    let scene = try Scene(seed: seed, waitLimit: seed.isMultiple(of: 2) ? 600_000 : .max)
    let clock = scene.timed.graph.clock
    var count = 0
    scene.forEach { from, to, time, found in
      guard found < MatrixBlock.unreachable else { return }
      let start = time.isArrival ? time.clock - found : time.clock
      guard start + found <= FrozenClock(clock, at: start).end else { return }
      count += 1
      let right = RandomHourTests.weight(from, to, at: time, scene.timed)
      #expect(found == right.milliseconds, "\(time): \(found), textbook \(right)\n\(scene.map)")
    }
    #expect(count > 0)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func whoLeavesLaterNeverArrivesEarlier(seed: UInt64) throws {
    let scene = try Scene(seed: seed, days: 2)
    func moment(_ index: Int, _ found: UInt32) -> Int {
      let time = scene.times[index]
      guard found < MatrixBlock.unreachable else { return time.isArrival ? -1 : .max }
      return Int(time.clock) + (time.isArrival ? -Int(found) : Int(found))
    }
    for rows in scene.estimates() {
      for column in scene.ends.indices {
        let moments = rows.indices.map { moment($0, rows[$0][column]) }
        #expect(zip(moments, moments.dropFirst()).allSatisfy(<=), "\(moments)\n\(scene.map)")
      }
    }
  }

  /// Nobody moves from noon of Monday to 23:00 of Tuesday, and hardly anybody until midnight: trips take 24 hours.
  @Test func tripsOfAllDaysAreFollowedToTheSameEnd() throws {
    let map = TestMap("a-b-c-d-e-f-g-h-i").way("abcdefghi")
    let network = try map.network(profile: .stock(.automobile))
    let slow = (0..<168).map { 12..<47 ~= $0 ? Slowness.closed : $0 == 47 ? .most : .one }
    let speeds = StreetSpeeds(
      SpeedProfiles(period: 3_600_000, [Array(repeating: .one, count: 168), slow]),
      streets: Column(Array(repeating: 1, count: network.streetCount * 2)))
    let timed = TimedNetwork(network, speeds, on: nil, waitLimit: .max)
    let router = Router(network, map.options)
    let ends = "ai".map { router.end(at: map[$0]) }
    let times = [TripTime(weekday: 0, seconds: 84_600), TripTime(weekday: 1, seconds: 1800)]
    let block = EstimatedMatrix(timed, from: ends, to: ends, at: times).makeFill()(ends.indices)
    for (row, time) in times.enumerated() {
      let right = RandomHourTests.weight(ends[0], ends[1], at: time, timed).milliseconds
      #expect(abs(Int(block.times(row: row)[1]) - Int(right)) < 400 && right > 82_800_000)
    }
    #expect(block.times(row: 0)[1] - block.times(row: 1)[1] == 3_600_000 && block.times(row: 0)[1] > 86_400_000)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func partsAreTheEstimatesOfTheWhole(seed: UInt64) throws {
    let scene = try Scene(seed: seed, days: 3)
    let whole = scene.estimates()
    let (rows, columns) = ([3, 5, 11], [2, 3])
    let matrix = EstimatedMatrix(scene.timed, from: scene.ends, to: scene.ends, at: scene.times)
    for time in scene.times.indices {
      let block = matrix.part(from: rows, to: columns, at: [time]).makeFill()(rows.indices)
      for (number, row) in rows.enumerated() {
        #expect(Array(block.times(row: number)) == columns.map { whole[row][time][$0] }, "\(scene.map)")
      }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func whatNeverOpensHasNoRoute(seed: UInt64) throws {
    let scene = try Scene(seed: seed)
    let clock = scene.timed.graph.clock
    scene.forEach { from, to, time, found in
      let right = RandomHourTests.weight(from, to, at: time, scene.timed)
      if found < MatrixBlock.unreachable { #expect(right.isFinite, "\(time)\n\(scene.map)") }
      guard clock.closings.neverOpen && !clock.profiles.haveClosed else { return }
      #expect(right.isFinite == (found < MatrixBlock.unreachable), "\(time): \(found), \(right)\n\(scene.map)")
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func areExactButForRoundingWhereAllStreetsAreEquallySlow(seed: UInt64) throws {
    let scene = try Scene(seed: seed) { network, random in
      let slow = (0..<672).map { _ in Slowness(Double.random(in: 0.2...20, using: &random)) }
      return StreetSpeeds(
        SpeedProfiles(period: 900_000, [Array(repeating: .one, count: 672), slow]),
        streets: Column(Array(repeating: 1, count: network.streetCount * 2)))
    }
    guard scene.timed.graph.clock.closings.neverOpen else { return }
    scene.forEach { from, to, time, found in
      let right = RandomHourTests.weight(from, to, at: time, scene.timed).milliseconds
      #expect(abs(Int(found) - Int(right)) < 400, "\(time): \(found), textbook \(right)\n\(scene.map)")
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>, [false, true])
  func freeFlowIsTheStaticMatrix(seed: UInt64, isArrival: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let map = RandomStateTests.map(&random).0
    let network = try map.network(profile: .stock(.automobile))
    let router = Router(network, map.options)
    let ends = RandomStateTests.ends(20, router, &random)
    let time = TripTime(weekday: 2, seconds: .random(in: 0..<86_400, using: &random), isArrival: isArrival)
    let block = EstimatedMatrix(TimedNetwork(network, nil, on: nil, waitLimit: .max), from: ends, to: ends, at: [time])
      .makeFill()(
        ends.indices)
    for (row, from) in ends.enumerated() {
      for (column, to) in ends.enumerated() {
        let right = RandomStateTests.weight(from, to, router) ?? .infinity
        #expect(block.times(row: row)[column] == right.milliseconds, "seed \(seed)\n\(map.opl)")
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func samplesAreEstimatesNextToTheTextbook(seed: UInt64) throws {
    let scene = try Scene(seed: seed, waitLimit: seed.isMultiple(of: 2) ? 3_600_000 : .max)
    let sample = EstimatedMatrix(scene.timed, from: scene.ends, to: scene.ends, at: scene.times).sample()
    var cells: [(UInt32, UInt32)] = []
    scene.forEach { from, to, time, found in
      guard from != nil, to != nil else { return }
      cells.append((found, RandomHourTests.weight(from, to, at: time, scene.timed).milliseconds))
    }
    #expect(sample.cells.map(\.estimated) == cells.map(\.0) && sample.cells.map(\.exact) == cells.map(\.1))
  }
}
