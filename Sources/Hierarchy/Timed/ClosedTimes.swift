/// When what is closed at times is closed: lists of stretches of the clock, shared by all that close together. List 0 is
/// empty: always open.
public struct ClosedTimes: Sendable {
  /// The first stretch of each list, and the end of the last one's.
  private let first: [UInt32]
  private let stretches: [Range<UInt32>]

  /// Nothing is ever closed.
  public static let none = ClosedTimes([])

  /// Lists 1, 2, …: each ascending, with a gap between one stretch and the next. What is closed to `UInt32.max` never
  /// opens again.
  public init(_ lists: [[Range<UInt32>]]) {
    var first: [UInt32] = [0, 0]
    for list in lists {
      precondition(
        zip(list, list.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "stretches are not ascending")
      first.append(first[first.count - 1] + UInt32(list.count))
    }
    self.first = first
    stretches = lists.flatMap(\.self)
  }

  /// The number of lists, the empty one included.
  public var count: Int { first.count - 1 }

  /// The stretch of a list that holds a moment.
  public func stretch(_ list: UInt32, at time: UInt32) -> Range<UInt32>? {
    stretches[Int(first[Int(list)])..<Int(first[Int(list) + 1])].first { $0.upperBound > time }
      .flatMap { $0.contains(time) ? $0 : nil }
  }

  /// When who arrives at a moment may go on: then, or when it opens; `StreetClock.never` where it does not.
  public func entry(_ list: UInt32, at time: UInt32) -> UInt32 { stretch(list, at: time)?.upperBound ?? time }

  /// Whether what is closed is closed for good.
  public var neverOpen: Bool { stretches.allSatisfy { $0 == 0..<UInt32.max } }

  /// When anything opens or closes next after a moment, and `UInt32.max` where nothing does.
  public func nextChange(after time: UInt32) -> UInt32 {
    stretches.lazy.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > time }.min() ?? .max
  }
}
