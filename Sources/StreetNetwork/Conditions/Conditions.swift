import Geography
import Hierarchy
import OpeningHours

/// The conditions of a network, which determine the turns and streets that are closed at an instant.
///
/// States and arcs include everything that is ever open; the hierarchy includes only what is open without a time.
/// Time-dependent queries use the street clock, which applies closures at the time when each street is reached.
package struct Conditions: Sendable {
  /// The conditional arcs in ascending order, each with its closing; an arc may occur several times.
  package let arcs: Column<Entry>
  /// The conditional directed streets by use (`StreetUse.item`).
  package let streets: Column<Entry>
  let closings: [Closing]
  /// Whether each closing applies to trips without a time.
  let closedWithoutDate: [Bool]

  package struct Entry: Sendable, BitwiseCopyable {
    package var item: UInt32
    package var closing: UInt32
  }

  /// Creates the conditions from `strings`, one per closing, which the build has validated.
  init(arcs: Column<Entry>, streets: Column<Entry>, strings: [String]) throws {
    self.arcs = arcs
    self.streets = streets
    closings = try strings.map { text in
      guard let closing = Closing(text) else { throw InvalidColumnFile.corrupt }
      return closing
    }
    closedWithoutDate = closings.map { $0.isClosed(at: nil) }
  }

  package var isEmpty: Bool { arcs.isEmpty && streets.isEmpty }

  /// The number of closings that depend on holidays.
  package var holidayCount: Int { closings.count(where: \.usesHolidays) }

  /// Returns whether each closing applies at `time`; nil if none applies at that time or without a time.
  package func key(at time: LocalTime?) -> [Bool]? {
    guard !closings.isEmpty else { return nil }
    let key = closings.map { $0.isClosed(at: time) }
    return key.contains(true) || closedWithoutDate.contains(true) ? key : nil
  }
}

/// An unreadable time-dependent tag and its object. It has no padding, since it is written as bytes.
struct UnreadableTag: Sendable, BitwiseCopyable {
  var id: Int64
  // A number, since an enumeration takes one byte regardless of its raw type, plus three bytes of padding.
  private var rawKind: UInt32
  /// The index of `key=value` among the names.
  var tag: UInt32

  enum Kind: UInt32, Sendable { case node, way, relation }

  init(id: Int64, kind: Kind, tag: UInt32) { (self.id, rawKind, self.tag) = (id, kind.rawValue, tag) }

  var kind: Kind { Kind(rawValue: rawKind) ?? .node }
}

extension StreetNetwork {
  /// Unreadable time-dependent tags, such as `way 123: access:conditional=no @ (wet)`, in map order.
  package var unreadableTags: [String] { unreadable.map { "\($0.kind) \($0.id): \(name($0.tag))" } }
}

/// Time-dependent speeds of a street, as text in network files:
///
///     11.806 22:00-06:00      metres per second driven at these times; the last applicable line decides
///     - Su                    the usual speed
///
/// Also used for streets on which bicycles must be pushed at certain hours. The speeds apply to queries with a time
/// (`LimitSlowness`).
package struct ConditionalLimits: Sendable {
  package struct Entry: Sendable, BitwiseCopyable {
    package var street: DirectedStreet
    /// The index of the text among the names.
    package var limits: UInt32
  }

  private var lines: [(metresPerSecond: Double?, condition: Condition)] = []

  /// Returns nil if the text cannot be parsed.
  package init?(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let condition = Condition(String(parts[1])) else { return nil }
      let speed = Double(parts[0])
      guard speed != nil || parts[0] == "-" else { return nil }
      lines.append((speed, condition))
    }
  }

  /// Returns the text for time-dependent speeds; empty if all of them equal `usual`.
  static func text(_ clauses: [(metresPerSecond: Double, condition: Condition)], usual: Double) -> String {
    guard clauses.contains(where: { $0.metresPerSecond != usual }) else { return "" }
    return clauses.map { clause in
      let speed = (clause.metresPerSecond * 1000).rounded() / 1000
      return "\(clause.metresPerSecond == usual ? "-" : "\(speed)") \(clause.condition.text)"
    }.joined(separator: "\n")
  }

  /// Whether all weeks are the same except for holidays.
  var isWeekly: Bool { lines.allSatisfy { $0.condition.isWeekly } }
  /// Whether the speeds depend on the location.
  var usesSun: Bool { lines.contains { $0.condition.usesSun } }

  /// Returns the speed at a time near a place; nil for the usual speed.
  package func metresPerSecond(at time: LocalTime, near place: Coordinate) -> Double? {
    lines.last { $0.condition.holds(at: time, near: place) }?.metresPerSecond ?? nil
  }
}

/// The closed arcs and streets of a network at an instant.
package struct Closure: Sendable {
  /// Whether each closing applies.
  package let key: [Bool]
  /// Closed arcs, which no path uses.
  package let arcs: ArcSet
  /// Closed streets, which no trip enters even partly: one bit per directed street and use.
  private let streets: ArcSet
  /// Whether this is the closure without a time, which the hierarchy already excludes.
  package let isDefault: Bool

  init(_ key: [Bool], _ conditions: Conditions, arcCount: Int, streetCount: Int) {
    self.key = key
    arcs = ArcSet(conditions.arcs.lazy.filter { key[Int($0.closing)] }.map(\.item), arcCount: arcCount)
    streets = ArcSet(
      conditions.streets.lazy.filter { key[Int($0.closing)] }.map(\.item),
      arcCount: streetCount * 2 * Int(StreetUse.count))
    isDefault = key == conditions.closedWithoutDate
  }

  package func contains(_ arc: ArcID) -> Bool { arcs.contains(arc) }
  package func contains(_ street: DirectedStreet, as use: StreetUse = .any) -> Bool { contains(item: use.item(street)) }
  func contains(item: UInt32) -> Bool { streets.contains(ArcID(item)) }
}

extension StreetNetwork {
  /// Returns the closure at a time, or the closure that applies without a time; nil if nothing is closed in either
  /// case.
  package func closure(at time: LocalTime?) -> Closure? {
    guard time != nil else { return closureWithoutDate }
    return conditions.key(at: time).map { closure($0) }
  }

  /// Returns the closure for a key, which states whether each closing applies.
  package func closure(_ key: [Bool]) -> Closure {
    Closure(key, conditions, arcCount: states.arcs.arcCount, streetCount: streetCount)
  }

  /// Returns the hierarchy without closed arcs: the network's, or one customized for the closure.
  package func hierarchy(without closed: Closure?) -> Hierarchy {
    guard let closed, !closed.isDefault else { return hierarchy }
    return customizable.hierarchy(without: closed.arcs)
  }

  /// Returns the graph without closed arcs. The remaining arcs get new IDs.
  package func arcs(without closed: Closure?) -> ArcGraph {
    (closed ?? closureWithoutDate).map { states.arcs.without($0.arcs) } ?? states.arcs
  }
}
