import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork

/// A street map drawn in a test, read by the real importer.
///
///     let block = TestMap("""
///       a-b-c
///         | |   1
///       d-e-f
///       """).way("abc").way("def").way("be").way("cf")
///
/// Letters are nodes, digits are places; everything else is decoration. Two columns or one line are 100 m. The map lies
/// on the equator, where both axes have the same scale and no country is near, or has its north-west corner at
/// `origin`. A way is named by its letters.
public struct TestMap: Sendable {
  private let drawing: String
  private var points: [Character: Coordinate] = [:]
  private var nodeTags: [Character: [String: String]] = [:]
  private var ways: [(letters: String, tags: [String: String])] = []
  private var missing: Set<Character> = []
  private var relations: [(members: [(type: Character, letters: String, role: String)], tags: [String: String])] = []
  public var options = Directions.Options()

  public init(
    _ drawing: String, spacing: Double = 100, at origin: Coordinate = Coordinate(latitude: 0, longitude: 0)
  ) {
    self.drawing = drawing
    let degrees = spacing / Coordinate.metresPerDegree
    let narrowing = cos(origin.latitude * .pi / 180)
    for (row, line) in drawing.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for (column, character) in line.enumerated() where character.isLetter || character.isNumber {
        precondition(points[character] == nil, "\(character) is drawn twice:\n\(drawing)")
        points[character] = Coordinate(
          latitude: origin.latitude - Double(row) * degrees,
          longitude: origin.longitude + Double(column) / 2 * degrees / narrowing)
      }
    }
  }

  /// Adds a way through the nodes `letters`, with `highway=residential` and its letters as its name unless tagged
  /// otherwise.
  public func way(_ letters: String, _ tags: [String: String] = [:]) -> TestMap {
    var map = self
    let known = letters.allSatisfy { points[$0] != nil }
    precondition(known, "\(letters) has a letter that is not drawn:\n\(drawing)")
    map.ways.append((letters, ["highway": "residential", "name": letters].merging(tags) { $1 }.filter { $1 != "" }))
    return map
  }

  /// Removes nodes from the file but not the ways through them, as in extracts.
  public func without(_ letters: String) -> TestMap {
    var map = self
    map.missing.formUnion(letters)
    return map
  }

  public func node(_ letter: Character, _ tags: [String: String]) -> TestMap {
    var map = self
    map.nodeTags[letter] = tags
    return map
  }

  /// Adds a turn restriction between ways, named by their letters, via a node (one letter) or ways ("bc cd"). `tags`
  /// are added to `restriction`, or replace it, in OpenStreetMap's notation.
  public func restriction(
    _ kind: String, from: String, via: String, to: String, _ tags: [String: String] = [:]
  ) -> TestMap {
    let vias = via.split(separator: " ").map { ($0.count == 1 ? "n" : "w", String($0), "via") }
    let members = [("w", from, "from")] + vias + to.split(separator: " ").map { ("w", String($0), "to") }
    return relation(
      members.map { (Character($0.0), $0.1, $0.2) },
      ["type": "restriction", "restriction": kind].merging(tags) { $1 }.filter { $1 != "" })
  }

  /// Adds a relation of ways ('w') and nodes ('n'), named by their letters.
  public func relation(
    _ members: [(type: Character, letters: String, role: String)], _ tags: [String: String]
  ) -> TestMap {
    var map = self
    map.relations.append((members, tags))
    return map
  }

  public func language(_ name: String) throws -> TestMap {
    var map = self
    map.options.language = try Language(named: name)
    return map
  }

  public func snapLegs(_ counted: Bool) -> TestMap {
    var map = self
    map.options.countsSnapLegs = counted
    return map
  }

  public func snapLimit(_ metres: Double) -> TestMap {
    var map = self
    map.options.snapLimit = metres
    return map
  }

  public subscript(_ letter: Character) -> Coordinate {
    guard let point = points[letter] else { preconditionFailure("\(letter) is not drawn:\n\(drawing)") }
    return point
  }

  /// The map as OPL, libosmium's text format, one object per line.
  public var opl: String {
    let nodes = points.filter { $0.key.isLetter }.sorted { $0.key < $1.key }
    let numbers = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.key, $0 + 1) })
    var lines = nodes.filter { !missing.contains($0.key) }.map { letter, point in
      "n\(numbers[letter]!) v1 T\(list(nodeTags[letter] ?? [:])) x\(point.longitude) y\(point.latitude)"
    }
    for (number, way) in ways.enumerated() {
      lines.append(
        "w\(number + 1) v1 T\(list(way.tags)) N\(way.letters.map { "n\(numbers[$0]!)" }.joined(separator: ","))")
    }
    for (number, relation) in relations.enumerated() {
      let members = relation.members.map { member in
        let way = ways.firstIndex { $0.letters == member.letters }
        let id = member.type == "n" ? numbers[Character(member.letters)] : way.map { $0 + 1 }
        return "\(member.type)\(id ?? 999)@\(member.role)"  // a way that is not drawn is missing from the map
      }
      lines.append("r\(number + 1) v1 T\(list(relation.tags)) M\(members.joined(separator: ","))")
    }
    // Complete extracts have relations; this one is irrelevant to a network.
    if relations.isEmpty { lines.append("r1 v1 Ttype=site M") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func list(_ tags: [String: String]) -> String {
    tags.sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(separator: ",")
  }

  private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_:.".unicodeScalars.contains(scalar)
        ? String(scalar) : "%\(String(scalar.value, radix: 16))%"
    }.joined()
  }

  public func network(profile: Profile? = nil, workers: Int = 1) throws -> StreetNetwork {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try StreetNetwork(
      .opl(opl), profile: profile ?? .stock("walking"), at: scratch.path("map.network"), workers: workers)
  }

  public func request(_ from: Character, _ to: Character) -> DirectionsRequest {
    DirectionsRequest(source: Place(coordinate: self[from]), destination: Place(coordinate: self[to]))
  }

  public func route(_ from: Character, _ to: Character, profile: Profile? = nil) throws -> Route {
    try routes(from, to, profile: profile)[0]
  }

  /// Returns the routes of a request that `change` may modify.
  public func routes(
    _ from: Character, _ to: Character, profile: Profile? = nil, _ change: (inout DirectionsRequest) -> Void = { _ in }
  ) throws -> [Route] {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(opl), profile: profile ?? .stock("walking"), at: scratch.path("map.network"))
    var request = self.request(from, to)
    change(&request)
    return try Directions(network: network, options: options).calculateAndWait(request)
  }

  public func route(_ from: Character, _ to: Character, by type: TransportType) throws -> Route {
    try route(from, to, profile: .stock(type.rawValue))
  }

  /// Returns the streets of the route, one word each ("ab bc"), or the error ("directionsNotFound").
  public func streets(_ from: Character, _ to: Character, profile: Profile? = nil) throws -> String {
    do {
      return try route(from, to, profile: profile).streets
    } catch let error as DirectionsError {
      return "\(error.kind)"
    }
  }

  public func streets(_ from: Character, _ to: Character, by type: TransportType) throws -> String {
    try streets(from, to, profile: .stock(type.rawValue))
  }
}

