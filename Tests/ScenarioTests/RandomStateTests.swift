import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Random maps with one-way streets, restrictions, signals, gates, overlapping streets and streets for destination
/// traffic: the states of the network are compared with a search without states, and the hierarchy with the textbook
/// algorithm.
struct RandomStateTests {
  @Test(arguments: 1...150 as ClosedRange<UInt64>)
  func agreesWithDijkstraAndUsesAllowedTurns(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (map, restrictions) = RandomStateTests.map(&random)
    for type in [TransportType.automobile, .cycling] {
      let network = try map.network(profile: .stock(type.rawValue))
      #expect(network.hierarchy.brokenInvariant(over: network.states.arcs) == nil)
      let router = Router(network, Directions.Options())
      let query = PathQuery(network.hierarchy)
      let oracle = Dijkstra(network.states.arcs)
      let drawn = DrawnStreets(network, map)
      for _ in 0..<12 {
        func place() -> Coordinate {
          Coordinate(
            latitude: .random(in: -0.0045...0.0005, using: &random),
            longitude: .random(in: -0.0005...0.0045, using: &random))
        }
        guard let from = router.end(at: place()), let to = router.end(at: place()) else { continue }
        let (sources, targets) = (network.sources(from.snap), network.targets(to.snap))
        let way = oracle.path(from: sources.seeds, to: targets.seeds)?.weight
        let expected = [way, network.direct(from.snap, to.snap)?.weight].compactMap(\.self).min()
        #expect(router.weight(from: from, to: to) == expected, "seed \(seed), \(type)\n\(map.opl)")
        let route = router.route(from: from, to: to)
        #expect(route?.weight == expected, "seed \(seed), \(type)\n\(map.opl)")
        if let route { #expect(route.steps.reduce(Weight.zero) { $0 + $1.weight } == route.weight) }
        guard let path = query.path(from: sources.seeds, to: targets.seeds) else { continue }
        var streets = [sources.streets[path.source]] + path.arcs.map { network.states.streets[Int($0.index)] }
        // A trip that ends at a junction makes no turn there.
        if targets.seeds[path.target].weight > .zero { streets.append(targets.streets[path.target]) }
        let complaint = drawn.complaint(about: streets, restrictions)
        #expect(complaint == nil, "seed \(seed), \(type): \(complaint ?? "")\n\(map.opl)")
      }
    }
  }

  /// Open and private streets within a ring of open ones: trips between the ring and a street use private streets only
  /// if there is no open route.
  @Test(arguments: 1...150 as ClosedRange<UInt64>)
  func usesPrivateStreetsOnlyWithoutAnOpenRoute(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcdefghijklmnopqrstuvwxy")
    var map = TestMap("a b c d e\nf g h i j\nk l m n o\np q r s t\nu v w x y")
    var ring: [String] = []
    var inner: [(way: String, isForward: Bool, isBackward: Bool, isPrivate: Bool)] = []
    for (index, letter) in letters.enumerated() {
      for (step, isLast, isOuter) in [
        (1, index % 5 == 4, index < 5 || index >= 20), (5, index >= 20, index % 5 == 0 || index % 5 == 4),
      ] where !isLast && (isOuter || Int.random(in: 0..<4, using: &random) > 0) {
        let way = String([letter, letters[index + step]])
        let oneway = isOuter ? "no" : ["no", "yes", "-1"][Int.random(in: 0..<3, using: &random)]
        let isPrivate = !isOuter && Int.random(in: 0..<3, using: &random) == 0
        map = map.way(way, ["oneway": oneway, "access": isPrivate ? "private" : "yes"])
        if isOuter { ring.append(way) } else { inner.append((way, oneway != "-1", oneway != "yes", isPrivate)) }
      }
    }
    /// Returns the letters to which, or from which, the ring is connected.
    func connected(isReversed: Bool, overPrivate: Bool) -> Set<Character> {
      var known = Set(ring.joined())
      var count = 0
      while known.count > count {
        count = known.count
        for street in inner where overPrivate || !street.isPrivate {
          let (tail, head) = (street.way.first!, street.way.last!)
          if isReversed ? street.isBackward : street.isForward, known.contains(tail) { known.insert(head) }
          if isReversed ? street.isForward : street.isBackward, known.contains(head) { known.insert(tail) }
        }
      }
      return known
    }
    func middle(_ way: String) -> Place {
      let (a, b) = (map[way.first!], map[way.last!])
      return Place(
        coordinate: Coordinate(latitude: (a.latitude + b.latitude) / 2, longitude: (a.longitude + b.longitude) / 2))
    }
    let directions = Directions(network: try map.network(profile: .stock("automobile")), options: map.options)
    for isReversed in [false, true] {
      let open = connected(isReversed: isReversed, overPrivate: false)
      let back = connected(isReversed: !isReversed, overPrivate: true)
      for street in inner where !street.isPrivate {
        let isAhead = isReversed ? street.isBackward : street.isForward
        let (near, far) = isAhead ? (street.way.first!, street.way.last!) : (street.way.last!, street.way.first!)
        guard open.contains(near), back.contains(far) else { continue }
        let (ringPlace, place) = (middle(ring[Int.random(in: 0..<ring.count, using: &random)]), middle(street.way))
        let request = DirectionsRequest(
          source: isReversed ? place : ringPlace, destination: isReversed ? ringPlace : place)
        let words = try directions.calculateAndWait(request)[0].streets.split(separator: " ")
        // A street that cars cannot enter and leave again is not used for snapping.
        guard (isReversed ? words.first : words.last) == Substring(street.way) else { continue }
        let isPrivate = words.contains { word in inner.contains { $0.isPrivate && $0.way == word } }
        #expect(!isPrivate, "seed \(seed): \(words)\n\(map.opl)")
      }
    }
  }

  /// Returns a grid of 5 x 5 nodes with most of its streets.
  static func map(_ random: inout SeededGenerator) -> (TestMap, [DrawnRestriction]) {
    let letters = Array("abcdefghijklmnopqrstuvwxy")
    let rows: [String] = (0..<5).map { row in letters[row * 5..<row * 5 + 5].map { "\($0)" }.joined(separator: " ") }
    var map = TestMap(rows.joined(separator: "\n"))
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
    var ways: [String] = []
    var restrictions: [DrawnRestriction] = []
    for row in 0..<5 {
      for column in 0..<5 {
        for (down, right) in [(0, 1), (1, 0)] where row + down < 5 && column + right < 5 {
          guard Int.random(in: 0..<10, using: &random) > 0 else { continue }
          let way = String([letters[row * 5 + column], letters[(row + down) * 5 + column + right]])
          ways.append(way)
          map = map.way(
            way,
            pick([
              [:], [:], [:], ["oneway": "yes"], ["oneway": "-1"], ["highway": "primary"], ["access": "private"],
              ["highway": "footway"],
              ["highway": "service"], ["toll": "yes"], ["junction": "roundabout"],
            ]))
        }
      }
    }
    var barred: Set<Character> = []
    for letter in letters where Int.random(in: 0..<6, using: &random) == 0 {
      let tags = pick([
        ["highway": "traffic_signals"], ["highway": "stop"], ["barrier": "gate"],
        ["barrier": "gate", "access": "private"], ["barrier": "bollard"], ["highway": "turning_circle"],
      ])
      map = map.node(letter, tags)
      if tags["barrier"] != nil { barred.insert(letter) }
    }
    for from in ways {
      for to in ways where from != to && Int.random(in: 0..<12, using: &random) == 0 {
        guard let via = from.first(where: to.contains), !barred.contains(via) else { continue }
        let kind = pick(["no_left_turn", "no_right_turn", "no_straight_on", "only_straight_on", "no_u_turn"])
        map = map.restriction(kind, from: from, via: String(via), to: to)
        restrictions.append(DrawnRestriction(isOnly: kind.hasPrefix("only"), ways: [from, to]))
        // Also restricts paths over the second way into a third.
        guard let far = to.first(where: { $0 != via }), !barred.contains(far),
          let third = ways.first(where: { $0 != to && $0 != from && $0.contains(far) })
        else {
          continue
        }
        let over = pick(["no_left_turn", "only_straight_on"])
        map = map.restriction(over, from: from, via: to, to: third)
        restrictions.append(DrawnRestriction(isOnly: over.hasPrefix("only"), ways: [from, to, third]))
      }
    }
    // Adds squares between streets without restrictions.
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let corner = Int.random(in: 0..<4, using: &random) * 5 + Int.random(in: 0..<4, using: &random)
      let ring = [corner, corner + 1, corner + 6, corner + 5, corner].map { letters[$0] }
      let sides = zip(ring, ring.dropFirst()).map { [$0, $1] }
      let isRestricted = restrictions.contains { restriction in
        restriction.ways.contains { way in sides.contains { way == String($0) || way == String($0.reversed()) } }
      }
      guard !isRestricted else { continue }
      map = map.way(
        String(ring),
        pick([
          ["highway": "pedestrian", "area": "yes"], ["highway": "pedestrian", "area": "yes", "access": "private"],
        ]))
    }
    // Adds overlapping streets, unless a restriction applies to only one of them.
    let free = ways.filter { way in !restrictions.contains { $0.ways.contains(way) } }
    for way in free where Int.random(in: 0..<8, using: &random) == 0 {
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        map = map.way(
          Bool.random(using: &random) ? way : String(way.reversed()),
          pick([[:], ["oneway": "yes"], ["access": "private"], ["highway": "footway"], ["highway": "primary"]]))
      }
    }
    return (map, restrictions)
  }
}

