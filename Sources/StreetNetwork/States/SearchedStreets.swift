import Geography
import Hierarchy

/// Streets with what searches on states need besides: the states' order, and the streets nearest to a place.
struct SearchedStreets {
  let streets: [Street]
  /// What is closed where no date is given.
  let closed: ArcSet?
  let ranks: Column<UInt32>
  let index: StreetIndex
  let islands: StreetIndex

  /// *Throws*: `MapError` where no trip could start anywhere.
  init(
    _ table: StreetTable, _ ends: StreetEnds, _ states: StateGraph, _ closings: ClosedParts, _ map: OSMImport,
    _ source: OSMSource,
    _ profile: Profile, workers: Int
  ) throws {
    var streets = table.streets
    closed = closings.withoutDate(arcCount: states.arcs.arcCount)
    markSnappable(&streets, states, closed: closed) { street in
      map.closedWithoutDate.contains(table.hours[Int(street.street.index)][isReversed: street.isReversed].closing)
    }
    markLandings(&streets, ends)
    // Ways may be usable, but all too long, or all beyond gates: no trip could start anywhere.
    guard streets.contains(where: { $0.flags.contains(.snappable) }) else {
      throw MapError(
        noWayOpenIn: source, for: profile,
        because: table.tooLong > 0
          ? "ways that would be are too long for streets (\(table.tooLong))"
          : "those that would be are behind closed barriers")
    }
    let (marked, points) = (streets, table.points)
    let (ranks, indices) = sideBySide(workers: workers) {
      Column(states.ranks(marked, points: points, workers: workers))
    } _: {
      (
        StreetIndex(marked, points: points) { $0.contains(.snappable) },
        StreetIndex(marked, points: points) { $0.isDisjoint(with: [.snappable, .gate, .unsnapped]) }
      )
    }
    (self.streets, self.ranks) = (streets, ranks)
    (index, islands) = indices
  }
}
