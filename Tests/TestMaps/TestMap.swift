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
/// Letters are nodes, digits are places, all else is for the eye. Two columns or one line are 100 m. The map lies at
/// the equator, where both axes have equal metres. A way is named by its letters.
public struct TestMap: Sendable {
  private let drawing: String
  private var points: [Character: Coordinate] = [:]
  private var nodeTags: [Character: [String: String]] = [:]
  private var ways: [(letters: String, tags: [String: String])] = []
  public var options = Directions.Options()

  public init(_ drawing: String, spacing: Double = 100) {
    self.drawing = drawing
    let degrees = spacing / Coordinate.metresPerDegree
    for (row, line) in drawing.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for (column, character) in line.enumerated() where character.isLetter || character.isNumber {
        precondition(points[character] == nil, "\(character) is drawn twice:\n\(drawing)")
        points[character] = Coordinate(latitude: -Double(row) * degrees, longitude: Double(column) / 2 * degrees)
      }
    }
  }

  /// Adds a way through the nodes `letters`; `highway=residential` and its letters as name unless tagged otherwise.
  public func way(_ letters: String, _ tags: [String: String] = [:]) -> TestMap {
    var map = self
    let known = letters.allSatisfy { points[$0] != nil }
    precondition(known, "\(letters) has a letter that is not drawn:\n\(drawing)")
    map.ways.append((letters, ["highway": "residential", "name": letters].merging(tags) { $1 }.filter { $1 != "" }))
    return map
  }

  public func node(_ letter: Character, _ tags: [String: String]) -> TestMap {
    var map = self
    map.nodeTags[letter] = tags
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

  /// The map as OPL, libosmium's text of one object a line.
  public var opl: String {
    let nodes = points.filter { $0.key.isLetter }.sorted { $0.key < $1.key }
    let numbers = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.key, $0 + 1) })
    var lines = nodes.map { letter, point in
      "n\(numbers[letter]!) v1 T\(list(nodeTags[letter] ?? [:])) x\(point.longitude) y\(point.latitude)"
    }
    for (number, way) in ways.enumerated() {
      lines.append(
        "w\(number + 1) v1 T\(list(way.tags)) N\(way.letters.map { "n\(numbers[$0]!)" }.joined(separator: ","))")
    }
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
    let directions = Directions(network: try network(profile: profile), options: options)
    return try directions.calculate(request(from, to))[0]
  }

  /// The streets of the way, one word each ("ab bc"), or the error in its place ("directionsNotFound").
  public func streets(_ from: Character, _ to: Character, profile: Profile? = nil) throws -> String {
    do {
      return try route(from, to, profile: profile).streets
    } catch let error as DirectionsError {
      return "\(error.kind)"
    }
  }
}

/// Whether two lengths or times are alike but for coordinates having seven decimals.
public func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 0.03 + abs(b) * 0.000_2 }

extension Route {
  /// The names of its steps' streets, one after the other.
  public var streets: String { steps.dropLast().map(\.street).joined(separator: " ") }
  public var instructions: [String] { steps.map(\.instructions) }
}

extension DirectionsError {
  fileprivate var kind: String {
    switch self {
    case .directionsNotFound: "directionsNotFound"
    case .placemarkNotFound: "placemarkNotFound"
    case .transportTypeUnavailable: "transportTypeUnavailable"
    }
  }
}
