import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// The options of requests, errors, and links to Maps.
struct RequestScenarios {
  // MARK: Times

  private let block = TestMap("a-b-c\n  | |\nd-e-f").way("ab").way("bc").way("be").way("cf").way("def")

  private func streets(_ map: TestMap, _ from: Character, _ to: Character, at text: String?) throws -> String {
    do {
      return try map.routes(from, to, profile: Profile.stock("automobile")) { request in
        guard let timestamp = text.flatMap(Timestamp.init) else { return }
        request.departureDate = timestamp.date
        request.timeZone = TimeZone(secondsFromGMT: timestamp.secondsFromGMT)
      }[0].streets
    } catch DirectionsError.directionsNotFound {
      return "none"
    }
  }

  /// 2026-11-20 is a Friday.
  @Test(arguments: [
    ("2026-11-20T08:30:00+01:00", true), ("2026-11-20T06:59:00+01:00", false), ("2026-11-20T09:00:00+01:00", false),
    ("2026-11-21T08:30:00+01:00", false), ("2026-11-22T08:30:00+01:00", false), ("2026-11-20T08:30:00Z", true),
    ("2026-11-20T08:30:00-05:00", true), (nil, false),
  ])
  func forbidsTurnsDuringTheirHours(departure: String?, isForbidden: Bool) throws {
    let map = block.restriction(
      "", from: "ab", via: "b", to: "be",
      ["restriction": "", "restriction:conditional": "no_right_turn @ (Mo-Fr 07:00-09:00)"])
    #expect(try streets(map, "a", "e", at: departure) == (isForbidden ? "ab bc cf def" : "ab be"))
  }

  @Test(arguments: [
    ("2026-11-20T12:00:00Z", true), ("2026-11-20T23:00:00Z", false), ("2026-11-21T05:00:00Z", false), (nil, true),
  ])
  func appliesRestrictionsLiftedAtNight(departure: String?, isForbidden: Bool) throws {
    let map = block.restriction(
      "no_right_turn", from: "ab", via: "b", to: "be", ["restriction:conditional": "none @ (22:00-06:00)"])
    #expect(try streets(map, "a", "e", at: departure) == (isForbidden ? "ab bc cf def" : "ab be"))
  }

  @Test func readsObsoleteTagsForHours() throws {
    let map = block.restriction(
      "no_right_turn", from: "ab", via: "b", to: "be",
      ["day_on": "Monday", "day_off": "Friday", "hour_on": "07:00", "hour_off": "09:00"])
    #expect(try streets(map, "a", "e", at: "2026-11-20T08:00:00Z") == "ab bc cf def")
    #expect(try streets(map, "a", "e", at: "2026-11-20T10:00:00Z") == "ab be")
  }

  @Test(arguments: [
    ("2026-07-01T12:00:00Z", "ab bc cd"), ("2026-12-01T12:00:00Z", "none"), ("2026-07-01T23:00:00Z", "ab bc cd"),
  ])
  func usesFerriesDuringTheirHours(departure: String, expected: String) throws {
    let map = TestMap("a-b---c-d").way("ab").way("cd")
      .way("bc", ["highway": "", "route": "ferry", "opening_hours": "Apr-Oct 08:00-20:00"])
    #expect(try streets(map, "a", "d", at: departure) == expected)
    #expect(try streets(map, "a", "d", at: nil) == "ab bc cd")
  }

  @Test func closesStreetsDuringTheirHours() throws {
    let map = TestMap("a-b-c\n  | |\nd-e-f").way("ab").way("bc").way("cf").way("def")
      .way("be", ["motor_vehicle:conditional": "no @ (Sa,Su 10:00-18:00)"])
    #expect(try streets(map, "a", "d", at: "2026-11-21T12:00:00Z") == "ab bc cf def")
    #expect(try streets(map, "a", "d", at: "2026-11-20T12:00:00Z") == "ab be def")
  }

