import Foundation
import Geography
import Routing
import StreetNetwork
import Tables

/// The columns of a pair table, found by name.
package struct PairColumns {
  private let ends: Ends
  private let file: String
  private let header: [String]
  /// The index of each `Column` in the table; nil if the table does not have it.
  private let optional: [Int?]
  /// The column of pairs' weights; nil if the table does not have one.
  let weight: (name: String, index: Int)?
  /// Unknown columns, in order.
  let unused: [String]

  /// The columns of a pair's ends.
  private enum Ends {
    case coordinates(origin: Point, destination: Point)
    /// A column of Apple Maps links.
    case link(Int)
    /// Columns with the ids of places in another file.
    case places(origin: Int, destination: Int, PairEnds)
  }

  /// The coordinate columns of an end.
  private struct Point {
    var longitude: (name: String, index: Int)
    var latitude: (name: String, index: Int)

    func coordinate(of rows: DelimitedRows) throws(RowProblem) -> Coordinate {
      let longitude = try rows.degrees(longitude.index, in: longitude.name)
      return Coordinate(latitude: try rows.degrees(latitude.index, in: latitude.name), longitude: longitude)
    }
  }

  private enum Column: Int, CaseIterable {
    case id, originID, destinationID, originName, destinationName, group, departure, arrival, transportType, avoid

    func names(in header: [String]) -> [String] {
      switch self {
      case .id: PairColumns.ids
      case .originID: EndNames.origin.ids(in: header)
      case .destinationID: EndNames.destination.ids(in: header)
      case .originName: EndNames.origin.names
      case .destinationName: EndNames.destination.names
      case .group: PairColumns.groups
      case .departure: PairColumns.departures
      case .arrival: PairColumns.arrivals
      case .transportType: PairColumns.transportTypes
      case .avoid: PairColumns.avoids
      }
    }
  }

  static let (ids, groups) = (["id", "pairid"], ["group"])
  static let (departures, arrivals) = (["departuretime", "departuredate"], ["arrivaltime", "arrivaldate"])
  static let (transportTypes, avoids) = (["transporttype"], ["avoid", "avoids"])

  /// Normalized names of weight columns.
  static let weights = ["weight", "volume", "demand", "flow", "trips", "s000"]

  /// The columns of pairs with coordinates; `lacking` are other required columns that the header lacks. *Throws*:
  /// `OdometerError`.
  package init(_ header: [String], file: String, lacking: [OdometerError.MissingColumn] = []) throws {
    try self.init(header, file: file, places: nil, lacking: lacking)
  }

  /// - Parameters:
  ///   - places: Reads the places that pairs refer to by id, given the noun of the origin's id column ("zoneid"); nil if
  ///     the job names no file of places.
  ///   - lacking: Other required columns that the header lacks, for the error of a table with coordinates.
  ///
  /// *Throws*: `OdometerError` if an end has no column, a column is given twice, or pairs with coordinates have `places`.
  init(
    _ header: [String], file: String, places: ((_ idNoun: String?) throws -> PairEnds)?,
    lacking: [OdometerError.MissingColumn] = []
  ) throws {
    (self.file, self.header) = (file, header)
    let names = header.map(EndNames.plain)
    let coordinates = EndNames.allCases.flatMap { end in EndNames.Axis.allCases.map { (end, $0) } }
    let found = coordinates.map { names.column(of: $0.names($1)) }
    let ids = EndNames.allCases.map { names.column(of: $0.references(in: names)) }
    let link = names.firstIndex { $0.contains("link") || $0.contains("url") }
    if let places {
      // `flat` alone may mean an apartment rather than the latitude of "from": an end needs both of its columns.
      for end in [found[..<2], found[2...]] where end.allSatisfy({ $0 != nil }) {
        throw .input(
          file,
          "the job has the key places, but the pairs have coordinates in "
            + "\(end.compactMap { $0.map { RowProblem.excerpt(header[$0]) } }.joined(separator: " and ")); "
            + "remove the key or the columns")
      }
      for (end, id) in zip(EndNames.allCases, ids) where id == nil {
        throw OdometerError(
          file: file, noColumnFor: "\(end.rawValue)'s id", in: header,
          of: end == .origin
            ? ["origin_id", "from_id", "o_zone_id", "origin", "from"]
            : ["destination_id", "to_id", "d_zone_id", "destination", "to"])
      }
      ends = .places(origin: ids[0]!, destination: ids[1]!, try places(EndNames.origin.idNoun(of: header[ids[0]!])))
    } else if let link, found.allSatisfy({ $0 == nil }) {
      // Coordinates take precedence over links.
      ends = .link(link)
    } else {
      if let origin = ids[0], let destination = ids[1], found.allSatisfy({ $0 == nil }) {
        throw .input(
          file,
          "the pairs have ids (\(RowProblem.list([header[origin], header[destination]]))) but no coordinates; "
            + "name the file of their places with the key places")
      }
      let missing = zip(coordinates, found).filter { $1 == nil }.map { column, _ in
        ("\(column.0.rawValue)'s \(column.1.rawValue)", column.0.examples(column.1))
      }
      guard missing.isEmpty, lacking.isEmpty else {
        throw OdometerError(file: file, noColumnsFor: missing + lacking, in: header)
      }
      let columns = found.map { (name: header[$0!], index: $0!) }
      ends = .coordinates(
        origin: Point(longitude: columns[0], latitude: columns[1]),
        destination: Point(longitude: columns[2], latitude: columns[3]))
    }
    optional = Column.allCases.map { names.column(of: $0.names(in: names)) }
    weight = names.column(of: PairColumns.weights).map { (header[$0], $0) }
    let endIndices: [Int?]
    switch ends {
    case .coordinates: endIndices = found
    case .link(let index): endIndices = [index]
    case .places(let origin, let destination, _): endIndices = [origin, destination]
    }
    let used = Set((endIndices + optional + [weight?.index]).compactMap(\.self))
    try OdometerError.checkOnce(used.sorted(), in: header, of: file)
    unused = header.indices.filter { !used.contains($0) && !header[$0].isEmpty }.map { header[$0] }
  }

  /// Returns the values of the current row, except its weight.
  ///
  /// - Parameters:
  ///   - type: The transport type that links must have, if they name one.
  ///   - currentLocation: The source of links without one.
  package func values(of rows: DelimitedRows, for type: String, _ currentLocation: Place? = nil) throws(RowProblem)
    -> PairValues
  {
    var values: PairValues
    switch ends {
    case .link(let index): values = try PairValues(link: rows[index].text, for: type, from: currentLocation)
    case .coordinates(let origin, let destination):
      values = PairValues(origin: try origin.coordinate(of: rows), destination: try destination.coordinate(of: rows))
    case .places(let origin, let destination, let places):
      values = PairValues(
        from: try places.place(rows[origin].identifier, in: header[origin]),
        to: try places.place(rows[destination].identifier, in: header[destination]))
    }
    values.id = field(.id, of: rows)?.identifier
    values.originID = values.originID ?? field(.originID, of: rows)?.identifier
    values.destinationID = values.destinationID ?? field(.destinationID, of: rows)?.identifier
    values.originName = text(.originName, of: rows) ?? values.originName
    values.destinationName = text(.destinationName, of: rows) ?? values.destinationName
    values.group = text(.group, of: rows)
    values.departure = text(.departure, of: rows)
    values.arrival = text(.arrival, of: rows)
    values.transportType = text(.transportType, of: rows)
    values.avoid = text(.avoid, of: rows)
    return values
  }

  private func field(_ column: Column, of rows: DelimitedRows) -> RowField? {
    optional[column.rawValue].map { rows[$0] }
  }

  private func text(_ column: Column, of rows: DelimitedRows) -> String? { rows.text(at: optional[column.rawValue]) }

  /// Returns the id of the current row, which may be invalid; nil if it has none.
  func id(of rows: DelimitedRows) -> String? { text(.id, of: rows) }
}

