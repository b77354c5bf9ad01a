import Foundation
import Geography
import Routing
import TestMaps
import Testing

/// The types of requests and results, as used by programs.
struct ValueTests {
  private let map = TestMap("a-b-c\n    |\n    d").way("abc", ["name": "High Street"]).way("cd", ["name": "Low Street"])

  private func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test func linesAreCollectionsOfCoordinates() {
    let line = Polyline([coordinate(0, 0), coordinate(0, 0.001), coordinate(0.001, 0.001)])
    #expect(line.count == 3 && line[2] == coordinate(0.001, 0.001) && line.last == line[2])
    #expect(Array(line) == line.coordinates && abs(line.length - 222.4) < 0.1)
    #expect(line.boundingBox == BoundingBox(around: [line[0], line[2]]))
    #expect(Polyline([]).boundingBox == nil)
  }

  @Test func boundingBoxesContainTheirPoints() throws {
    let box = try #require(BoundingBox(around: [coordinate(60, 24), coordinate(61, 25)]))
    #expect(box.contains(coordinate(60.5, 24.5)) && box.contains(box.southWest) && !box.contains(coordinate(62, 24.5)))
    #expect(!box.contains(coordinate(.nan, 24.5)))
    let other = try #require(BoundingBox(around: [coordinate(61, 25), coordinate(62, 26)]))
    #expect(box.intersects(other) && box.union(other).contains(coordinate(61.9, 24.1)))
    #expect(BoundingBox(around: [Coordinate]()) == nil)
  }

  @Test func placesInOverlappingPolygonsAreInside() {
    let rings = [0.0, 1].map { west in
      [(0, west), (0, west + 2), (2, west + 2), (2, west), (0, west)].map { coordinate($0.0, $0.1) }
    }
    let area = MultiPolygon(rings: rings)
    #expect(area.contains([coordinate(1, 0.5), coordinate(1, 1.5), coordinate(1, 3.5)]) == [true, true, false])
  }