  @Test func routesHaveTheDatesOfRequests() throws {
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    let leaving = try block.routes("a", "e") { $0.departureDate = date }[0]
    #expect(leaving.expectedDepartureDate == date)
    #expect(leaving.expectedArrivalDate == date.addingTimeInterval(leaving.expectedTravelTime))
    let arriving = try block.routes("a", "e") { $0.arrivalDate = date }[0]
    #expect(arriving.expectedArrivalDate == date)
    #expect(arriving.expectedDepartureDate == date.addingTimeInterval(-arriving.expectedTravelTime))
  }

  @Test(arguments: [
    ("2026-11-21T08:30:00+01:00", "2026-11-21T08:30:00+01:00"), ("2026-11-21T08:30Z", "2026-11-21T08:30:00Z"),
    ("2026-11-21 08:30:00-0330", "2026-11-21T08:30:00-03:30"), ("2026-02-30T08:30:00Z", nil),
    ("2026-11-21T08:30:00", nil),
    ("2026-11-21", nil), ("yesterday", nil), ("2026-11-21T25:00:00Z", nil),
    ("2026-11-21T08:30:00.4Z", "2026-11-21T08:30:00Z"),
    ("", nil), ("2026-11-21T08:30:00+25:00", nil), ("2026-11-21T24:00Z", "2026-11-22T00:00:00Z"),
    ("2026-02-31T24:00Z", nil), ("2026-11-21T24:30Z", nil), ("2026-11--1T08:30:00Z", nil),
    ("2026-11-21T08:30:+5Z", nil), ("2026-11-21T08:30:00+-500", nil),
  ])
  func timestampsAreISO8601WithAZone(text: String, expected: String?) {
    #expect(Timestamp(text)?.text == expected)
  }

  // MARK: Preferences

  /// The toll road bc is short; befc is the detour.
  private let toll = TestMap("a-b-c-d\n  | |\n  e-f").way("ab").way("be").way("ef").way("fc").way("cd").way(
    "bc", ["toll": "yes"])

  @Test func avoidsTollsWherePossible() throws {
    #expect(try toll.routes("a", "d", profile: Profile.stock("automobile"))[0].streets == "ab bc cd")
    let avoiding = try toll.routes("a", "d", profile: Profile.stock("automobile")) { $0.tollPreference = .avoid }[0]
    #expect(avoiding.streets == "ab be ef fc cd" && !avoiding.hasTolls)
  }

  @Test(arguments: [
    (["toll": "yes", "toll:motorcar": "no"], [false, true]),
    (["toll": "yes", "toll:motor_vehicle": "no"], [false, false]),
    (["toll": "no", "toll:hgv": "yes"], [false, true]), (["toll": "yes", "toll:hgv": "no"], [true, false]),
    (["toll:motor_vehicle": "no", "toll:motorcar": "yes"], [true, false]),
    (["toll:motor_vehicle": "yes", "toll:hgv": "no"], [true, false]),
    (["toll": "yes", "toll:foot": "no"], [true, true]),
  ])
  func mostSpecificTollTagDecides(tags: [String: String], hasTolls: [Bool]) throws {
    let map = TestMap("a-b").way("ab", tags)
    let found = try ["automobile", "truck"].map { try map.route("a", "b", profile: .stock($0)).hasTolls }
    #expect(found == hasTolls)
  }

  @Test func paysTollsWhereUnavoidable() throws {
    let bridge = TestMap("a-b---c-d").way("ab").way("bc", ["toll": "yes"]).way("cd")
    let route = try bridge.routes("a", "d", profile: Profile.stock("automobile")) { $0.tollPreference = .avoid }[0]
    #expect(route.hasTolls && route.streets == "ab bc cd")
  }

