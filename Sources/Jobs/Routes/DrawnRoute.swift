import Geography
import Tables

/// A route as pages draw it: its line, and its steps upon that.
package struct DrawnRoute: Sendable {
  /// A step, and which of the line's points it begins and ends with.
  package struct Step: Sendable {
    package var instructions: String
    package var notice: String?
    /// Metres and seconds.
    package var distance: Double
    package var time: Double
    package var points: ClosedRange<Int>

    package init(
      instructions: String, notice: String?, distance: Double, time: Double, points: ClosedRange<Int>
    ) {
      (self.instructions, self.notice, self.distance) = (instructions, notice, distance)
      (self.time, self.points) = (time, points)
    }
  }

  /// The best route's row in table `route`, of an alternate, too.
  package var row: Int
  package var points: [FixedCoordinate]
  package var time: Double
  package var distance: Double
  package var name: String?
  package var notices: String?
  package var steps: [Step]
  /// Of its points; nil where they are not known.
  package var heights: RouteHeights?
  /// Metres up and down.
  package var ascent: Double?
  package var descent: Double?

  package init(
    row: Int, points: [FixedCoordinate], time: Double, distance: Double, name: String?, notices: String?, steps: [Step]
  ) {
    (self.row, self.points, self.time, self.distance) = (row, points, time, distance)
    (self.name, self.notices, self.steps) = (name, notices, steps)
  }
}

extension ResultsDatabase {
  /// The routes of some rows that have lines, the best ones and their alternates, in the order of the table.
  package func drawnRoutes(_ rows: [Int]) throws -> [DrawnRoute] {
    let hasHours = try !departures().isEmpty
    let hasHeights = try hasHeights
    let climbs = hasHeights ? ", other.heights, other.ascent, other.descent" : ""
    let sameHour = { (table: String) in hasHours ? " AND \(table).departure IS best.departure" : "" }
    let routes = try database.prepare(
      """
      SELECT other.alternative, other.geom, other.expected_travel_time, other.distance, other.name, other.advisory_notices\(climbs)
      FROM route AS best JOIN main.route AS other
        ON other.pair_id = best.pair_id AND other.leg = best.leg\(sameHour("other"))
      WHERE best.fid = ? AND other.geom NOT NULL ORDER BY other.fid
      """)
    let steps = try database.prepare(
      """
      SELECT step_row.alternative, instructions, notice, step_row.distance, step_row.expected_travel_time, latitude_e7,
        longitude_e7
      FROM route AS best JOIN step_row ON step_row.pair_id = best.pair_id AND step_row.leg = best.leg\(sameHour("step_row"))
      JOIN phrase USING (phrase_id) WHERE best.fid = ? ORDER BY step_row.fid
      """)
    var drawn: [DrawnRoute] = []
    for row in rows {
      var starts: [Int: [(step: DrawnRoute.Step, point: FixedCoordinate)]] = [:]
      steps.reset()
      steps.bind(row)
      while try steps.next() {
        let point = FixedCoordinate(
          longitude: Int32(clamping: try steps["longitude_e7"] as Int),
          latitude: Int32(clamping: try steps["latitude_e7"] as Int))
        let step = DrawnRoute.Step(
          instructions: try steps["instructions"], notice: try steps["notice"], distance: try steps["distance"],
          time: try steps["expected_travel_time"], points: 0...0)
        starts[try steps["alternative"], default: []].append((step, point))
      }
      routes.reset()
      routes.bind(row)
      while try routes.next() {
        let points = (try routes["geom"] as GeometryBlob).lines.first ?? []
        var route = DrawnRoute(
          row: row, points: points, time: try routes["expected_travel_time"], distance: try routes["distance"],
          name: try routes["name"], notices: try routes["advisory_notices"],
          steps: DrawnRoute.steps(starts[try routes["alternative"]] ?? [], along: points))
        if hasHeights {
          route.heights = (try routes["heights"] as String?).flatMap(RouteHeights.init(text:))
          (route.ascent, route.descent) = (try routes["ascent"], try routes["descent"])
        }
        drawn.append(route)
      }
    }
    return drawn
  }
}

extension DrawnRoute {
  /// Steps begin at points of their route's line, in its order, and end where the next begins.
  fileprivate static func steps(
    _ starts: [(step: Step, point: FixedCoordinate)], along points: [FixedCoordinate]
  ) -> [Step] {
    guard !points.isEmpty else { return [] }
    var indices: [Int] = []
    for (_, start) in starts {
      let from = indices.last ?? 0
      indices.append(points[from...].firstIndex(of: start) ?? from)
    }
    return starts.enumerated().map { index, start in
      var step = start.step
      let end = index + 1 < indices.count ? indices[index + 1] : points.count - 1
      step.points = indices[index]...end
      return step
    }
  }
}
