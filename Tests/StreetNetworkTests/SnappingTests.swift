import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

struct SnappingTests {
  /// A place is snapped to the nearest point on a street, not to the nearest node.
  @Test func snapsToAPointOnTheStreet() throws {
    let map = TestMap(
      """
      a-------b
         1
      """
    ).way("ab")
    let snap = try #require(StreetSearch(map.network()).snap(map["1"], limit: 1000))
    #expect(abs(snap.distance - 100) < 0.01)
    #expect(abs(snap.fraction - 0.375) < 0.000_01)
  }

  /// A place above a tunnel is snapped to it only if everything else is at least 50 m farther.
  @Test func prefersStreetsToTunnels() throws {
    let map = TestMap("a---------b\n        1\n\nc---------d", spacing: 20).way("ab", ["tunnel": "yes"]).way("cd").way(
      "ac")
    #expect(try StreetSearch(map.network()).snap(map["1"], limit: 1000).map { isClose($0.distance, 40) } == true)
    let far = TestMap("a---------b\n        1\n\n\n\nc---------d", spacing: 20).way("ab", ["tunnel": "yes"]).way("cd")
      .way("ac")
    #expect(try StreetSearch(far.network()).snap(far["1"], limit: 1000).map { isClose($0.distance, 20) } == true)
  }

  @Test func snapsToATunnelIfNothingElseIsWithinTheLimit() throws {
    let map = TestMap("a---------b\n        1\n\nc---------d", spacing: 20).way("ab", ["tunnel": "yes"]).way("cd").way(
      "ac")
    #expect(try StreetSearch(map.network()).snap(map["1"], limit: 30).map { isClose($0.distance, 20) } == true)
  }

  /// Place 1 is 20 m from a road that cars cannot leave, and 40 m from its own street.
  @Test(arguments: [
    (["highway": "motorway"], 40.0), (["highway": "motorway_link"], 40.0), (["highway": "trunk_link"], 40.0),
    (["highway": "trunk", "motorroad": "yes"], 40.0), (["highway": "primary", "motorroad": "yes"], 40.0),
    (["highway": "primary_link"], 40.0), (["highway": "secondary_link"], 40.0), (["highway": "trunk"], 20.0),
    (["highway": "primary"], 20.0),
  ])
  func carsPreferToStartOnStreetsWithHouses(tags: [String: String], metres: Double) throws {
    let map = TestMap("a---------b\n    1\n\n\nc---------d", spacing: 20).way("ab", tags).way("cd").way("ac").way("bd")
    for name in ["automobile", "van", "truck"] {
      let search = try StreetSearch(map.network(profile: .stock(name)))
      #expect(search.snap(map["1"], limit: 1000).map { isClose($0.distance, metres) } == true)
      // There is no other street within the limit.
      for limit in [30.0, 39.9] {
        #expect(search.snap(map["1"], limit: limit).map { isClose($0.distance, 20) } == true)
      }
    }
  }

  @Test func returnsNilBeyondTheLimit() throws {
    let map = TestMap("a-b\n\n1").way("ab")
    let search = try StreetSearch(map.network())
    #expect(search.snap(map["1"], limit: 199) == nil)
    #expect(search.snap(map["1"], limit: 201) != nil)
  }

  /// Random places among random streets, compared with a scan of all segments.
  @Test func agreesWithBruteForce() throws {
    var random = SeededGenerator(seed: 3)
    let network = try RandomStreets(tags: [""], ways: 200, &random).network
    let search = StreetSearch(network)
    for _ in 0..<300 {
      let place = RandomStreets.place(&random)
      let snap = try #require(search.snap(place, limit: 1e7))
      #expect(abs(snap.distance - minimumDistance(from: place, to: network)) < 0.05)
    }
  }

