import Foundation
import Geography
import Routing
import StreetNetwork
import Tables

/// A grid of travel times from or to a place, from which pages draw areas for any time.
struct TravelTimeGrid: Sendable {
  /// The grid's row, without place and times.
  private var frame = TravelTimeGridRow()
  /// For each cell, row by row from the north: the number of steps within which it is reached; 255 if not reached.
  private var times: [UInt8] = []

  /// The number of cells on the longer side, and the minimum size of a cell in metres.
  private static let (cells, minimumMetres) = (180.0, 25.0)

  /// - Parameters:
  ///   - limit: The maximum time in seconds.
  ///   - buffer: The width of areas around streets, in metres.
  init?(
    _ stretches: [TimedStretch], _ rays: [TimedRay], within limit: Int, buffer: Double, on network: StreetNetwork
  ) {
    let stretches = stretches.filter { !network.attributes(of: $0.street).kind.isVehicle }
    let lines = TimedLines(stretches, rays, within: UInt32(limit) * 1000, on: network)
    let box = BoundingBox(around: lines.points.lazy.map(\.point))
    guard !box.isEmpty else { return nil }
    let latitudeScale = max(0.01, cos(box.centre.coordinate.latitude * .pi / 180))
    let unit = Coordinate.metresPerDegree / 1e7
    let extent = max(
      (Double(box.maxLongitude) - Double(box.minLongitude)) * latitudeScale,
      Double(box.maxLatitude) - Double(box.minLatitude))
    let metres = max(TravelTimeGrid.minimumMetres, extent * unit / TravelTimeGrid.cells)
    let (height, width) = (Int32((metres / unit).rounded()), Int32((metres / unit / latitudeScale).rounded()))
    let reach = Int((buffer / metres).rounded())
    let margin = Int32(reach + 1)
    frame.corner = FixedCoordinate(
      longitude: box.minLongitude - margin * width, latitude: box.maxLatitude + margin * height)
    (frame.width, frame.height) = (width, height)
    frame.columns = Int((Int64(box.maxLongitude) - Int64(box.minLongitude)) / Int64(width)) + 2 * Int(margin) + 1
    frame.rows = Int((Int64(box.maxLatitude) - Int64(box.minLatitude)) / Int64(height)) + 2 * Int(margin) + 1
    frame.step = max(30, (limit + 253) / 254)
    times = [UInt8](repeating: 255, count: frame.columns * frame.rows)
    draw(lines)
    widen(by: reach)
  }

  private mutating func draw(_ lines: TimedLines) {
    let (west, north) = (Double(frame.corner.longitude), Double(frame.corner.latitude))
    let (width, height, unit) = (Double(frame.width), Double(frame.height), 1000 * Double(frame.step))
    let (columns, rows) = (frame.columns, frame.rows)
    times.withUnsafeMutableBufferPointer { times in
      func mark(_ longitude: Double, _ latitude: Double, _ milliseconds: Double) {
        let (column, row) = (Int((longitude - west) / width), Int((north - latitude) / height))
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
        let cell = row * columns + column
        times[cell] = min(times[cell], UInt8(min(254, (milliseconds / unit).rounded(.up))))
      }
      lines.points.withUnsafeBufferPointer { points in
        var start = 0
        for end in lines.ends {
          var (x, y) = (Double(points[start].point.longitude), Double(points[start].point.latitude))
          mark(x, y, points[start].milliseconds)
          for index in start + 1..<end {
            let (point, previousTime) = (points[index], points[index - 1].milliseconds)
            let (dx, dy) = (Double(point.point.longitude) - x, Double(point.point.latitude) - y)
            let count = Int((2 * max(abs(dx) / width, abs(dy) / height)).rounded(.up))
            for step in stride(from: 1, through: count, by: 1) {
              let part = Double(step) / Double(count)
              mark(x + dx * part, y + dy * part, previousTime + (point.milliseconds - previousTime) * part)
            }
            (x, y) = (x + dx, y + dy)
          }
          start = end
        }
      }
    }
  }