extension TestMap {
  /// Streets around a block, and one that leads to it.
  public static let block = TestMap(
    """
    a-b-c
      | |
      d-e
    """
  ).way("abc").way("bd").way("de").way("ce")
}

extension TestMap {
  /// 84 streets, and an island of one street, 200 m away, with a place on it and one between:
  ///
  ///     A-B-C-…
  ///     | | |
  ///     …          x-1-y
  public static let grid: TestMap = {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw".map(String.init)
    let rows = (0..<7).map { row in (0..<7).map { letters[row * 7 + $0] } }
    let drawn = TestMap(rows.map { $0.joined(separator: "-") }.joined(separator: "\n") + "\n    2\n  x-1-y")
    let columns = (0..<7).map { column in rows.map { $0[column] } }
    return (rows + columns).reduce(drawn) { $0.way($1.joined()) }.way("xy")
  }()
}

/// Returns whether two lengths or times are equal to within the seven decimals of coordinates.
public func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 0.03 + abs(b) * 0.000_2 }

extension Route {
  /// The names of the steps' streets, in order.
  public var streets: String { steps.dropLast().map(\.street).joined(separator: " ") }
  public var instructions: [String] { steps.map(\.instructions) }
}

extension DirectionsError {
  fileprivate var kind: String {
    switch self {
    case .directionsNotFound: "directionsNotFound"
    case .tooLong: "tooLong"
    case .placemarkNotFound, .offMap: "placemarkNotFound"
    case .invalidPlace: "invalidPlace"
    case .cancelled: "cancelled"
    case .transportTypeUnavailable: "transportTypeUnavailable"
    case .invalidDepartures: "invalidDepartures"
    case .invalidValue: "invalidValue"
    case .timeMissing: "timeMissing"
    }
  }
}
