import Geography
import Hierarchy

/// When the streets and turns of a network are closed on a day, and around it: from a day before to a week after, minute by
/// minute; from the third day on what changes for less than a quarter of an hour is not seen. Before and behind all that
/// stays as it is there.
struct DayClosings: Sendable {
  let times: ClosedTimes
  /// The list of each arc that is closed at times, and of each street in a direction by its use (`StreetUse.item`).
  let arcs: [UInt32: UInt32]
  private let streets: [UInt32: UInt32]

  /// The list of a street; 0 where it is always open.
  func list(of street: DirectedStreet, as use: StreetUse = .any) -> UInt32 { streets[use.item(street)] ?? 0 }

  private static let minute: UInt32 = 60_000

  /// What is closed for good where no day is given.
  init(withoutDayOf network: StreetNetwork) {
    let closed = network.closureWithoutDate
    func closedItems(_ entries: Column<Conditions.Entry>, _ isClosed: (UInt32) -> Bool) -> [UInt32: UInt32] {
      Dictionary(entries.lazy.map(\.item).filter(isClosed).map { ($0, 1) }) { first, _ in first }
    }
    arcs = closedItems(network.conditions.arcs) { closed?.contains(ArcID($0)) == true }
    streets = closedItems(network.conditions.streets) { closed?.contains(item: $0) == true }
    times = ClosedTimes([[0..<StreetClock.never]])
  }

  /// What is closed on a day and around it, by the clock of `TripTime`.
  init(on day: LocalTime, of network: StreetNetwork) {
    let conditions = network.conditions
    let midnight = SpeedProfiles.week + UInt32(day.day.weekday) * 1440 * DayClosings.minute
    let minutes = -1440..<9 * 1440
    let moments = minutes.map { day.clocks(at: $0) }
    var known: [UInt32: [Bool]] = [:]
    func closed(_ closing: UInt32) -> [Bool] {
      if let known = known[closing] { return known }
      let condition = conditions.closings[Int(closing)]
      var found = moments[..<4320].map { condition.isClosed(at: $0) }
      for start in stride(from: 4320, to: moments.count, by: 15) {
        let quarter = moments[start..<start + 15]
        let isSame = condition.isClosed(at: quarter[start + 14]) == found[start - 1]
        found += isSame ? Array(repeating: found[start - 1], count: 15) : quarter.map { condition.isClosed(at: $0) }
      }
      known[closing] = found
      return found
    }
    var lists = Interner<[UInt32]>([[]])
    func list(_ entries: Column<Conditions.Entry>) -> [UInt32: UInt32] {
      var closings: [UInt32: [UInt32]] = [:]
      for entry in entries { closings[entry.item, default: []].append(entry.closing) }
      return closings.mapValues { UInt32(lists.index(of: Array(Set($0)).sorted())) }
    }
    arcs = list(conditions.arcs)
    streets = list(conditions.streets)
    times = ClosedTimes(
      lists.values.dropFirst().map { closings in
        let states = closings.map(closed)
        var stretches: [Range<UInt32>] = []
        var start: UInt32?
        for (index, minute) in minutes.enumerated() {
          let isClosed = states.contains { $0[index] }
          let moment =
            index == 0 ? 0 : UInt32(Int(midnight) + minute * Int(DayClosings.minute))
          if isClosed, start == nil { start = moment }
          if !isClosed, let from = start {
            stretches.append(from..<moment)
            start = nil
          }
        }
        if let start { stretches.append(start..<StreetClock.never) }
        return stretches
      })
  }
}
