import Geography
import Input

extension FeedReader {
  /// Reads shapes.txt: the shapes of trips; ignores unused ones.
  func readShapes() throws {
    shapes.points = Array(repeating: [], count: shapes.ids.count)
    defer { noteMissingShapes() }
    guard feed.has("shapes.txt") else { return }
    let check = CoordinateCheck(area: .earth)
    var rows: [(shape: UInt32, sequence: UInt32, point: FixedCoordinate)] = []
    try read("shapes.txt", ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]) {
      row throws(RowProblem) in
      guard let shape = shapes.ids.index(of: row[0]), shape > 0 else { return }
      guard let sequence = row[3].wholeNumber else { throw RowProblem("shape_pt_sequence is not a whole number") }
      let point = try check.point(
        longitude: try row.degrees(2, in: "shape_pt_lon"), latitude: try row.degrees(1, in: "shape_pt_lat"),
        of: "the point")
      rows.append((UInt32(shape), UInt32(sequence), point))
    }
    for row in rows.indices.sorted(by: {
      (rows[$0].shape, rows[$0].sequence, $0) < (rows[$1].shape, rows[$1].sequence, $1)
    }) {
      shapes.points[Int(rows[row].shape)].append(rows[row].point)
    }
  }

  private func noteMissingShapes() {
    note(
      "trips.txt", trips.count { $0.shape > 0 && shapes.points[$0.shape].count < 2 },
      "{trip has a shape_id|trips have shape_ids} without a line in shapes.txt; rides are drawn straight between stops")
  }
}

/// The shapes of a feed.
struct FeedShapes {
  /// Values of shape_id in trips.txt; the first is empty.
  var ids = FieldInterner()
  /// The points of each shape; none if shapes.txt lacks it.
  var points: [[FixedCoordinate]] = []
}
