import Geography
import Tables

/// Totals over all routes and their steps, computed by workers per chunk and added: a second pass over the rows, as in
/// a resumed run, costs more than everything else at the end of a job.
struct RouteTotals: Sendable {
  /// The bounding box of the starts of steps, for those with a geometry.
  private(set) var extent = BoundingBox.empty
  /// For the best routes, by scope: alternates would count a pair several times.
  private var scopes = ["job": Measures(scope: "job")]

  init() {}

  init(_ answers: [RouteWriter.Answer]) {
    for answer in answers {
      for step in answer.steps where step.hasGeometry { extent.extend(to: step.start) }
      guard answer.row.alternative == 0, let found = answer.row.found else { continue }
      add(
        metres: found.hasLength ? Units.metres(found.centimetres) : nil, seconds: Units.seconds(found.milliseconds),
        straight: Units.metres(answer.row.straightLineCentimetres), steps: found.route?.stepCount,
        lengths: answer.steps.map { Units.metres($0.centimetres) }, of: answer.row.group)
    }
    for scope in scopes.keys { scopes[scope]?.condense() }
  }

  private mutating func add(
    metres: Double?, seconds: Double, straight: Double, steps: Int?, lengths: [Double], of group: String?
  ) {
    for scope in Measures.scopes(of: group) {
      scopes[scope, default: Measures(scope: scope)].add(seconds, to: .expectedTravelTime)
      if let metres {
        scopes[scope]?.add(metres, to: .distance)
        if seconds > 0 { scopes[scope]?.add(metres / seconds, to: .speed) }
        if straight > 0 { scopes[scope]?.add(metres / straight, to: .detour) }
      }
      if let steps { scopes[scope]?.add(Double(steps), to: .stepCount) }
      for length in lengths { scopes[scope]?.add(length, to: .stepLength) }
    }
  }

  mutating func add(_ other: RouteTotals) {
    extent.formUnion(other.extent)
    for (scope, measures) in other.scopes { scopes[scope, default: Measures(scope: scope)].add(measures) }
  }

  /// Adds those of an earlier run.
  mutating func addRows(of database: SQLite) throws {
    let routes = try database.prepare(
      """
      SELECT pair_group, distance, expected_travel_time, crow_fly_distance, step_count FROM route
      WHERE alternative = 0 AND status = 'ok' ORDER BY fid
      """)
    let steps = try database.prepare("SELECT centimetres FROM step_row WHERE alternative = 0 ORDER BY fid")
    while try routes.next() {
      let count: Int? = try routes["step_count"]
      var lengths: [Double] = []
      while lengths.count < count ?? 0, try steps.next() { lengths.append(Units.metres(try steps.value(at: 0) as Int)) }
      add(
        metres: try routes["distance"] as Double?, seconds: try routes["expected_travel_time"],
        straight: try routes["crow_fly_distance"], steps: count, lengths: lengths, of: try routes["pair_group"])
    }
    extent.formUnion(try GeoPackage.extent(of: "step_row", in: database))
  }

  /// By scope.
  var measures: [Measures] { scopes.values.sorted { $0.scope < $1.scope } }
}
