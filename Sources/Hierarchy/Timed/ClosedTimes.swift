/// When what is closed at times is closed: lists of stretches of the clock, shared by all that close together. List 0 is
/// empty: always open.
public struct ClosedTimes: Sendable {
  /// The first stretch of each list, and the end of the last one's.
  private let first: [UInt32]
  private let stretches: [Range<UInt32>]
  private let kinds: [Kind]

  /// How a list's streets are waited for.
  public enum Kind: UInt8, Sendable {
    /// No longer than the limit of waiting.
    case street
    /// As long as it takes: on a ferry or a train.
    case ride
    /// As a ride, and all of its time is spent waiting for the departure.
    case boarding
  }

  /// Nothing is ever closed.
  public static let none = ClosedTimes([])

  /// Lists 1, 2, …: each ascending, with a gap between one stretch and the next. What is closed to `UInt32.max` never
  /// opens again.
  ///
  /// - Parameter kinds: Of each list; nil for streets.
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

  /// How the streets of a list are waited for.
  public func kind(_ list: UInt32) -> Kind { kinds[Int(list)] }

  /// The number of lists, the empty one included.
  public var count: Int { first.count - 1 }

  /// The stretches of a list.
  func stretches(_ list: UInt32) -> ArraySlice<Range<UInt32>> {
    stretches[Int(first[Int(list)])..<Int(first[Int(list) + 1])]
  }

  /// The stretch of a list that holds a moment.
  public func stretch(_ list: UInt32, at time: UInt32) -> Range<UInt32>? {
    stretches(list).first { $0.upperBound > time }
      .flatMap { $0.contains(time) ? $0 : nil }
  }

  /// When who arrives at a moment may go on: then, or when it opens; `StreetClock.never` where it does not.
  public func entry(_ list: UInt32, at time: UInt32) -> UInt32 { stretch(list, at: time)?.upperBound ?? time }

  /// Whether what is closed is closed for good.
  public var neverOpen: Bool { stretches.allSatisfy { $0 == 0..<UInt32.max } }

  /// Whether a street that one waits for only within the limit is closed and opens again.
  var haveStreetsThatOpen: Bool {
    kinds.indices.contains { kinds[$0] == .street && !stretches(UInt32($0)).allSatisfy { $0 == 0..<UInt32.max } }
  }

  /// When anything opens or closes next after a moment, and `UInt32.max` where nothing does.
  public func nextChange(after time: UInt32) -> UInt32 {
    stretches.lazy.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > time }.min() ?? .max
  }
}
