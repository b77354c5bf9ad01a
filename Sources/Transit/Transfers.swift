import Hierarchy

/// The possible changes from each stop with their durations: walks under the rules of transfers.txt. In a window of
/// arrivals, mirrored in time, the changes to each stop.
struct Transfers {
  /// A change to another stop, or to another vehicle at the same stop.
  struct Change {
    var to: UInt32
    /// Seconds from a vehicle's arrival to the earliest departure that can be boarded.
    var seconds: Int32
    /// The walking time in it.
    var walked: UInt32
  }

  /// The first change from each stop, then the total number of changes.
  private var first: [Int]
  private var changes: [Change]

  /// May leave out changes that take longer than a trip.
  init(_ timetable: Timetable, _ walks: StopWalks, _ window: TransitWindow) {
    let rules = Dictionary(grouping: timetable.transfers, by: \.from)
    var (first, changes): ([Int], [Change]) = ([0], [])
    func add(_ to: UInt32, seconds: Int, walked: Int) {
      guard max(seconds * 1000, walked) <= window.limit else { return }
      changes.append(Change(to: to, seconds: Int32(seconds), walked: UInt32(walked)))
    }
    for stop in 0..<timetable.stops.count {
      let own = Dictionary((rules[UInt32(stop)] ?? []).map { ($0.to, $0) }) { first, _ in first }
      let here = StopWalks.Walk(stop: UInt32(stop), milliseconds: 0)
      let walked = [here] + walks[stop].filter { $0.stop != stop }
      for walk in walked {
        let (milliseconds, rule) = (Int(walk.milliseconds), own[walk.stop])
        let seconds = (milliseconds + 999) / 1000
        switch rule?.type {
        case 1: add(walk.stop, seconds: seconds, walked: milliseconds)
        case 3: break
        default:
          let least = rule?.type == 2 ? Int(rule?.seconds ?? 0) : 0
          add(walk.stop, seconds: max(least, seconds + window.boardingSlack), walked: milliseconds)
        }
      }
      let onFoot = Set(walked.map(\.stop))
      for rule in own.values.sorted(by: { $0.to < $1.to }) where rule.type == 2 && !onFoot.contains(rule.to) {
        add(rule.to, seconds: max(Int(rule.seconds), window.boardingSlack), walked: Int(rule.seconds) * 1000)
      }
      first.append(changes.count)
    }
    (self.first, self.changes) = (first, changes)
    if window.isArrival { mirror() }
  }

  private mutating func mirror() {
    var lists = [[Change]](repeating: [], count: first.count - 1)
    for stop in lists.indices {
      for var change in self[stop] {
        let to = Int(change.to)
        change.to = UInt32(stop)
        lists[to].append(change)
      }
    }
    first = lists.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    changes = lists.flatMap(\.self)
  }

  /// The changes from a stop.
  subscript(stop: Int) -> ArraySlice<Change> { changes[first[stop]..<first[stop + 1]] }
}
