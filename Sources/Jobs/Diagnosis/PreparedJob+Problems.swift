import Geography
import StreetNetwork
import Tables

extension PreparedJob {
  /// Its places that a person should look at: without a street, far from it, on an island, outside of the coverage, or on
  /// one that trips lead to or from alone; and the rejected rows that have coordinates.
  func problems(rejected: [RejectedRow], on network: StreetNetwork, _ job: Job) -> ProblemFile {
    let reach = MainReach(network)
    let hasTraps = (0..<network.streetCount).contains { index in
      network.street(StreetID(index)).flags.contains(.snappable) && reach.trap(StreetID(index)) != nil
    }
    let (streets, islands) = (StreetSearch(network), StreetSearch(network, among: network.islands))
    /// Of the street that a place is on, or of the only one near.
    func trap(_ row: PlaceRow) -> MainReach.Trap? {
      let search = row.snapped == nil ? row.reason == .island ? islands : nil : hasTraps ? streets : nil
      return search?.snap(row.coordinate.coordinate, limit: job.snapLimit).flatMap { reach.trap($0.street) }
    }
    var file = ProblemFile()
    for row in head(rejected: [], backdrop: []).places {
      if row.reason != .coverage, let trap = trap(row) {
        file.add(row, trap.rawValue)
      } else if row.passedComponentSize != nil, row.reason == nil || row.reason == .far {
        file.add(row, PlaceReason.island.rawValue)
      } else if let reason = row.reason {
        file.add(row, reason.rawValue)
      }
    }
    rejected.forEach { file.add($0) }
    return file
  }
}
