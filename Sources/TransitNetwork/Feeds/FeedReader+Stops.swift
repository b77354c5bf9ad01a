import Geography
import Input

extension FeedReader {
  private static let stopFile = "stops.txt"
  private static let stopColumns = [
    "stop_lat", "stop_lon", "stop_name", "location_type", "parent_station", "wheelchair_boarding", "platform_code",
  ]

  /// Reads stops.txt. *Throws*: `InputError`, also if all its rows are rejected.
  func readStops() throws {
    var parents = FieldInterner()
    var stations: StationPoints?
    var placed = 0
    try read(FeedReader.stopFile, ["stop_id"], FeedReader.stopColumns) { row throws(RowProblem) in
      do throws(RowProblem) {
        let isBlank = row[1].isEmpty && row[2].isEmpty && row.has(1) && row.has(2)
        if isBlank, stations == nil { stations = try? stationPoints() }
        let station = isBlank ? stations?.position(id: row[0].text, parent: row[5].isEmpty ? nil : row[5].text) : nil
        try readStop(row, at: station, &parents)
        if station != nil { placed += 1 }
      } catch {
        if stopIDs.index(of: row[0]) == nil { _ = rejectedStops.insert(row[0]) }
        throw error
      }
    }
    if stops.isEmpty, let first = rejections.rows.first(where: { $0.file == FeedReader.stopFile }) {
      throw InputError(
        file: feed.path(of: FeedReader.stopFile), line: first.line,
        problem: "all rows of the file are rejected; the first one: \(first.reason)")
    }
    note(
      FeedReader.stopFile, placed,
      "{place has|places have} no coordinates; "
        + "the position of {its station or its|their station or their} platforms is used")
    resolve(parents)
  }

  /// Returns the positions of the rows of stops.txt that have coordinates. *Throws*: `InputError`.
  private func stationPoints() throws -> StationPoints {
    let check = CoordinateCheck(area: .earth)
    var points = StationPoints()
    try feed.forEachRow(FeedReader.stopFile, ["stop_id"], FeedReader.stopColumns) { row throws(RowProblem) in
      let position = try self.position(of: row)
      _ = try check.point(longitude: position.longitude, latitude: position.latitude, of: "the stop")
      points.add(
        id: row[0].text, parent: row[5].isEmpty ? nil : row[5].text, part: row[4].isEmpty ? nil : row[4].text,
        at: position)
    }
    return points
  }

  private func position(of row: FeedRow) throws(RowProblem) -> StationPoints.Position {
    StationPoints.Position(longitude: try row.degrees(2, in: "stop_lon"), latitude: try row.degrees(1, in: "stop_lat"))
  }

  /// - Parameter station: The position to use if the row has no coordinates.
  private func readStop(
    _ row: FeedRow, at station: StationPoints.Position?, _ parents: inout FieldInterner
  ) throws(RowProblem) {
    guard !row[0].isEmpty else { throw RowProblem("stop_id is empty") }
    let position = if let station { station } else { try self.position(of: row) }
    let point = try CoordinateCheck(area: .earth).point(
      longitude: position.longitude, latitude: position.latitude, of: "the stop")
    guard let type = row[4].isEmpty ? 0 : row[4].wholeNumber, type <= 4 else {
      throw RowProblem("location_type is not a number from 0 to 4")
    }
    guard stopIDs.insert(row[0]).isNew else { throw RowProblem("an earlier row has the same stop_id") }
    stops.append(
      FeedStop(
        point: point, type: UInt8(type), parent: row[5].isEmpty ? nil : parents.insert(row[5]).index,
        boarding: UInt8(clamping: row[6].wholeNumber ?? 0), name: row[3].text, platform: row[7].text,
        row: UInt32(clamping: row.line)))
  }

  /// Resolves the parents of stops, which may come later in the file.
  private func resolve(_ parents: FieldInterner) {
    facts.stops = stops.count
    let indices = (0..<parents.count).map { stopIDs.index(of: parents, $0) }
    var orphans = 0
    for index in stops.indices {
      guard let parent = stops[index].parent else { continue }
      // The parent of a boarding area is a stop; the parent of any other place is a station; stations have none.
      stops[index].parent = indices[parent].flatMap { parent in
        stops[index].type != 1 && stops[parent].type == (stops[index].type == 4 ? 0 : 1) ? parent : nil
      }
      if stops[index].parent == nil { orphans += 1 }
    }
    note(
      FeedReader.stopFile, orphans,
      "{stop has|stops have} a parent_station that is not in the file or is not a station; it is ignored")
  }
}

/// A row of stops.txt.
struct FeedStop {
  var point: FixedCoordinate
  /// `location_type`: 0 stop, 1 station, 2 entrance, 3 generic node, 4 boarding area.
  var type: UInt8
  /// The index of the parent.
  var parent: Int?
  /// `wheelchair_boarding`.
  var boarding: UInt8
  var name: String
  var platform: String
  /// The line in stops.txt, from 1.
  var row: UInt32
  /// Whether it is a copy of its parent for vehicles with their own transfer rules.
  var isPart = false
}