/// A turn restriction as drawn: it applies to paths along the first ways, and forbids or requires the last way.
struct DrawnRestriction {
  var isOnly: Bool
  var ways: [String]
}

/// The streets of a network, identified by the letters between which they were drawn, without states.
private struct DrawnStreets {
  private let network: StreetNetwork
  private var letters: [FixedCoordinate: Character] = [:]
  /// The ways that are open, such as `ab` from a to b.
  private var open: Set<String> = []
  /// The ways along which a bicycle is pushed: no restriction applies.
  private var pushed: Set<String> = []

  init(_ network: StreetNetwork, _ map: TestMap) {
    self.network = network
    for letter in "abcdefghijklmnopqrstuvwxy" { letters[FixedCoordinate(map[letter])] = letter }
    for number in 0..<network.streetCount {
      for isReversed in [false, true] where network.street(StreetID(number)).isOpen(isReversed: isReversed) {
        guard let word = word(DirectedStreet(StreetID(number), isReversed: isReversed)) else { continue }
        open.insert(word)
        if network.street(StreetID(number)).isPushed(isReversed: isReversed) { pushed.insert(word) }
      }
    }
  }

  /// Returns `ab` for a street travelled from a to b; nil for a gate.
  private func word(_ street: DirectedStreet) -> String? {
    let shape = network.shape(of: street.street)
    let ends = [network.points[shape.lowerBound], network.points[shape.upperBound - 1]].map { letters[$0]! }
    guard ends[0] != ends[1] else { return nil }
    return String(street.isReversed ? ends.reversed() : ends)
  }

