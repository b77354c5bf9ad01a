import Hierarchy

/// The maneuver of every turn of a network: a square table per junction, indexed by the arriving and the departing
/// street end.
package struct ManeuverTable: Sendable {
  /// The start of each junction's table.
  let first: Column<UInt32>
  let maneuvers: Column<TurnManeuver>

  package func maneuver(junction: Int, arriving: Int, leaving: Int, ends: Int) -> TurnManeuver {
    maneuvers[Int(first[junction]) + arriving * ends + leaving]
  }
}

extension ManeuverTable {
  init(_ rules: ManeuverRules) {
    var first: [UInt32] = []
    var maneuvers: [TurnManeuver] = []
    first.reserveCapacity(rules.ends.junctionCount)
    maneuvers.reserveCapacity(rules.ends.pairCount)
    var scratch = ManeuverRules.Scratch()
    for junction in 0..<rules.ends.junctionCount {
      first.append(UInt32(maneuvers.count))
      rules.append(at: junction, to: &maneuvers, &scratch)
    }
    self.init(first: Column(first), maneuvers: Column(maneuvers))
  }
}
