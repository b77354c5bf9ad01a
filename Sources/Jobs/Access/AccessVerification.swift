import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

extension AccessTask {
  /// An origin of the results, and what they have of its stations.
  private struct Origin {
    var place: ReportedPlace
    var nearest: [ResultsDatabase.NearestToVerify]
  }

  /// Origins, each with its nearest stations; all stations are computed, not those found alone.
  static func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let database = results.database
    let all = try database.places(.origin)
    let chosen = try results.indices(of: all.count).map { index in
      Origin(place: all[index], nearest: try database.nearest(all[index].row))
    }
    let entrances = try database.places(.entrance)
    // Where stations are their own entrances, none may be nearer than the nearest.
    let checksNearest = entrances.isEmpty
    let targets = try database.places(.station) + entrances
    let (network, options, limit, time) = (results.network, results.options, results.limit, results.time)
    // Seen from the origin: each of them is verified.
    let direction: NearestTable.Direction = results.direction == .toTargets ? .fromTargets : .toTargets
    return try results.differences(of: chosen) {
      let router = Router(network, options)
      let oracle = TripOracle(TripReach(network, direction, at: time))
      let ends = targets.map { $0.status == .ok ? router.end(at: $0.point.coordinate) : nil }
      let indices = Dictionary(targets.enumerated().map { ($1.row, $0) }) { first, _ in first }
      return { origin in
        let item = "origin \(origin.place.id)"
        guard origin.place.status == .ok, let end = router.end(at: origin.place.point.coordinate) else {
          return origin.nearest.compactMap(\.found).flatMap { ResultsToVerify.differences(item, $0, nil) }
        }
        let known = ends.enumerated().compactMap { index, end in end.map { (index, $0) } }
        let weights = oracle.weights(between: end, and: known.map(\.1))
        let weightOfTarget = Dictionary(uniqueKeysWithValues: zip(known.map(\.0), weights))
        var differences: [Difference] = []
        let least = weights.compactMap(\.self).min().flatMap { $0.milliseconds <= limit ?? .max ? $0 : nil }
        if checksNearest { differences += ResultsToVerify.differences(item, origin.nearest.first?.found, least) }
        for nearest in origin.nearest {
          guard let found = nearest.found,
            let index = (nearest.entrance ?? nearest.station).flatMap({ indices[$0] })
          else { continue }
          differences += ResultsToVerify.differences(item, found, weightOfTarget[index] ?? nil)
        }
        return differences
      }
    }
  }
}
