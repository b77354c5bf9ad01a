import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables

/// The pairs of a job: valid rows, their places, and rejected rows.
///
/// CSV columns and GeoJSON properties are found by name; a text file may have one Apple Maps link per line.
package struct PairTable {
  package private(set) var pairs = InputPairs()
  package private(set) var places = PairPlaces()
  package private(set) var rejected: [RejectedRow] = []
  /// Notes about the file, without a final full stop.
  package private(set) var notes: [String] = []
  private let file: String
  /// The file of the places that pairs refer to by id.
  private let placesFile: String?
  /// The avoidances of the network file used as the map; nil for other maps.
  private let avoided: Profile.Avoidance?
  private let check: CoordinateCheck
  private var used: UsedIdentifiers
  /// The job's transport type; rows with another one are rejected.
  private let typeName: String
  /// The source of links that have none.
  private let currentLocation: Place?
  private var groupNames = Interner<String>()
  private var rowTimes = Interner<RowTime>()
  /// Returns the reason why a row cannot be computed, if there is one.
  private let problem: (@Sendable (PairValues, RowTime?, Profile.Avoidance) -> String?)?
  /// The column of the pairs' weight; nil for none.
  package private(set) var weightColumn: String?
  private var weightSum = 0.0
  private var missingWeights = NumberColumn.Fields()

  /// Names of groups, indexed by a pair's `group`.
  package var groups: [String] { groupNames.values }
  /// Times of rows, indexed by a pair's `time`.
  package var times: [RowTime] { rowTimes.values }

  /// The departure or arrival of a row's trip.
  package struct RowTime: Hashable, Sendable {
    package var moment: Timestamp
    package var isArrival: Bool

    package init(moment: Timestamp, isArrival: Bool) { (self.moment, self.isArrival) = (moment, isArrival) }
  }

  /// Whether the ids of all pairs and places are whole numbers.
  package var idsAreNumbers: Bool { pairs.idsAreNumbers && places.idsAreNumbers }

  /// Reads the file at `path`. `area` is the map's box: a row outside it that would be inside with longitude and
  /// latitude swapped is rejected with a hint to swap them. *Throws*: `OdometerError`.
  ///
  /// - Parameters:
  ///   - places: The file of places that pairs refer to by id; nil if pairs have coordinates or links.
  ///   - currentLocation: The place at which links without a source start, and to which "current location" refers.
  ///   - duplicates: Handling of rows with duplicate ids.
  ///   - workers: The number of threads: with two or more, one parses rows while another adds pairs.
  ///   - problem: Returns the reason for rejecting a row, given its values, time and avoidances; nil to accept it.
  ///     Called for each row.
  ///   - network: The profile of the network file used as the map, if any; no network can then be built for rows that
  ///     avoid more.
  package init(
    path: String, area: BoundingBox, transportType: TransportType, typeName: String? = nil, places: String? = nil,
    network: Profile? = nil, currentLocation: Place? = nil, duplicates: DuplicateRule = .reject,
    workers: Int = 1, problem: (@Sendable (PairValues, RowTime?, Profile.Avoidance) -> String?)? = nil
  )
    throws
  {
    file = path
    self.problem = problem
    avoided = network?.avoids
    placesFile = places
    check = CoordinateCheck(area: area)
    self.currentLocation = currentLocation
    self.typeName = typeName ?? transportType.rawValue
    let package = try GeoPackageRows(path)
    let start = try package == nil ? InputFile.start(of: path) : []
    let unit: RowUnit = package != nil || FeatureRows.isJSON(start) ? .feature : .line
    used = UsedIdentifiers(duplicates, unit)
    if places != nil && (package != nil || FeatureRows.isJSON(start) || PairTable.isLinks(start)) {
      throw .input(
        path,
        "the job has the key places, which is for pairs of ids in a CSV, but these pairs have coordinates; "
          + "remove the key places")
    }
    if let package {
      try read(package.next, package.table.columns, .number)
      notes += package.notes
    } else if FeatureRows.isJSON(start) {
      let names = try FeatureNames(path)
      try read(FeatureRows(path).next, names.properties, names.hasOwnIDs ? .own : .number)
    } else if PairTable.isLinks(start) {
      readLinks(try InputFile.bytes(of: path))
    } else {
      try readRows(DelimitedRows(path), duplicates, workers: workers)
    }
    if pairs.isEmpty { throw OdometerError(file: path, allRejected: rejected, unit) }
    used = UsedIdentifiers(duplicates, unit)
    pairs.finish()
    self.places.finish()
    if !idsAreNumbers { (pairs.idsAreStrings, self.places.idsAreStrings) = (true, true) }
  }

  private static func isLinks(_ bytes: [UInt8]) -> Bool {
    let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    return ["maps:", "http:", "https:"].contains { start.starts(with: $0.utf8) }
  }

  /// Reads a file with one Apple Maps link per line.
  private mutating func readLinks(_ bytes: [UInt8]) {
    if String(validating: bytes, as: UTF8.self) == nil { notes.append(InputText.note(on: file)) }
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let text = String(input: line).trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { continue }
      let (type, currentLocation) = (typeName, currentLocation)
      read(InputRow(line: index + 1, content: .success(text), source: .text(text))) { link throws(RowProblem) in
        try PairValues(link: link, for: type, from: currentLocation)
      }
    }
  }

  /// The maximum number of places per row: both ends of each leg of a link with the most waypoints.
  private static let maximumEnds = 2 * (PairValues.maximumWaypoints + 1)

  /// Pairs and places have 32-bit indices.
  private static let maximumRows = Int(Int32.max)

  /// Reads the rows after a header with column names.
  private mutating func readRows(_ rows: DelimitedRows, _ duplicates: DuplicateRule, workers: Int) throws {
    let header = try rows.header()
    var (rejectedPlaces, placeNotes): ([RejectedRow], [String]) = ([], [])
    let readPlaces = placesFile.map { [area = check.area] path in
      { (idNoun: String?) in
        let ends = try PairEnds(path: path, area: area, idNoun: idNoun, duplicates: duplicates)
        (rejectedPlaces, placeNotes) = (ends.rejected, ends.notes)
        return ends
      }
    }
    let columns = try rows.inHeader { try PairColumns(header, file: file, places: readPlaces) }
    rejected = rejectedPlaces
    let parser = PairParser(rows, columns, fields: header.count, for: typeName, currentLocation)
    var batch = try parser.next()
    while !batch.isEmpty {
      let (_, next) = try inParallel(workers: workers) {
        for row in batch {
          guard max(pairs.count, places.count + PairTable.maximumEnds) < PairTable.maximumRows else {
            throw .input(
              file, line: row.line,
              "got more than \(PairTable.maximumRows) pairs or places; divide them among several jobs")
          }
          read(row) { $0 }
        }
      } _: {
        Result { try parser.next() }
      }
      batch = try next.get()
    }
    notes = placeNotes + rows.notes
    weightColumn = columns.weight?.name
    note(unused: columns.unused)
    try finish(parser.weights)
  }

  /// - Parameters:
  ///   - properties: The features' properties, in file order.
  ///   - ids: The source of ids if no property has them.
  private mutating func read(
    _ next: (FeatureIDs) throws -> InputRow<GeoJSONFeature>?, _ properties: [String], _ ids: FeatureIDs
  ) throws {
    let plain = properties.map(EndNames.plain)
    let ids = plain.column(of: PairColumns.ids).map { .property(properties[$0]) } ?? ids
    let weight = plain.column(of: PairColumns.weights).map { properties[$0] }
    weightColumn = weight
    var weights = weight.map { NumberColumn($0, unit: .feature) }
    while let row = try next(ids) {
      read(row) { feature throws(RowProblem) in
        var values = try PairValues(feature, id: row.id)
        if let name = weight { weights?.readWeight(feature.numberText(name), of: &values, row: row.line) }
        return values
      }
    }
    let known = Set(
      PairColumns.ids + PairColumns.groups + PairColumns.departures + PairColumns.arrivals + PairColumns.transportTypes
        + PairColumns.avoids + EndNames.allCases.flatMap { $0.ids(in: plain) + $0.names })
    note(unused: zip(properties, plain).filter { !known.contains($1) && $0 != weight && !$0.isEmpty }.map(\.0))
    try finish(weights)
  }

  private mutating func note(unused: [String]) {
    guard !unused.isEmpty else { return }
    let listed = RowProblem.list(unused, atMost: 10)
    notes.append("\(file): \(unused.count == 1 ? "column" : "columns") not used: \(listed)")
  }

  /// Adds notes about the column of the pairs' weights. *Throws*: `OdometerError` if the weights are ambiguous.
  private mutating func finish(_ weights: NumberColumn?) throws {
    if let problem = weights?.problem(in: file, sum: weightSum) { throw problem }
    notes += [weights?.missingNote(on: file, of: (missingWeights, pairs.count))].compactMap(\.self)
  }

  /// Adds the pair of a row, or rejects the row.
  private mutating func read<Content>(
    _ row: InputRow<Content>, _ values: (Content) throws(RowProblem) -> PairValues
  ) {
    var parsed: PairValues?
    do throws(RowProblem) {
      let values = try values(row.content.get())
      parsed = values
      try append(values, line: row.line)
    } catch {
      let id = row.id ?? parsed?.id?.description
      reject(row.rejected(of: file, error, id: id, at: parsed?.points ?? []))
    }
  }

  private mutating func reject(_ row: RejectedRow) {
    rejected.append(row)
    pairs.reject()
  }

  private mutating func append(_ values: PairValues, line: Int) throws(RowProblem) {
    if let problem = values.problem { throw problem }
    if let type = values.transportType, type.lowercased() != typeName {
      throw RowProblem("transport_type: got \"\(RowProblem.excerpt(type))\", the job's transportType is \(typeName)")
    }
    let rowTime = try time(of: values)
    let avoids = try values.avoids.union(
      values.avoid.map { text throws(RowProblem) in try PairTable.avoidance(text) } ?? [])
    if let problem = problem?(values, rowTime, avoids) { throw RowProblem(problem) }
    let time = rowTime.map { Int32(rowTimes.index(of: $0)) }
    let origin = try check.point(values.origin, of: "the origin")
    let destination = try check.point(values.destination, of: "the destination")
    if let avoided, !avoided.isSuperset(of: avoids) {
      throw RowProblem(
        "the row avoids \(avoids.words), but the map is a network file that avoids \(avoided.words); name the "
          + "extract as the map")
    }
    let waypoints = try values.waypoints.map { position throws(RowProblem) in
      try check.point(position, of: "a waypoint")
    }
    let id = try values.id.map { given throws(RowProblem) in try used.record(given, line: line, after: pairs) }
    if id == nil { used.skip(line: line) }
    var legs: [InputPairs.Leg] = []
    var start = places.index(of: .origin, values.originID, values.originName, origin)
    for waypoint in waypoints {
      legs.append(.init(origin: start, destination: places.index(of: .destination, nil, nil, waypoint)))
      start = places.index(of: .origin, nil, nil, waypoint)
    }
    let end = places.index(of: .destination, values.destinationID, values.destinationName, destination)
    legs.append(.init(origin: start, destination: end))
    weightSum += values.weight ?? 0
    if let field = values.missingWeight { missingWeights.append(line, field) }
    pairs.append(
      id, legs, group: values.group.map { Int32(groupNames.index(of: $0)) }, time: time, weight: values.weight,
      avoids: avoids)
  }

  private func time(of values: PairValues) throws(RowProblem) -> RowTime? {
    func moment(_ text: String?, _ column: String) throws(RowProblem) -> Timestamp? {
      guard let text else { return nil }
      guard let moment = Timestamp(text) else {
        throw RowProblem("\(column): got \"\(RowProblem.excerpt(text))\", expected \(Timestamp.allowed)")
      }
      // Rounded as in the tables, so that the row can be recomputed from them.
      let seconds = moment.date.timeIntervalSince1970.rounded()
      return Timestamp(Date(timeIntervalSince1970: seconds), secondsFromGMT: moment.secondsFromGMT)
    }
    let departure = try moment(values.departure, "departure_time")
    guard let arrival = try moment(values.arrival, "arrival_time") else {
      return departure.map { RowTime(moment: $0, isArrival: false) }
    }
    guard departure == nil else { throw RowProblem("got departure_time and arrival_time, expected one of the two") }
    return RowTime(moment: arrival, isArrival: true)
  }

  /// Parses the avoidances of a row: "tolls", "tolls, highways", "none".
  private static func avoidance(_ text: String) throws(RowProblem) -> Profile.Avoidance {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    let known = ["tolls", "highways", "none"]
    guard !words.isEmpty, words.allSatisfy(known.contains) else {
      throw RowProblem("avoid: got \"\(RowProblem.excerpt(text))\", expected tolls, highways, both or none")
    }
    return Profile.Avoidance(text: words.joined(separator: ","))
  }
}