  /// Returns the error in a path along `streets`: a gap, a street against its direction, or a forbidden turn.
  func complaint(about streets: [DirectedStreet], _ restrictions: [DrawnRestriction]) -> String? {
    let words = streets.compactMap(word)
    for (word, next) in zip(words, words.dropFirst()) where word.last != next.first { return "\(word), then \(next)" }
    // Streets at the ends may have zero length if the trip starts or ends at a junction.
    if let closed = words.dropFirst().dropLast().first(where: { !open.contains($0) }) { return "\(closed) is closed" }
    for restriction in restrictions {
      let last = restriction.ways.count - 1
      guard words.count > last else { continue }
      for start in 1..<max(1, words.count - last) {
        let along = words[start..<start + last]
        let isAlong = zip(along, restriction.ways).allSatisfy { sorted($0) == sorted($1) } && isForward(along)
        guard isAlong, start + last < words.count, pushed.isDisjoint(with: along) else { continue }
        let turned = words[start + last]
        let target = [restriction.ways[last], String(restriction.ways[last].reversed())]
          .first { $0.first == along.last!.last }
        guard let target, open.contains(target) else { continue }
        if (turned == target) != restriction.isOnly { return "\(along.joined(separator: " ")) into \(turned)" }
      }
    }
    return nil
  }

  /// Returns whether words follow one another without a U-turn.
  private func isForward(_ words: ArraySlice<String>) -> Bool {
    zip(words, words.dropFirst()).allSatisfy { $0.last == $1.first && String($0.reversed()) != $1 }
  }

  private func sorted(_ word: String) -> String { String(word.sorted()) }
}
