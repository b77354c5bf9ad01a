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

  /// A list: what closes its streets, and how they are waited for.
  private struct List: Hashable {
    var closings: [UInt32] = []
    var kind = ClosedTimes.Kind.street
  }

  /// What is closed for good where no day is given.
  init(withoutDayOf network: StreetNetwork) {
    let closed = network.closureWithoutDate
    self.init(
      network, arcs: { closed?.contains(ArcID($0.item)) == true ? 0 : nil },
      streets: { closed?.contains(item: $0.item) == true ? 0 : nil }
    ) { $0.isEmpty ? [] : [0..<StreetClock.never] }
  }

  /// The lists of arcs and streets by what closes them, and of those on which one boards a ferry or a train.
  ///
  /// - Parameters:
  ///   - arcs: The closing of an entry; nil where it does not close.
  ///   - stretches: When some closings close.
  private init(
    _ network: StreetNetwork, arcs closingOfArc: (Conditions.Entry) -> UInt32?,
    streets closingOfStreet: (Conditions.Entry) -> UInt32?, _ stretches: ([UInt32]) -> [Range<UInt32>]
  ) {
    let vehicles = network.attributes.map(\.kind.isVehicle)
    func kind(_ street: DirectedStreet) -> ClosedTimes.Kind {
      let record = network.street(street.street)
      if record.isBoarding(isReversed: street.isReversed) { return .boarding }
      return vehicles[Int(record.attributes)] ? .ride : .street
    }
    var lists = Interner([List()])
    func indices(
      _ entries: Column<Conditions.Entry>, _ closing: (Conditions.Entry) -> UInt32?, boarding: [UInt32],
      street: (UInt32) -> DirectedStreet
    ) -> [UInt32: UInt32] {
      var closings = Dictionary(boarding.map { ($0, Set<UInt32>()) }) { first, _ in first }
      for entry in entries {
        if let closing = closing(entry) { closings[entry.item, default: []].insert(closing) }
      }
      // In order, so that lists are the same in every run.
      return Dictionary(
        uniqueKeysWithValues: closings.sorted { $0.key < $1.key }.map { item, closings in
          (item, UInt32(lists.index(of: List(closings: closings.sorted(), kind: kind(street(item))))))
        })
    }
    let travelled = network.states.streets
    let boardings = vehicles.contains(true) ? network.boardings : []
    arcs = indices(
      network.conditions.arcs, closingOfArc,
      boarding: boardings.isEmpty
        ? [] : travelled.indices.lazy.filter { boardings.contains(travelled[$0]) }.map { UInt32($0) }
    ) { travelled[Int($0)] }
    let items = boardings.flatMap { street in StreetUse.allCases.map { $0.item(street) } }
    streets = indices(network.conditions.streets, closingOfStreet, boarding: items, street: StreetUse.street(ofItem:))
    let known = lists.values.dropFirst()
    times = ClosedTimes(known.map { stretches($0.closings) }, kinds: known.map(\.kind))
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
    self.init(network, arcs: { $0.closing }, streets: { $0.closing }) { closings in
      let states = closings.map(closed)
      var stretches: [Range<UInt32>] = []
      var start: UInt32?
      for (index, minute) in minutes.enumerated() {
        let isClosed = states.contains { $0[index] }
        let moment = index == 0 ? 0 : UInt32(Int(midnight) + minute * Int(DayClosings.minute))
        if isClosed, start == nil { start = moment }
        if !isClosed, let from = start {
          stretches.append(from..<moment)
          start = nil
        }
      }
      if let start { stretches.append(start..<StreetClock.never) }
      return stretches
    }
  }
}

extension StreetNetwork {
  /// The streets on which one boards a ferry or a train.
  fileprivate var boardings: Set<DirectedStreet> {
    var boardings: Set<DirectedStreet> = []
    for (index, street) in streets.enumerated() {
      for isReversed in [false, true] where street.isBoarding(isReversed: isReversed) {
        boardings.insert(DirectedStreet(StreetID(index), isReversed: isReversed))
      }
    }
    return boardings
  }
}