/// A parser for the rows of a table of pairs, batch by batch. Only one thread at a time uses the parser.
final class PairParser: @unchecked Sendable {
  private let rows: DelimitedRows
  private let columns: PairColumns
  private let fieldCount: Int
  private let typeName: String
  private let currentLocation: Place?
  /// The column of weights as far as it has been read; nil for none.
  private(set) var weights: NumberColumn?

  /// The maximum number of rows in a batch, and the number of bytes after which a batch ends.
  private static let (maximumRows, batchBytes) = (4096, 1 << 20)

  /// - Parameters:
  ///   - fields: The number of fields in the header.
  ///   - typeName: The transport type that links must have, if they name one.
  ///   - currentLocation: The source of links that have none.
  init(
    _ rows: DelimitedRows, _ columns: PairColumns, fields: Int, for typeName: String, _ currentLocation: Place?
  ) {
    (self.rows, self.columns, fieldCount) = (rows, columns, fields)
    (self.typeName, self.currentLocation) = (typeName, currentLocation)
    weights = columns.weight.map { NumberColumn($0.name, decimalCommas: rows.hasDecimalCommas) }
  }

  /// Returns the next rows; none at the end of the file. *Throws*: `OdometerError`.
  func next() throws -> [InputRow<PairValues>] {
    var batch: [InputRow<PairValues>] = []
    var bytes = 0
    while batch.count < PairParser.maximumRows, bytes < PairParser.batchBytes, try rows.next() {
      bytes += rows.rowBytes.count
      let values = Result { () throws(RowProblem) in try self.values() }
      // The values have the id of a valid row.
      let id: String? = if case .failure = values { columns.id(of: rows) } else { nil }
      batch.append(InputRow(line: rows.line, id: id, content: values, source: .bytes(Array(rows.rowBytes)[...])))
    }
    return batch
  }

  private func values() throws(RowProblem) -> PairValues {
    do { try rows.check(fieldCount) } catch {
      // Additional fields leave the ends readable.
      guard rows.count > fieldCount, var values = try? columns.values(of: rows, for: typeName, currentLocation) else {
        throw error
      }
      values.problem = error
      return values
    }
    var values = try columns.values(of: rows, for: typeName, currentLocation)
    if let index = columns.weight?.index { weights?.readWeight(rows[index].text, of: &values, row: rows.line) }
    return values
  }
}