  /// Sets each cell to the minimum of the cells within a radius, given in cells.
  private mutating func widen(by reach: Int) {
    guard reach > 0 else { return }
    let original = times
    let offsets = (-reach...reach).flatMap { dy in
      (-reach...reach).filter { $0 * $0 + dy * dy <= reach * reach }.map { (dx: $0, dy: dy) }
    }
    let columns = frame.columns
    for row in reach..<frame.rows - reach {
      for column in reach..<columns - reach {
        var minimum: UInt8 = 255
        for (dx, dy) in offsets { minimum = min(minimum, original[(row + dy) * columns + column + dx]) }
        times[row * columns + column] = minimum
      }
    }
  }

  /// Returns the grid's row for a place.
  ///
  /// - Parameter departure: The number of the hour or percentile; nil in a job without hours.
  func row(of place: Identifier, at departure: Int?, _ deflater: Deflater) -> TravelTimeGridRow {
    var row = frame
    (row.place, row.departure) = (place, departure)
    var last: UInt8 = 255
    let differences = times.map { time -> UInt8 in
      defer { last = time }
      return time &- last
    }
    deflater.append(TextBytes(differences[...]))
    // An empty last block ends the stream.
    row.bytes = deflater.finishBlock().bytes + [3, 0]
    return row
  }
}

/// A row of table `travel_time_grid`.
package struct TravelTimeGridRow: Sendable, JournaledFields {
  package var place = Identifier.number(0)
  /// The number of its hour or percentile or, for pages, its position from 1; nil in a job without hours.
  package var departure: Int?
  /// The northwest corner, and the size of a cell, in 1e-7 degrees.
  package var corner = FixedCoordinate(longitude: 0, latitude: 0)
  package var width: Int32 = 1
  package var height: Int32 = 1
  package var columns = 0
  package var rows = 0
  /// The unit of the values, in seconds.
  package var step = 30
  /// Deflated (RFC 1951): each cell's difference from the previous one, modulo 256.
  package var bytes: [UInt8] = []

  package init() {}

  /// - Parameter columns: The columns that distinguish the rows of a place.
  static func table(_ columns: [RowAxis.Column]) -> Table<TravelTimeGridRow> {
    let ids: [Column<TravelTimeGridRow>] = [
      .rowNumber("fid"), .id("place_id", "`place_id` of the origin") { $0.place },
    ]
    return Table(
      "travel_time_grid",
      "place, and per departure or percentile if the job has several: grid of travel times, for maps",
      ids + Column.axis(columns) { $0.departure } + rest)
  }

  private static let rest: [Column<TravelTimeGridRow>] = [
    .real("west", "degrees; the western edge of the first column") { $0.corner.coordinate.longitude },
    .real("north", "degrees; the northern edge of the first row") { $0.corner.coordinate.latitude },
    .real("cell_width", "degrees") { Double($0.width) / 1e7 },
    .real("cell_height", "degrees") { Double($0.height) / 1e7 },
    .lineBreak,
    .integer("columns", "cells from west to east") { $0.columns },
    .integer("rows", "cells from north to south") { $0.rows },
    .integer("step", "unit of the values in seconds; values are rounded up") { $0.step },
    .blob(
      "times",
      "deflated (RFC 1951), a byte per cell, row by row: its value minus the previous cell's (255 before the first), "
        + "modulo 256; a value is a time in steps, 255 if not reached"
    ) { $0.bytes },
  ]

  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&place, &departure, &corner, &width, &height)
    try journal(&columns, &rows, &step)
    try journal.visit(fixed: &bytes)
  }
}

extension ResultsDatabase {
  /// Returns the grids of travel times, in the order of the places; empty if the results have none.
  package func grids() throws -> [TravelTimeGridRow] {
    guard try database.hasTable("travel_time_grid") else { return [] }
    let hour = try rowAxis().position(in: "travel_time_grid")
    return try database.rows("SELECT *, \(hour) AS hour FROM travel_time_grid ORDER BY fid") { row in
      func fixed(_ column: String) throws -> Int32 { Int32(((try row[column] as Double) * 1e7).rounded()) }
      var grid = TravelTimeGridRow()
      (grid.place, grid.departure, grid.bytes) = (try row["place_id"], try row["hour"], try row["times"])
      grid.corner = FixedCoordinate(longitude: try fixed("west"), latitude: try fixed("north"))
      (grid.width, grid.height) = (try fixed("cell_width"), try fixed("cell_height"))
      (grid.columns, grid.rows, grid.step) = (try row["columns"], try row["rows"], try row["step"])
      return grid
    }
  }
}
