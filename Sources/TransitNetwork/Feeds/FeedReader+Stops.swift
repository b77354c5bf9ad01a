import Geography
import Input

extension FeedReader {
  /// Reads stops.txt.
  func readStops() throws {
    let check = CoordinateCheck(area: .earth)
    var parents = FieldInterner()
    try read(
      "stops.txt", ["stop_id"],
      [
        "stop_lat", "stop_lon", "stop_name", "location_type", "parent_station", "wheelchair_boarding", "platform_code",
      ]
    ) { row throws(RowProblem) in
      guard !row[0].isEmpty else { throw RowProblem("stop_id is empty") }
      let point = try check.point(
        longitude: try row.degrees(2, in: "stop_lon"), latitude: try row.degrees(1, in: "stop_lat"), of: "the stop")
      guard row[4].isEmpty || ("0"..."4").contains(row[4].text) else {
        throw RowProblem("location_type is not from 0 to 4")
      }
      guard stopIDs.insert(row[0]).isNew else { throw RowProblem("an earlier row has the same stop_id") }
      stops.append(
        FeedStop(
          point: point, type: UInt8(row[4].wholeNumber ?? 0),
          parent: row[5].isEmpty ? nil : parents.insert(row[5]).index,
          boarding: UInt8(clamping: row[6].wholeNumber ?? 0), name: row[3].text, platform: row[7].text,
          row: UInt32(clamping: row.line)))
    }
    facts.stops = stops.count
    // Parents may follow their children in the file.
    let indices = (0..<parents.count).map { stopIDs.index(of: parents, $0) }
    var orphans = 0
    for index in stops.indices {
      guard let parent = stops[index].parent else { continue }
      // The parent of a boarding area is a stop, of all others a station; stations have none.
      stops[index].parent = indices[parent].flatMap { parent in
        stops[index].type != 1 && stops[parent].type == (stops[index].type == 4 ? 0 : 1) ? parent : nil
      }
      if stops[index].parent == nil { orphans += 1 }
    }
    note(
      "stops.txt", orphans,
      "stops have a parent_station that is not in the file or is not a station; it is ignored")
  }
}

/// A row of stops.txt.
struct FeedStop {
  var point: FixedCoordinate
  /// `location_type`: 0 stop, 1 station, 2 entrance, 3 generic node, 4 boarding area.
  var type: UInt8
  /// The index of its parent.
  var parent: Int?
  /// wheelchair_boarding.
  var boarding: UInt8
  var name: String
  var platform: String
  /// Its line in stops.txt, from 1.
  var row: UInt32
}