/// The places of a job that its pairs refer to by id.
struct PairEnds {
  let file: String
  private let places: [Identifier: InputPlace]
  let rejected: [RejectedRow]
  let notes: [String]

  /// - Parameter idNoun: An additional name for the column of ids, from the pairs: "zoneid".
  ///
  /// *Throws*: `OdometerError`.
  init(path: String, area: BoundingBox, idNoun: String?, duplicates: DuplicateRule) throws {
    file = path
    let table = try PlaceTable(
      path: path, role: .origin, area: area, keys: .withoutWeights, duplicates: duplicates, forPairs: true,
      idNoun: idNoun)
    (rejected, notes) = (table.rejected, table.notes)
    places = Dictionary(table.places.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Returns the place with an id. `column` is for messages.
  func place(_ id: Identifier?, in column: String) throws(RowProblem) -> InputPlace {
    guard let id else { throw RowProblem("\(column) is empty") }
    guard let place = places[id] else {
      throw RowProblem("\(column) \"\(RowProblem.excerpt(id))\" is not the id of a place in \(file)")
    }
    return place
  }
}

/// The values of a row of a pair table, before its coordinates are checked.
package struct PairValues: Sendable {
  package var id: Identifier?
  var originID: Identifier?
  var destinationID: Identifier?
  var originName: String?
  var destinationName: String?
  var group: String?
  /// ISO 8601 with a time zone.
  package var departure: String?
  /// ISO 8601 with a time zone.
  var arrival: String?
  var transportType: String?
  /// "tolls", "highways" or both.
  var avoid: String?
  /// The pair's weight, such as trips.
  var weight: Double?
  /// The text of the weight field if it stands for a missing value.
  var missingWeight: String?
  /// A problem of the row apart from its ends; nil if there is none.
  var problem: RowProblem?
  package var origin: Coordinate
  package var destination: Coordinate
  package var waypoints: [Coordinate] = []
  /// The link's avoidances, in addition to the job's.
  package var avoids: Profile.Avoidance = []

  static let maximumWaypoints = 100
}

extension PairValues {
  /// The coordinates of the pair's ends that are valid.
  var points: [FixedCoordinate] { CoordinateCheck.points([origin, destination]) }

  /// Creates a pair from two input places.
  init(from origin: InputPlace, to destination: InputPlace) {
    self.init(
      originID: origin.id, destinationID: destination.id, originName: origin.name, destinationName: destination.name,
      origin: origin.coordinate.coordinate, destination: destination.coordinate.coordinate)
  }

  /// Creates a pair from a GeoJSON feature, without its weight.
  init(_ feature: GeoJSONFeature, id: String?) throws(RowProblem) {
    let positions = feature.positions
    let isPair =
      ["LineString", "MultiLineString"].contains(feature.geometry) && positions.count >= 2
      || feature.geometry == "MultiPoint" && positions.count == 2
    guard isPair, let first = positions.first, let last = positions.last else {
      let isList = ["LineString", "MultiPoint"].contains(feature.geometry)
      let count = isList ? " of \(positions.count.counted("position"))" : ""
      let type = RowProblem.excerpt(feature.geometry)
      throw RowProblem("got a \(type)\(count), expected a LineString, or a MultiPoint of two positions")
    }
    guard first.count >= 2, last.count >= 2 else {
      throw RowProblem("got a position with fewer than two numbers, expected longitude and latitude")
    }
    let names = feature.properties.keys.sorted().map { (plain: EndNames.plain($0), name: $0) }
    let plain = names.map(\.plain)
    func text(_ expected: [String]) -> String? {
      expected.lazy.compactMap { word in names.first { $0.plain == word } }.first.flatMap { feature.text($0.name) }
    }
    // Lists and objects are rejected where only certain words are allowed.
    func words(_ expected: [String]) -> String? {
      text(expected)
        ?? feature.placeholders.filter { expected.contains(EndNames.plain($0.key)) }.min { $0.key < $1.key }?.value
    }
    self.init(
      id: id.map(Identifier.init), originID: text(EndNames.origin.ids(in: plain)).map(Identifier.init),
      destinationID: text(EndNames.destination.ids(in: plain)).map(Identifier.init),
      originName: text(EndNames.origin.names), destinationName: text(EndNames.destination.names),
      group: text(PairColumns.groups), departure: words(PairColumns.departures),
      arrival: words(PairColumns.arrivals), transportType: words(PairColumns.transportTypes),
      avoid: words(PairColumns.avoids), origin: Coordinate(latitude: first[1], longitude: first[0]),
      destination: Coordinate(latitude: last[1], longitude: last[0]))
  }

  /// Creates a pair from an Apple Maps link, whose transport type, if given, must be `type`.
  init(link: String, for type: String, from currentLocation: Place?) throws(RowProblem) {
    guard let url = URL(string: link) else { throw RowProblem("not a link") }
    let legs: [DirectionsRequest]
    do { legs = try DirectionsRequest.legs(url: url, currentLocation: currentLocation) } catch {
      throw RowProblem(error.description)
    }
    if let other = legs[0].transportType, other.rawValue != type {
      throw RowProblem("the link is for \(other.rawValue), the job for \(type)")
    }
    guard legs.count <= PairValues.maximumWaypoints + 1 else {
      throw RowProblem("the link has \(legs.count - 1) waypoints, expected at most \(PairValues.maximumWaypoints)")
    }
    let stops = ([legs[0].source] + legs.map(\.destination)).map(\.coordinate)
    self.init(origin: stops[0], destination: stops[stops.count - 1])
    waypoints = Array(stops[1..<stops.count - 1])
    avoids = Profile.Avoidance(tolls: legs[0].tollPreference, highways: legs[0].highwayPreference)
  }
}

/// Recognized column names for the ends of pairs, such as `origin_lon`, `fx`, `start lng` and `o_zone_id`.
///
///     EndNames.plain("O Zone ID")      "ozoneid"
package enum EndNames: String, CaseIterable {
  case origin, destination

  /// Words for an end. Names with earlier words take precedence.
  private var words: [String] {
    switch self {
    case .origin: ["origin", "from", "o", "source", "orig", "start", "pickup", "f", "1"]
    case .destination: ["destination", "to", "d", "dest", "target", "end", "dropoff", "t", "2"]
    }
  }

  enum Axis: String, CaseIterable {
    case longitude, latitude

    var words: [String] {
      switch self {
      case .longitude: ["lon", "lng", "longitude", "x", "long", "xcoord"]
      case .latitude: ["lat", "latitude", "y", "ycoord"]
      }
    }
  }

  /// Returns a normalized name: only letters and digits, in lower case.
  package static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Returns the normalized names of a coordinate: "originlon", "xfrom".
  func names(_ axis: Axis) -> [String] {
    words.flatMap { word in axis.words.map { word + $0 } } + words.flatMap { word in axis.words.map { $0 + word } }
  }

  /// Returns the recommended names of a coordinate.
  func examples(_ axis: Axis) -> [String] {
    words.prefix(4).flatMap { word in axis.words.prefix(axis == .longitude ? 4 : 3).map { "\(word)_\($0)" } }
  }

  /// Returns the names of an id in tables with coordinates. Single-letter words require a column for each end, since
  /// `fid` or `oid` alone is the id of the row.
  func ids(in header: [String]) -> [String] {
    let other = self == .origin ? EndNames.destination : .origin
    return zip(words, other.words).flatMap { word, opposite in
      EndNames.idNouns.filter { word.count > 1 || header.contains(opposite + $0) }.map { word + $0 }
    }
  }

  /// Returns the names of a column that refers to places in another file by id, for tables without coordinates.
  package func references(in header: [String]) -> [String] {
    let (ids, words) = (ids(in: header), words.dropLast())
    let isLong: (String) -> Bool = { name in words.contains { $0.count > 1 && name.hasPrefix($0) } }
    // The last is a column of commuting tables: census blocks of home or workplace (LODES).
    return ids.filter(isLong) + words.filter { $0.count > 1 } + ids.filter { !isLong($0) }
      + words.filter { $0.count == 1 } + [self == .origin ? "hgeocode" : "wgeocode"]
  }

  /// The names of a column with the name of an end.
  var names: [String] { words.flatMap { [$0 + "name", $0 + "stationname"] } }

  /// Returns an id column's name without the end's word: "zoneid", which the file of zones may use.
  func idNoun(of column: String) -> String? {
    let name = EndNames.plain(column)
    return EndNames.idNouns.first { idNoun in words.contains { $0 + idNoun == name } }
  }

  private static let idNouns = ["id", "zoneid", "zone", "taz", "tazid", "nodeid", "node", "stationid", "code", "geoid"]
}

/// The text form of avoidances in links and tables: "tolls,highways".
extension Profile.Avoidance {
  private static let names: [(name: String, avoidance: Profile.Avoidance)] = [
    ("tolls", .tolls), ("highways", .highways),
  ]

  package var text: String { Self.names.filter { contains($0.avoidance) }.map(\.name).joined(separator: ",") }

  package init(text: String) {
    let names = text.split(separator: ",")
    self = Self.names.reduce(into: []) { if names.contains(Substring($1.name)) { $0.insert($1.avoidance) } }
  }
}