  @Test func boxesWithExchangedCornersAreNotDecoded() {
    let text = #"{"minLongitude":5,"minLatitude":0,"maxLongitude":-5,"maxLatitude":1}"#
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(BoundingBox.self, from: Data(text.utf8)) }
  }

  @Test func boxesGrowByMetres() throws {
    let box = try #require(BoundingBox(around: [coordinate(60, 24), coordinate(60.01, 24.01)]))
    let padded = box.inset(by: -100)
    for corner in [box.southWest, box.northEast] {
      let beside = [
        coordinate(corner.latitude, padded.southWest.longitude),
        coordinate(padded.southWest.latitude, corner.longitude),
      ]
      #expect(beside.allSatisfy { padded.contains($0) })
    }
    #expect(abs(padded.southWest.distance(to: coordinate(padded.southWest.latitude, 24)) - 100) < 1)
    #expect(abs(padded.northEast.distance(to: coordinate(60.01, padded.northEast.longitude)) - 100) < 1)
    // Shrunk again, it contains the original centre; shrunk by more than its size, it is a point.
    #expect(padded.inset(by: 100).contains(coordinate(60.005, 24.005)))
    let pole = try #require(BoundingBox(around: [coordinate(89.99, 10), coordinate(89.995, 11)])).inset(by: -1000)
    #expect(pole.contains(coordinate(89.999, -170)) && !pole.contains(coordinate(89.9, 10)))
    let point = box.inset(by: 1e6)
    #expect(point.southWest == point.northEast && box.contains(point.southWest))
  }

  @Test func valuesSurviveAJSONRoundTrip() throws {
    let directions = Directions(network: try map.network())
    var request = map.request("a", "d")
    request.departureDate = Date(timeIntervalSince1970: 1_795_422_600)
    func copied<Value: Codable & Equatable>(_ value: Value) throws -> Value {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
    #expect(try copied(request) == request)
    let routes = try directions.calculateAndWait(request)
    #expect(try copied(routes) == routes)
    let eta = try directions.calculateETAAndWait(request)
    #expect(try copied(eta) == eta)
    let fixes = ["a", "b", "c", "d"].enumerated().map {
      Fix(coordinate: map[Character($1)], timestamp: Date(timeIntervalSince1970: Double($0) * 100))
    }
    #expect(try copied(fixes) == fixes)
    let match = try directions.matchAndWait(fixes)
    #expect(try copied(match) == match && match.parts[0].name == "High Street and Low Street")
  }

  @Test func encodesTheTimeAndDistanceOfAnETAByName() throws {
    let eta = try Directions(network: map.network()).calculateETAAndWait(map.request("a", "d"))
    let json = String(decoding: try JSONEncoder().encode(eta), as: UTF8.self)
    #expect(json.contains("\"milliseconds\":287994") && json.contains("\"centimetres\":40000"), "\(json)")
  }

  @Test func descriptionsAreOneLine() throws {
    let route = try map.route("a", "d")
    #expect(route.name == "High Street and Low Street")
    #expect("\(route)" == "High Street and Low Street: 400 m, 4 min 48 s")
    #expect("\(route.steps[0])" == "Head east on High Street: 200 m, 2 min 24 s")
    var request = DirectionsRequest(
      source: Place(latitude: 1, longitude: 2), destination: Place(latitude: 0, longitude: 0, name: "home"))
    request.transportType = .walking
    #expect("\(request)" == "1.0,2.0 to home, walking")
  }

  @Test func descriptionsOfManyTripsAreOneLine() throws {
    let directions = Directions(network: try map.network())
    let (a, d) = (Place(coordinate: map["a"]), Place(coordinate: map["d"], name: "home"))
    var many = MatrixRequest(sources: [a], destinations: [a, d])
    many.arrivalDate = Date(timeIntervalSince1970: 0)
    #expect("\(many)" == "1 source to 2 destinations, arriving 1970-01-01T00:00:00Z" && many.id == many)
    #expect(try "\(directions.calculateMatrixAndWait(many))" == "1 × 2 trips")
    let nearest = NearestRequest(sources: [a], destinations: [d], count: 1)
    #expect("\(nearest)" == "1 source to the nearest 1 of 1 destination")
    #expect(try "\(directions.calculateNearestAndWait(nearest)[0][0])" == "destination 0: 400 m, 4 min 48 s")
    var around = IsochroneRequest(place: d, travelTimes: [60, .nan])
    around.direction = .toPlace
    #expect("\(around)" == "to home within 1 min 0 s, nan s")
    around.travelTimes = [60]
    let area = try directions.calculateIsochronesAndWait(around)[0]
    #expect("\(area)" == "within 1 min 0 s: 0.01 km²" && area.id == area)
  }

  @Test func boundingBoxesHaveALink() throws {
    let box = try #require(BoundingBox(around: [coordinate(41.1, -8.7), coordinate(41.2, -8.5)]))
    #expect(box.url.absoluteString == "https://maps.apple.com/?ll=41.15,-8.6&spn=0.1,0.2")
  }

  @Test func linksHaveNoExponents() {
    let request = DirectionsRequest(
      source: Place(latitude: 51.5, longitude: 0.00002), destination: Place(latitude: 51.5, longitude: -0.00005))
    #expect(request.url.absoluteString == "https://maps.apple.com/?saddr=51.5,0.00002&daddr=51.5,-0.00005")
    #expect("\(request)" == "51.5,0.00002 to 51.5,-0.00005")
  }

  /// The message is available as `localizedDescription`.
  @Test func errorsHaveSentencesAsDescriptions() {
    let errors: [any Error] = [
      DirectionsError.directionsNotFound,
      #expect(throws: OdometerError.self) { try DirectionsRequest(url: URL(string: "https://a.b")!) }!,
      #expect(throws: OdometerError.self) { try Coverage(path: "/nowhere.geojson") }!,
      #expect(throws: OdometerError.self) { try StreetNetwork(map: "/nowhere.osm.pbf", profile: .stock("walking")) }!,
      DirectionsError.offMap(source: true, distance: 12_345),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
    #expect("\(errors[4])" == "the source lies 12.3 km outside the map")
  }

  @Test func loadsNetworksAsynchronously() async throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write(map.opl, to: "map.opl")
    let network = try await StreetNetwork.load(map: path, profile: .stock("walking"))
    let again = try await StreetNetwork.load(networkFile: network.path)
    let routes = try await Directions(network: again).calculate(map.request("a", "d"))
    #expect(routes.count == 1)
  }

  @Test func coverageCountsTheClosingPointOfARing() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    func advice(corners: Int) throws -> Int {
      let ring = (0...corners).map { index -> String in
        let angle = Double(index % corners) / Double(corners) * 2 * .pi
        return "[\(cos(angle)),\(sin(angle))]"
      }
      let path = try scratch.write(
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[\(ring.joined(separator: ","))]]]}", to: "c\(corners).geojson")
      return try CoverageCheck(path: path).findings.count
    }
    #expect(try advice(corners: 19) == 0 && advice(corners: 20) == 1)
    #expect(Coverage(of: try map.network()).area.rings.allSatisfy { $0.count <= Coverage.maximumCorners })
  }
}
