import Geography
import Tables

/// What is said of all steps, gathered as they are written: reading them again, as a run does that is resumed, costs more than all else at the end of a job.
struct StepTotals {
  /// Around the places where steps begin, of those that have a geometry.
  private(set) var extent = BoundingBox.empty
  /// The lengths of the steps of best routes, by scope.
  private var lengths: [String: Measures] = [:]

  /// Adds a route's steps; none of a pair without a route.
  mutating func add(_ steps: [StepRow], of group: String?) {
    for step in steps where step.hasGeometry { extent.extend(to: step.start) }
    if let first = steps.first, first.alternative == 0 { add(steps.map { Units.metres($0.centimetres) }, of: group) }
  }

  private mutating func add(_ metres: [Double], of group: String?) {
    for scope in Measures.scopes(of: group) {
      for length in metres { lengths[scope, default: Measures(scope: scope)].add(length, to: .stepLength) }
    }
  }

  /// Measures of routes, with those of their steps.
  func joining(_ routes: Measures) -> Measures { routes.taking([.stepLength], from: lengths[routes.scope]) }

  /// Adds those that an earlier run has written.
  mutating func addRows(of database: SQLite) throws {
    let routes = try database.prepare(
      """
      SELECT pair_group, step_count FROM route
      WHERE alternative = 0 AND status = 'ok' AND step_count NOT NULL ORDER BY fid
      """)
    let steps = try database.prepare("SELECT centimetres FROM step_row WHERE alternative = 0 ORDER BY fid")
    while try routes.next() {
      let (group, count): (String?, Int) = (try routes["pair_group"], try routes["step_count"])
      var metres: [Double] = []
      while metres.count < count, try steps.next() { metres.append(Units.metres(try steps.value(at: 0) as Int)) }
      add(metres, of: group)
    }
    extent = try GeoPackage.extent(of: "step_row", in: database)
  }
}
