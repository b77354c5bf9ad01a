import Foundation
import Geography
import Results
import Routing
import StreetNetwork

/// The pairs of a job: rows that can be used, the places they join, and the rows that cannot be used.
///
/// Columns of a CSV are found by name, properties of GeoJSON likewise; see README.
package struct PairTable {
  package private(set) var pairs: [Pair] = []
  package private(set) var places: [InputPlace] = []
  package private(set) var rejected: [RejectedRow] = []
  /// Names of groups, by the number in a pair.
  package private(set) var groups: [String] = []
  /// Departure times that rows have, by the number in a pair.
  package private(set) var departures: [Timestamp] = []
  private let file: String
  private let check: CoordinateCheck
  private let transportType: TransportType
  private var departureNumbers: [Timestamp: Int32] = [:]
  private var placeNumbers: [PlaceKey: Int32] = [:]
  private var coordinateNumbers: [FixedCoordinate: Int64] = [:]
  private var groupNumbers: [String: Int32] = [:]

  /// A row: places by their number in `places`.
  package struct Pair {
    package var id: Identifier
    package var origin: Int32
    package var destination: Int32
    /// -1 for none.
    package var group: Int32
    /// -1 for that of the job.
    package var departure: Int32
  }

  private struct PlaceKey: Hashable {
    var role: InputPlace.Role
    var id: Identifier?
    var coordinate: FixedCoordinate
  }

  /// Whether the ids of all pairs and places are whole numbers.
  package var idsAreNumbers: Bool { pairs.allSatisfy(\.id.isNumber) && places.allSatisfy(\.id.isNumber) }

  /// Reads the file at `path`. `area` is the map's: a row outside of it that would lie inside with longitude and
  /// latitude exchanged is rejected with that advice. *Throws*: `InputError`.
  package init(path: String, area: BoundingBox, transportType: TransportType) throws {
    file = path
    check = CoordinateCheck(area: area)
    self.transportType = transportType
    let bytes = try inputBytes(of: path)
    let start = bytes.drop { $0.isWhitespace }
    if start.first == UInt8(ascii: "{") {
      try readGeoJSON(bytes)
    } else if ["maps:", "http:", "https:"].contains(where: { start.starts(with: $0.utf8) }) {
      readLinks(bytes)
    } else {
      try readCSV(bytes)
    }
    if pairs.isEmpty { throw InputError(file: path, noneUsableOf: rejected) }
  }

  // MARK: CSV

  private mutating func readCSV(_ bytes: [UInt8]) throws {
    var rows = CSVReader(bytes)
    guard let header = rows.next() else { throw InputError(file: file, problem: "the file has no rows") }
    let columns = try PairColumns(header.fields, file: file)
    while let row = rows.next() {
      guard row.fields.count == header.fields.count else {
        reject(row.line, row.text, "found \(row.fields.count) fields, the header has \(header.fields.count)")
        continue
      }
      let values = columns.values(of: row.fields)
      accept(values, line: row.line, text: row.text)
    }
  }

  // MARK: GeoJSON

  private mutating func readGeoJSON(_ bytes: [UInt8]) throws {
    guard let features = GeoJSONReader(bytes) else {
      throw InputError(file: file, problem: "found JSON without features; a GeoJSON FeatureCollection is needed")
    }
    for item in features {
      guard let feature = item.feature else {
        reject(item.line, item.text, "this is no GeoJSON Feature with a geometry")
        continue
      }
      let positions = feature.positions
      let isPair =
        feature.geometry == "LineString" && positions.count >= 2
        || feature.geometry == "MultiPoint" && positions.count == 2
      guard isPair, let first = positions.first, let last = positions.last, first.count >= 2, last.count >= 2 else {
        reject(
          item.line, item.text,
          "found a \(feature.geometry) of \(positions.count) positions; a pair is a LineString, or a MultiPoint of two")
        continue
      }
      let properties = feature.properties
      accept(
        PairValues(
          id: feature.id ?? properties["id"], originID: properties["origin_id"],
          destinationID: properties["destination_id"], originName: properties["origin_name"],
          destinationName: properties["destination_name"], group: properties["group"],
          departure: properties["departure_time"], link: nil,
          numbers: (first[0], first[1], last[0], last[1]), problem: nil), line: item.line, text: item.text)
    }
  }

  // MARK: Links

  /// A link of Maps a line.
  private mutating func readLinks(_ bytes: [UInt8]) {
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty else { continue }
      accept(PairValues(link: text), line: number + 1, text: text)
    }
  }

  /// The values with the ends that a link says.
  private func resolved(_ values: PairValues) -> PairValues {
    guard let link = values.link else { return values }
    var values = values
    guard let url = URL(string: link) else {
      values.problem = "this is no link"
      return values
    }
    do {
      let request = try DirectionsRequest(url: url)
      if let type = request.transportType, type != transportType {
        values.problem = "the link is for \(type.rawValue), the job for \(transportType.rawValue)"
      }
      let (from, to) = (request.source.coordinate, request.destination.coordinate)
      values.numbers = (from.longitude, from.latitude, to.longitude, to.latitude)
    } catch {
      values.problem = error.description
    }
    return values
  }

  // MARK: Rows

  private mutating func accept(_ values: PairValues, line: Int, text: String) {
    let values = resolved(values)
    if let problem = values.problem { return reject(line, text, problem) }
    var departure: Int32 = -1
    if let time = values.departure {
      guard let timestamp = Timestamp(time) else {
        return reject(line, text, "departure_time \"\(time)\" cannot be read; allowed: \(Timestamp.allowed)")
      }
      departure = number(of: timestamp)
    }
    let (fromLongitude, fromLatitude, toLongitude, toLatitude) = values.numbers
    let from = check.point(longitude: fromLongitude, latitude: fromLatitude, of: "the origin")
    let to = check.point(longitude: toLongitude, latitude: toLatitude, of: "the destination")
    switch (from, to) {
    case (.failure(let problem), _), (_, .failure(let problem)):
      reject(line, text, problem.reason)
    case (.success(let from), .success(let to)):
      pairs.append(
        Pair(
          id: values.id.map(Identifier.init) ?? .number(Int64(pairs.count + rejected.count + 1)),
          origin: place(.origin, values.originID, values.originName, from),
          destination: place(.destination, values.destinationID, values.destinationName, to),
          group: group(values.group), departure: departure))
    }
  }

  private mutating func reject(_ line: Int, _ text: String, _ reason: String) {
    rejected.append(RejectedRow(file: file, line: line, text: text, reason: reason))
  }

  private mutating func place(_ role: InputPlace.Role, _ id: String?, _ name: String?, _ coordinate: FixedCoordinate)
    -> Int32
  {
    let given = id.map(Identifier.init)
    let key = PlaceKey(role: role, id: given, coordinate: coordinate)
    if let known = placeNumbers[key] { return known }
    let number = Int32(places.count)
    placeNumbers[key] = number
    places.append(
      InputPlace(id: given ?? .number(self.number(of: coordinate)), role: role, name: name, coordinate: coordinate))
    return number
  }

  /// Places without an id are numbered in the order in which their points are first met.
  private mutating func number(of coordinate: FixedCoordinate) -> Int64 {
    if let known = coordinateNumbers[coordinate] { return known }
    let number = Int64(coordinateNumbers.count + 1)
    coordinateNumbers[coordinate] = number
    return number
  }

  private mutating func number(of departure: Timestamp) -> Int32 {
    if let known = departureNumbers[departure] { return known }
    let number = Int32(departures.count)
    departureNumbers[departure] = number
    departures.append(departure)
    return number
  }

  private mutating func group(_ name: String?) -> Int32 {
    guard let name else { return -1 }
    if let known = groupNumbers[name] { return known }
    let number = Int32(groups.count)
    groupNumbers[name] = number
    groups.append(name)
    return number
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