  /// No street leads back. On the second map, a free one-way street leads to the same place.
  @Test func paysTollsOnTheOnlyWayThere() throws {
    let (toll, oneway) = (["toll": "yes", "oneway": "yes"], ["oneway": "yes"])
    let link = TestMap("a-b---c-d").way("ab").way("bc", toll).way("cd")
    let choice = TestMap("a-b-c-d\n  | |\n  e-f").way("ab").way("bc", toll).way("be").way("ef", oneway).way("fc").way(
      "cd")
    for (map, streets) in [(link, "ab bc cd"), (choice, "ab be ef fc cd")] {
      let routes = try map.routes("a", "d", profile: Profile.stock("automobile")) { $0.tollPreference = .avoid }
      #expect(routes.first?.streets == streets)
    }
  }

  @Test func paysForTheOnlyFerryThere() throws {
    let map = TestMap("a-b---c-d").way("ab").way("cd")
      .way("bc", ["highway": "", "route": "ferry", "toll": "yes", "oneway": "yes"])
    let routes = try map.routes("a", "d", profile: Profile.stock("automobile")) { $0.tollPreference = .avoid }
    #expect(routes.first?.streets == "ab bc cd")
  }

  @Test func avoidsHighways() throws {
    let map = TestMap("a-b-c-d\n  | |\n  e-f").way("ab").way("be").way("ef").way("fc").way("cd").way(
      "bc", ["highway": "motorway"])
    #expect(try map.routes("a", "d", profile: Profile.stock("automobile"))[0].hasHighways)
    let avoiding = try map.routes("a", "d", profile: Profile.stock("automobile")) { $0.highwayPreference = .avoid }[0]
    #expect(avoiding.streets == "ab be ef fc cd" && !avoiding.hasHighways)
  }

  // MARK: Alternates

  /// Three routes of nearly the same length from a to z.
  private let threeWays = TestMap(
    """
        b-------c
      /           \\
    a---d-------e---z
      \\           /
        f-------g
    """
  ).way("ab").way("bc").way("cz").way("ad").way("de").way("ez").way("af").way("fg").way("gz")

  @Test func findsAlternates() throws {
    let routes = try threeWays.routes("a", "z", profile: Profile.stock("automobile")) {
      $0.requestsAlternateRoutes = true
    }
    #expect(routes.map(\.streets) == ["ad de ez", "ab bc cz", "af fg gz"])
    #expect(try threeWays.routes("a", "z", profile: Profile.stock("automobile")).count == 1)
  }

  @Test func rejectsDetoursAsAlternates() throws {
    let map = TestMap("a-------b\n|       |\n|       |\nc-------d").way("ab").way("ac").way("cd").way("db")
    let routes = try map.routes("a", "b", profile: Profile.stock("automobile")) { $0.requestsAlternateRoutes = true }
    #expect(routes.map(\.streets) == ["ab"])
  }

  @Test func rejectsLoopsAroundTheBlockAsAlternates() throws {
    let map = TestMap("a---------b-c---------d\n          | |\n          e-f").way("abcd").way("be").way("ef").way("fc")
    let routes = try map.routes("a", "d", profile: Profile.stock("automobile")) { $0.requestsAlternateRoutes = true }
    #expect(routes.count == 1)
  }

  // MARK: Errors

  private func directions(_ scratch: Scratch) throws -> Directions {
    Directions(network: try StreetNetwork(.opl(block.opl), profile: .stock("automobile"), at: scratch.path("n")))
  }

