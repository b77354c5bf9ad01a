import Geography
import Tables

/// A street with the trips on it, as drawn by pages.
package struct DrawnFlow: Sendable {
  package var name: String
  /// The numbers of trips along the street's line and against it.
  package var trips: (forward: Int, backward: Int)
  /// The weights of these trips; nil if no pair has a weight.
  package var weight: (forward: Double, backward: Double)?
  package var points: [FixedCoordinate]

  package init(
    name: String, trips: (forward: Int, backward: Int), weight: (forward: Double, backward: Double)?,
    points: [FixedCoordinate]
  ) { (self.name, self.trips, self.weight, self.points) = (name, trips, weight, points) }

  /// The value shown by the width of the line: the weight, else the number of trips.
  package var sum: Double { weight.map { $0.forward + $0.backward } ?? Double(trips.forward + trips.backward) }
}

extension ResultsDatabase {
  /// Returns the number of rows of table `flow`.
  func flowRows() throws -> Int {
    try database.hasTable(FlowRow.table.name) ? database.value("SELECT count(*) FROM \(FlowRow.table.name)") : 0
  }

  /// Returns the streets with the largest flows of both directions together, in descending order; empty if flows are
  /// not counted.
  package func drawnFlows(atMost limit: Int) throws -> [DrawnFlow] {
    guard try database.hasTable(FlowRow.table.name) else { return [] }
    // The rows of a street are adjacent, and the first determines the direction of its line.
    let first = try database.prepare("SELECT name, trips, weight, geom FROM flow WHERE fid = ?")
    return try database.rows(
      """
      SELECT min(fid) AS first, sum(trips) AS all_trips, sum(weight) AS all_weight FROM flow GROUP BY street_fid
      ORDER BY coalesce(sum(weight), sum(trips)) DESC, street_fid LIMIT ?
      """, limit
    ) { row in
      first.reset()
      first.bind(try row["first"] as Int)
      guard try first.next() else { return nil }
      let (trips, weight): (Int, Double?) = (try first["trips"], try first["weight"])
      let (allTrips, allWeight): (Int, Double?) = (try row["all_trips"], try row["all_weight"])
      return DrawnFlow(
        name: try first["name"], trips: (trips, allTrips - trips),
        weight: weight.map { ($0, max(0, (allWeight ?? 0) - $0)) },
        points: (try first["geom"] as GeometryBlob).lines.first ?? [])
    }.compactMap(\.self)
  }
}
