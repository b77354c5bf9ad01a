extension OSMImport {
  /// Keeps the restrictions whose ways are all used. On ways that exist, but not for this transport type, a restriction
  /// does not apply.
  mutating func selectRestrictions(seen: inout [Int64]) {
    let wanted = Set(restrictions.flatMap(\.wayIDs))
    let seenAndWanted = Set(seen.lazy.filter(wanted.contains))
    seen = []
    for (index, way) in ways.enumerated() where wanted.contains(way.id) { restrictedWays[way.id] = index }
    restrictions = restrictions.compactMap { restriction in
      if let usable = restriction.along({ restrictedWays[$0] != nil }) { return usable }
      let unusable = restriction.wayIDs.filter { restrictedWays[$0] == nil }
      if unusable.allSatisfy(seenAndWanted.contains) {
        restrictionCounts.others += 1
      } else {
        restrictionCounts.broken += 1
      }
      return nil
    }
  }
}
