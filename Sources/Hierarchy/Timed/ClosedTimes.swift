/// The closed intervals of streets: lists of intervals of the clock, shared by all streets that close together. List 0
/// is empty: always open.
public struct ClosedTimes: Sendable {
  /// The first interval of each list, and the end of the last one's.
  private let first: [UInt32]
  private let stretches: [Range<UInt32>]
  private let kinds: [Kind]

  /// How trips wait at a list's streets.
  public enum Kind: UInt8, Sendable {
    /// At most for the wait limit.
    case street
    /// Without a limit: a ferry or a train.
    case ride
    /// As a ride, all of whose time is waiting for the departure.
    case boarding
  }

  /// Nothing is ever closed.
  public static let none = ClosedTimes([])

  /// Lists 1, 2, …: each in ascending order, with gaps between intervals. An interval to `UInt32.max` never ends.
  ///
  /// - Parameter kinds: Per list; nil for streets.
  public init(_ lists: [[Range<UInt32>]], kinds: [Kind]? = nil) {
    precondition(kinds?.count ?? lists.count == lists.count, "a kind per list")
    self.kinds = [.street] + (kinds ?? Array(repeating: .street, count: lists.count))
    var first: [UInt32] = [0, 0]
    for list in lists {
      precondition(
        zip(list, list.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "stretches are not ascending")
      first.append(first[first.count - 1] + UInt32(list.count))
    }
    self.first = first
    stretches = lists.flatMap(\.self)
  }

  /// How trips wait at the streets of a list.
  public func kind(_ list: UInt32) -> Kind { kinds[Int(list)] }

  /// The number of lists, including the empty one.
  public var count: Int { first.count - 1 }

  /// The intervals of a list.
  func stretches(_ list: UInt32) -> ArraySlice<Range<UInt32>> {
    stretches[Int(first[Int(list)])..<Int(first[Int(list) + 1])]
  }

  /// The interval of a list that contains an instant.
  public func stretch(_ list: UInt32, at time: UInt32) -> Range<UInt32>? {
    stretches(list).first { $0.upperBound > time }
      .flatMap { $0.contains(time) ? $0 : nil }
  }

  /// When a traveller who arrives at an instant may continue: at once, or at the opening; `StreetClock.never` if it
  /// never opens.
  public func entry(_ list: UInt32, at time: UInt32) -> UInt32 { stretch(list, at: time)?.upperBound ?? time }

  /// Whether an interval never ends.
  public var neverOpen: Bool { stretches.allSatisfy { $0 == 0..<UInt32.max } }

  /// Whether a street with limited waiting is closed at an instant and opens again.
  var haveStreetsThatOpen: Bool {
    kinds.indices.contains { kinds[$0] == .street && !stretches(UInt32($0)).allSatisfy { $0 == 0..<UInt32.max } }
  }

  /// The next opening or closing after an instant; `UInt32.max` if there is none.
  public func nextChange(after time: UInt32) -> UInt32 {
    stretches.lazy.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > time }.min() ?? .max
  }
}
