import Foundation
import Geography
import Hierarchy
import OpeningHours
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Random maps whose streets, turns and gates are open at certain times, at random instants: every engine is compared
/// with plain Dijkstra on the part that is open then, and routes with the original tags.
struct RandomConditionTests {
  private static let hours = [
    "07:00-09:00", "22:00-06:00", "Mo-Fr", "Sa,Su 10:00-18:00", "Nov-Mar", "sunset-sunrise", "PH", "week 1-53/2",
    "Fr[3] 12:00-36:00", "24/7",
  ]

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func allEnginesAgreeWithDijkstra(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let map = RandomConditionTests.map(&random)
    let network = try map.drawn.network(profile: .stock(.automobile))
    #expect(network.hierarchy.brokenInvariant(over: network.states.arcs) == nil)
    let times = [nil] + (0..<3).map { _ in RandomConditionTests.time(&random) }
    for time in times {
      let network = network.slowed(at: time)
      let router = Router(network, map.drawn.options)
      let ends = (0..<10).compactMap { _ in router.end(at: RandomConditionTests.place(&random)) }
      let oracle = TripOracle(network, at: time)
      let block = TripMatrix(network, from: ends, to: ends, distances: true, at: time).makeFill()(ends.indices)
      let nearest = TripNearest(network, to: ends, count: ends.count, at: time)
      if let last = ends.last {
        let backward = oracle.weights(from: ends, to: [last]).map { $0[0] }
        #expect(backward == ends.map { oracle.weight(from: $0, to: last) }, "seed \(seed)\n\(map.drawn.opl)")
      }
      for (row, from) in ends.enumerated() {
        let expected = oracle.weights(from: [from], to: ends)[0]
        let found = nearest.nearest(to: from)
        for (column, to) in ends.enumerated() {
          let comment = Comment(rawValue: "seed \(seed), \(String(describing: time))\n\(map.drawn.opl)")
          let route = router.route(from: from, to: to, frozenAt: time)
          #expect(route?.weight == expected[column], comment)
          #expect(map.closedStreet(of: route, at: time) == nil, comment)
          #expect(block.weight(row: row, column: column) == expected[column] ?? .infinity, comment)
          #expect(found.first { $0.target == column }?.weight == expected[column], comment)
        }
      }
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func tripsOnTheClockAgreeWithDijkstra(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let map = RandomConditionTests.map(&random).drawn
    let network = try map.network(profile: .stock(seed.isMultiple(of: 3) ? .cycling : .automobile))
    for speeds in [nil, RandomConditionTests.speeds(of: network, &random)] {
      let hours = TimedNetworks(network, speeds, waitLimit: RandomHourTests.waitLimit(&random))
      let router = Router(network, map.options, hours)
      let ends = (0..<6).compactMap { _ in router.end(at: RandomConditionTests.place(&random)) }
      for isArrival in [false, true] {
        let date = Date(timeIntervalSince1970: Double(Int.random(in: 1_767_225_600...1_798_761_600, using: &random)))
        let time = TripTime(Timestamp(date, secondsFromGMT: 0), isArrival: isArrival)
        let oracle = TripOracle(hours.network(at: time))
        for (from, to) in ends.flatMap({ from in ends.map { (from, $0) } }) {
          let expected = oracle.weight(from: from, to: to, at: time) ?? .infinity
          let comment = Comment(rawValue: "seed \(seed), \(time)\n\(map.opl)")
          let eta = router.eta(from: from, to: to, at: time)
          #expect(eta?.weight ?? .infinity == expected, comment)
          let routes = router.routes(from: from, to: to, at: time, withAlternates: true)
          #expect(routes.first?.weight ?? .infinity == expected, comment)
          #expect(routes.first?.waiting ?? 0 == eta?.waiting ?? 0, comment)
          #expect(routes.allSatisfy { $0.weight == $0.steps.reduce(.zero) { $0 + $1.weight } }, comment)
          #expect(routes.allSatisfy { $0.weight >= expected && $0.waiting ?? 0 <= $0.weight.milliseconds }, comment)
        }
      }
    }
  }

  /// Returns random slowness for each quarter of an hour, in three profiles.
  private static func speeds(of network: StreetNetwork, _ random: inout SeededGenerator) -> StreetSpeeds {
    let profiles =
      [Array(repeating: Slowness.one, count: 672)]
      + (0..<2).map { _ in (0..<672).map { _ in Slowness(.random(in: 0.5...8, using: &random)) } }
    return StreetSpeeds(
      SpeedProfiles(period: 900_000, profiles),
      streets: Column((0..<network.streetCount * 2).map { _ in UInt32.random(in: 0...2, using: &random) }))
  }

  /// A map, with the conditions under which ways are closed, or are open, in both directions.
  struct Drawn {
    var drawn: TestMap
    var closed: [String: Condition] = [:]
    var opened: [String: Condition] = [:]

    /// Returns a closed street of a route; nil if there is none. At a junction or gate, a trip covers no length of a
    /// street.
    func closedStreet(of route: Route?, at time: LocalTime?) -> String? {
      let place = Coordinate(latitude: 0, longitude: 0)
      return route?.steps.dropLast().filter { $0.weight.centimetres > 0 }.map(\.street).first { street in
        let isClosed = closed[street].map { time.map($0.holds(at:near:), place) } ?? false
        let isOpen = opened[street].map { time.map($0.holds(at:near:), place) } ?? true
        return isClosed || !isOpen
      }
    }
  }

  static func map(_ random: inout SeededGenerator) -> Drawn {
    let letters = Array("abcdefghijklmnopqrstuvwxy")
    let rows = (0..<5).map { row in letters[row * 5..<row * 5 + 5].map(String.init).joined(separator: " ") }
    var map = Drawn(drawn: TestMap(rows.joined(separator: "\n")))
    var ways: [String] = []
    for row in 0..<5 {
      for column in 0..<5 {
        for (down, right) in [(0, 1), (1, 0)] where row + down < 5 && column + right < 5 {
          guard Int.random(in: 0..<10, using: &random) > 0 else { continue }
          let way = String([letters[row * 5 + column], letters[(row + down) * 5 + column + right]])
          ways.append(way)
          let text = hours.randomElement(using: &random)!
          var tags: [String: String] = [:]
          switch Int.random(in: 0..<18, using: &random) {
          case 0:
            tags = ["motor_vehicle:conditional": "no @ (\(text))"]
            map.closed[way] = Condition(text)
          case 1:
            tags = ["access": "no", "motor_vehicle:conditional": "yes @ (\(text))"]
            map.opened[way] = Condition(text)
          case 2: tags = ["oneway:conditional": "\(["yes", "-1"].randomElement(using: &random)!) @ (\(text))"]
          case 3: tags = ["oneway": "yes", "oneway:conditional": "no @ (\(text))"]
          case 4: tags = ["oneway": "reversible", "oneway:conditional": "yes @ (\(text)); -1 @ (12:00-20:00)"]
          case 5: tags = ["motor_vehicle:forward:conditional": "no @ (\(text))"]
          case 6: tags = ["motor_vehicle": "no", "motor_vehicle:conditional": "destination @ (\(text))"]
          case 7: tags = ["access": "private"]
          case 8:
            tags = ["motor_vehicle:conditional": "destination @ (\(text))", "bicycle:conditional": "no @ (\(text))"]
          case 9: tags = ["motor_vehicle": "private", "motor_vehicle:conditional": "yes @ (\(text)); no @ (PH)"]
          case 10: tags = ["maxspeed:conditional": "\([10, 30, 90].randomElement(using: &random)!) @ (\(text))"]
          case 11: tags = ["bicycle": "no", "bicycle:conditional": "yes @ (\(text)); destination @ (12:00-20:00)"]
          default: break
          }
          // Limits also apply to ways that are usually closed.
          if !tags.isEmpty, tags["maxspeed:conditional"] == nil, Bool.random(using: &random) {
            tags["maxspeed:conditional"] = "10 @ (\(hours.randomElement(using: &random)!))"
          }
          map.drawn = map.drawn.way(way, tags)
        }
      }
    }
    for letter in letters where Int.random(in: 0..<8, using: &random) == 0 {
      let text = hours.randomElement(using: &random)!
      map.drawn = map.drawn.node(
        letter,
        [
          ["barrier": "gate", "access:conditional": "no @ (\(text))"], ["barrier": "gate", "opening_hours": text],
          ["barrier": "gate", "access:conditional": "private @ (\(text))"],
        ]
        .randomElement(using: &random)!)
    }
    for from in ways {
      for to in ways where from != to && Int.random(in: 0..<12, using: &random) == 0 {
        guard let via = from.first(where: to.contains) else { continue }
        let text = hours.randomElement(using: &random)!
        let kind = ["no_left_turn", "no_right_turn", "only_straight_on"].randomElement(using: &random)!
        let isUsual = Bool.random(using: &random)
        map.drawn = map.drawn.restriction(
          isUsual ? kind : "", from: from, via: String(via), to: to,
          ["restriction:conditional": "\(isUsual ? "none" : kind) @ (\(text))"])
      }
    }
    return map
  }

  private static func place(_ random: inout SeededGenerator) -> Coordinate {
    Coordinate(
      latitude: .random(in: -0.0045...0.0005, using: &random), longitude: .random(in: -0.0005...0.0045, using: &random))
  }

  private static func time(_ random: inout SeededGenerator) -> LocalTime {
    let date = Date(timeIntervalSince1970: Double(Int.random(in: 1_767_225_600...1_798_761_600, using: &random)))
    let day = CalendarDay(number: Int(date.timeIntervalSince1970) / 86_400)
    return LocalTime(date, secondsFromGMT: 0, holidays: Holidays(Bool.random(using: &random) ? [day] : []))
  }
}

extension LocalTime? {
  /// Returns the result of a function of a time and a place; false without a time.
  fileprivate func map(_ holds: (LocalTime, Coordinate) -> Bool, _ place: Coordinate) -> Bool {
    map { holds($0, place) } ?? false
  }
}