  @Test func throwsCancelledInACancelledTask() async throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let directions = try directions(scratch)
    let request = block.request("a", "e")
    let task = Task {
      while true {
        _ = try await directions.calculate(request)
        await Task.yield()  // the tests share few threads
      }
    }
    await Task.yield()
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(try await directions.calculate(request).count == 1)
  }

  /// Another thread cancels repeatedly until it hits a running request.
  @Test func cancelsAllRunningRequests() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let directions = try directions(scratch)
    let canceller = Thread {
      while !Thread.current.isCancelled { directions.cancel() }
    }
    canceller.start()
    defer { canceller.cancel() }
    var wasCancelled = false
    for _ in 0..<1_000_000 where !wasCancelled {
      do {
        _ = try directions.calculateAndWait(block.request("a", "e"))
      } catch DirectionsError.cancelled {
        wasCancelled = true
      }
    }
    #expect(wasCancelled)
  }

  @Test func namesThePlaceWithoutAStreet() throws {
    let far = TestMap("a-b                                        1").way("ab").snapLimit(100)
    let errors = [("a", "1"), ("1", "a")].map { from, to in
      #expect(throws: DirectionsError.self) { try far.route(from, to, by: .automobile) }
    }
    // Beyond b, where the map ends.
    #expect(errors[0]?.localizedDescription == "the destination lies 2050 m outside the map")
    #expect(errors[1]?.localizedDescription == "the source lies 2050 m outside the map")
  }

  @Test func namesTheInvalidPlace() throws {
    var request = block.request("a", "e")
    let directions = Directions(network: try block.network())
    request.source.coordinate.latitude = .nan
    #expect(throws: DirectionsError.invalidPlace(source: true)) { try directions.calculateAndWait(request) }
    request.source.coordinate.latitude = 0
    request.destination.coordinate.longitude = 181
    #expect(throws: DirectionsError.invalidPlace(source: false)) { try directions.calculateETAAndWait(request) }
  }

  // MARK: Links

  @Test(arguments: [
    ("maps://?saddr=41.15,-8.61&daddr=41.16,-8.63&dirflg=d", TransportType.automobile),
    ("maps://?saddr=41.15,-8.61&daddr=41.16,-8.63&dirflg=w", .walking),
    ("maps://?saddr=41.15,-8.61&daddr=41.16,-8.63&dirflg=b", .cycling),
    ("maps://?saddr=41.15,-8.61&daddr=41.16,-8.63&dirflg=r", .transit),
    ("https://maps.apple.com/?saddr=41.15,-8.61&daddr=41.16,-8.63", nil),
    ("https://maps.apple.com/directions?source=41.15,-8.61&destination=41.16,-8.63&mode=cycling", .cycling),
    ("https://maps.apple.com/?source=41.15%2C-8.61&destination=41.16,+-8.63&directionsMode=walking", .walking),
  ])
  func linksAreRequests(text: String, type: TransportType?) throws {
    let url = try #require(URL(string: text))
    #expect(DirectionsRequest.isDirectionsRequest(url))
    let request = try DirectionsRequest(url: url)
    #expect(request.source.coordinate == Coordinate(latitude: 41.15, longitude: -8.61))
    #expect(request.destination.coordinate == Coordinate(latitude: 41.16, longitude: -8.63))
    #expect(request.transportType == type)
    #expect(try DirectionsRequest(url: request.url) == request)
  }

  @Test(arguments: [
    "https://maps.apple.com/directions?source=1,2&waypoint=3,4&waypoint=5,6&destination=7,8&avoid=tolls,highways",
    "https://maps.apple.com/?saddr=1,2&daddr=3,4&daddr=5,6&daddr=7,8&avoid=tolls&avoid=highways&t=k&z=12",
    "maps://?saddr=1,2&daddr=3,4+to:5,6+to:7,8&avoid=tolls%7Chighways",
  ])
  func aLinkWithWaypointsIsARequestPerLeg(text: String) throws {
    let legs = try DirectionsRequest.legs(url: #require(URL(string: text)))
    #expect(legs.map(\.source.coordinate.latitude) == [1, 3, 5])
    #expect(legs.map(\.destination.coordinate.latitude) == [3, 5, 7])
    #expect(legs.allSatisfy { $0.tollPreference == .avoid && $0.highwayPreference == .avoid })
    #expect(try DirectionsRequest(url: legs[0].url) == legs[0])
  }

  @Test(arguments: [
    "maps://?daddr=3,4", "maps://?saddr=&daddr=3,4", "maps://?saddr=Current+Location&daddr=3,4",
    "https://maps.apple.com/directions?destination=3,4",
  ])
  func aLinkWithoutSourceStartsAtTheCurrentLocation(text: String) throws {
    let url = try #require(URL(string: text))
    let here = Place(latitude: 1, longitude: 2)
    let request = try DirectionsRequest(url: url, currentLocation: here)
    #expect(request.source == here && request.destination == Place(latitude: 3, longitude: 4))
    #expect(throws: OdometerError.self) { try DirectionsRequest(url: url) }
  }

  @Test func aLinkMayLeadToTheCurrentLocation() throws {
    let url = try #require(URL(string: "maps://?saddr=3,4&daddr=My+Location"))
    let here = Place(latitude: 1, longitude: 2)
    #expect(try DirectionsRequest(url: url, currentLocation: here).destination == here)
    let open = try #require(URL(string: "maps://?saddr=3,4"))
    #expect(throws: OdometerError.self) { try DirectionsRequest(url: open, currentLocation: here) }
  }

  @Test(arguments: [
    ("maps://?saddr=Rua+Augusta&daddr=41.16,-8.63", "expected latitude,longitude"),
    ("maps://?daddr=41.16,-8.63", "has no source"),
    ("https://example.org/?saddr=1,2&daddr=3,4", "not a link to Maps"), ("maps://?saddr=91,0&daddr=1,1", "outside"),
    ("maps://?saddr=1,2", "has no destination"),
    ("maps://?saddr=1,2,3&daddr=3,4", "expected latitude,longitude"),
    ("maps://?saddr=1,2&daddr=3,4&dirflg=x", "asks for \"x\", expected d, w, b, r"),
    ("maps://?saddr=Current+Location&daddr=3,4", "no current location was given"),
    ("maps://?saddr=1,2&daddr=3,4&waypoint=Rua+Augusta", "the link's waypoint is \"Rua Augusta\""),
    ("maps://?saddr=1,2&daddr=3,4&waypoint=5,6", "has 1 waypoint"),
    ("maps://?saddr=1,2&daddr=3,4&avoid=hills", "avoids hills, expected tolls or highways"),
    ("maps://?saddr=1,2&daddr=3,4&arrival-time=9", "asks for a time (arrival-time=9)"),
    ("maps://?saddr=1,2&destination-place-id=I7", "a place that only Maps knows"),
    ("maps://?saddr=1,2&daddr=3,4&lane=2", "has lane=2, which may change the route"),
    ("maps://?saddr=1,2&source=5,6&daddr=3,4", "has both saddr=1,2 and source=5,6"),
    ("maps://?saddr=1,2&daddr=3,4&destination=5,6", "has both daddr=3,4 and destination=5,6"),
  ])
  func statesWhyALinkIsUnusable(text: String, reason: String) throws {
    let error = #expect(throws: OdometerError.self) { try DirectionsRequest(url: #require(URL(string: text))) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }
}

/// Coverage files, checked against the rules for routing apps.
struct CoverageScenarios {
  private func check(_ text: String) throws -> [String] {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try CoverageCheck(path: scratch.write(text, to: "c.geojson")).findings.map {
      "\($0.isError ? "error" : "advice") \($0)"
    }
  }

  private func file(_ rings: String) -> String { "{\"type\": \"MultiPolygon\", \"coordinates\": [\(rings)]}" }

  @Test func acceptsAValidFile() throws {
    #expect(try check(file("[[[0,0],[1,0],[1,1],[0,0]]]")) == [])
  }

  @Test(arguments: [
    ("[[[0,0],[1,0],[1,1],[0,1]]]", "error coordinates[0][0][3]: the ring is not closed"),
    ("[[[0,0],[1,0],[0,0]]]", "error coordinates[0][0]: got 3 positions"),
    (
      "[[[0,0],[1,0],[1,1],[0,0]],[[0.1,0.1],[0.2,0.1],[0.2,0.2],[0.1,0.1]]]",
      "error coordinates[0][1]: got a hole"
    ),
    ("[[[41,100],[42,100],[42,101],[41,100]]]", "longitude comes first"),
    ("[[[0,0],[1,1],[1,0],[0,1],[0,0]]]", "error coordinates[0][0]: the ring is invalid"),
    ("[[[0,0],[1,1],[1,0],[0,0]]]", "advice coordinates[0][0]: the ring runs clockwise"),
    ("[[[0,0,5],[1,0],[1,1],[0,0]]]", "advice coordinates[0][0][0]: got 3 numbers"),
    ("[[[0,0],[1],[1,1],[0,0]]]", "error coordinates[0][0][1]: expected a position: [longitude, latitude]"),
    ("[[[0,0],[200,0],[1,1],[0,0]]]", "error coordinates[0][0][1]: [200.0, 0.0] lies outside"),
    ("", "error coordinates: expected a list"),
  ])
  func reportsEachViolationOfTheRules(rings: String, finding: String) throws {
    let found = try check(file(rings))
    #expect(found.contains { $0.contains(finding) }, "\(found)")
  }

  @Test(arguments: [
    ("{\"type\": \"Polygon\", \"coordinates\": []}", "error type: got \"Polygon\""), ("[1]", "got a list"),
    ("{\"type\": \"FeatureCollection\"}", "not inside a Feature"),
    ("{\n", "error line 2: not JSON: got the end of the file"), ("{type: 1}", "error got JSON5, expected JSON"),
    ("id,lon,lat\n", "error not JSON, expected a coverage: one GeoJSON object of type MultiPolygon"),
    ("// where we drive\n{}", "error line 1: comments"), ("{}", "error type: got nothing"),
  ])
  func rejectsOtherFiles(text: String, finding: String) throws {
    let found = try check(text)
    #expect(found.contains { $0.contains(finding) }, "\(found)")
  }

  @Test func advisesAgainstManyPolygonsAndPoints() throws {
    let many = (0..<21).map { "[[[\($0),0],[\($0).5,0],[\($0).5,1],[\($0),0]]]" }.joined(separator: ",")
    #expect(try check(file(many)) == ["advice coordinates: got 21 polygons; at most 20 are recommended"])
    let round = (0...25).map { step in
      let angle = Double(step % 25) / 25 * 2 * Double.pi
      return "[\(cos(angle)),\(sin(angle))]"
    }
    #expect(
      try check(file("[[\(round.joined(separator: ","))]]")) == [
        "advice coordinates[0][0]: got 26 points, including the repeated first; at most 20 are recommended"
      ])
  }

  @Test func coverageFollowsLandButNotFerries() throws {
    let map = TestMap("a-b                                                  c-d").way("ab").way(
      "bc", ["highway": "", "route": "ferry"]
    )
    .way("cd")
    let coverage = Coverage(of: try map.network(profile: .stock("walking")))
    #expect(coverage.contains(map.request("a", "d")))
    let sea = Place(
      latitude: map["b"].latitude, longitude: (map["b"].longitude + map["c"].longitude) / 2)
    #expect(!coverage.contains(DirectionsRequest(source: sea, destination: Place(coordinate: map["a"]))))
  }

  @Test func generatesAValidCoverageOfAllStreets() throws {
    let map = TestMap("a-b-c\n  |\n  d\n\n\n\n\n\n\n\n                                    e-f").way("abc").way("bd")
      .way("ef")
    let network = try map.network(profile: .stock("automobile"))
    let coverage = Coverage(of: network)
    #expect(try check(coverage.geoJSON) == [])
    #expect(coverage.area.contains(network.points.map { $0.coordinate }).allSatisfy { $0 })
    #expect(
      !coverage.contains(
        DirectionsRequest(source: Place(latitude: 1, longitude: 1), destination: Place(coordinate: map["a"]))))
    #expect(coverage.contains(map.request("a", "d")))
  }
}