  /// Returns the minimum distance to all segments.
  private func minimumDistance(from place: Coordinate, to network: StreetNetwork) -> Double {
    var least = Double.infinity
    for street in 0..<network.streetCount {
      let shape = network.shape(of: StreetID(street))
      for index in shape.dropLast() {
        let (a, b) = (network.points[index].coordinate, network.points[index + 1].coordinate)
        var (low, high) = (0.0, 1.0)
        func distance(_ t: Double) -> Double {
          place.distance(
            to: Coordinate(
              latitude: a.latitude + t * (b.latitude - a.latitude),
              longitude: a.longitude + t * (b.longitude - a.longitude)))
        }
        // A ternary search, since the distance to a straight segment decreases, then increases.
        for _ in 0..<60 {
          let (first, second) = (low + (high - low) / 3, high - (high - low) / 3)
          if distance(first) < distance(second) { high = second } else { low = first }
        }
        least = min(least, distance((low + high) / 2))
      }
    }
    return least
  }

  /// A place is not snapped to an island of one street if a large network is near.
  @Test func doesNotSnapToSmallIslands() throws {
    // A comb with 150 teeth, and an island that is nearer to the place than the comb.
    var opl = "n1 v1 T x0.0 y0.0005\nn2 v1 T x0.001 y0.0005\nw1 v1 Thighway=footway Nn1,n2\n"
    for tooth in 0..<150 {
      opl +=
        "n\(10 + 2 * tooth) v1 T x\(Double(tooth) * 0.0001) y0.002\nn\(11 + 2 * tooth) v1 T x\(Double(tooth) * 0.0001) y0.003\n"
      opl += "w\(10 + tooth) v1 Thighway=footway Nn\(10 + 2 * tooth),n\(11 + 2 * tooth)\n"
    }
    opl += "w2 v1 Thighway=footway N\((0..<150).map { "n\(10 + 2 * $0)" }.joined(separator: ","))\n"
    let scratch = try Scratch()
    defer { scratch.remove() }
    // An escalator whose lower end cannot be reached: trips could start there, but not end there.
    opl += "n3 v1 T x0.003 y0.0006\nw3 v1 Thighway=steps,conveying=forward Nn3,n70\n"
    let network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
    for longitude in [0.0005, 0.003] {
      let place = Coordinate(latitude: 0.0005, longitude: longitude)
      let snap = try #require(StreetSearch(network).snap(place, limit: 1000))
      #expect(snap.distance > 100)
    }
  }
}

/// The number of junctions in the component of a street.
struct ComponentTests {
  /// Returns the sizes of the components of a map's streets, ascending.
  private func sizes(_ map: TestMap, by type: String = "automobile") throws -> [Int] {
    let network = try map.network(profile: .stock(type))
    let streets = (0..<network.streetCount).map { StreetID($0) }
    return streets.filter { !network.street($0).flags.contains(.gate) }.map(network.componentSize).sorted()
  }

  @Test func countsJunctionsOfStrongComponents() throws {
    #expect(try sizes(TestMap("a-b-c d-e").way("ab").way("bc").way("de")) == [2, 3, 3])
    #expect(try sizes(TestMap.grid) == [2] + Array(repeating: 49, count: 84))
  }

  /// Places behind a private gate belong to the component, as trips may end there; places behind a wall do not.
  @Test func closedQuartersAreSeparateComponents() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc").way("cd", ["service": "driveway"])
    #expect(try sizes(map.node("c", ["barrier": "gate", "access": "private"])) == [4, 4, 4])
    #expect(try sizes(map.node("c", ["barrier": "wall"])) == [2, 3, 3])
  }

  @Test func oneWayStreetsBetweenComponentsBelongToTheSmaller() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["oneway": "yes"]).way("cd")
    #expect(try sizes(map) == [2, 2, 2])
    #expect(try sizes(map, by: "walking") == [4, 4, 4])
  }
}

/// The weights of a street's parts add up to the whole, wherever the street is divided.
struct StreetWeightTests {
  @Test func partsOfAStreetAddUpToItsWeight() throws {
    let street = try TestMap("a-b").way("ab").network().street(StreetID(0))
    var random = SeededGenerator(seed: 9)
    for _ in 0..<1000 {
      let (a, b) = (Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random))
      let (low, high) = (min(a, b), max(a, b))
      let parts =
        street.weight(from: 0, to: low) + street.weight(from: low, to: high) + street.weight(from: high, to: 1)
      #expect(parts == street.weight(isReversed: false))
    }
  }
}
