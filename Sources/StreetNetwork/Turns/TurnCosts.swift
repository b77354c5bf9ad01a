import Hierarchy

/// What each turn costs, by junction, the end one arrives at and the end one leaves from.
struct TurnCosts {
  /// Where a table for each junction starts: as many columns and rows as it has ends.
  let first: [Int]
  /// Milliseconds, at index `first[junction] + arriving * ends + leaving`.
  private let milliseconds: [UInt32]
  private let ends: StreetEnds

  init(
    _ streets: [Street], _ ends: StreetEnds, delays: [(head: UInt32, tail: UInt32)], rules: TurnRules,
    drivesOnLeft: Bool
  ) {
    self.ends = ends
    var first: [Int] = []
    var milliseconds: [UInt32] = []
    for junction in 0..<ends.junctionCount {
      first.append(milliseconds.count)
      let count = ends.count(at: junction)
      for arriving in 0..<count {
        let end = ends[junction, arriving]
        let from = end.arriving
        let delay = end.isHead ? delays[Int(end.street.index)].head : delays[Int(end.street.index)].tail
        let flags = streets[from].flags
        let isLeft = flags.contains(.drivesOnLeft) || (drivesOnLeft && !flags.contains(.drivesOnRight))
        for leaving in 0..<count {
          let to = ends[junction, leaving].leaving
          let isUTurn = to == from.opposite
          // Where a street only bends there is no turn.
          let turn =
            count > 2 || isUTurn
            ? rules.milliseconds(angle: streets.angle(from: from, to: to), isUTurn: isUTurn, drivesOnLeft: isLeft) : 0
          milliseconds.append(delay + turn)
        }
      }
    }
    self.first = first
    self.milliseconds = milliseconds
  }

  subscript(junction: Int, arriving: Int, leaving: Int) -> UInt32 {
    milliseconds[first[junction] + arriving * ends.count(at: junction) + leaving]
  }
}
