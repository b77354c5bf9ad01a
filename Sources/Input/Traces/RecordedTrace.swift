import Foundation
import Routing
import Tables

/// A trace as a file of the input has it.
package struct RecordedTrace: Sendable {
  package var id: Identifier
  /// What statistics are made per, too; nil where the file does not say.
  package var group: String?
  /// In the order of the file; those that cannot be read are rejected.
  package var fixes: [Fix]
  package var file: String
  /// Where it begins.
  package var line: Int
  package var unit = RowUnit.line
}

extension RecordedTrace {
  /// Chooses among the two moments of each time that the clocks show twice, in autumn, by the order of the fixes. Times
  /// without a zone were read as the first.
  mutating func resolveRepeatedTimes(by clock: TraceClock) {
    guard clock.hasReadLocalTime else { return }
    var last: Double?
    /// The fixes from the start whose times the clocks show again.
    var isBeginning = true
    for index in fixes.indices {
      guard var time = fixes[index].timestamp?.timeIntervalSince1970 else { continue }
      if let last {
        time = RecordedTrace.moment(time, after: last, clock)
        // A trace that leaves the hour without going through it twice began in its repetition, if the clocks allow it.
        if isBeginning, clock.repetition(of: time) == nil, let again = clock.repetition(of: last), again <= time {
          for index in fixes.indices[..<index] { fixes[index].shift(by: again - last) }
        }
      }
      isBeginning = isBeginning && clock.repetition(of: time) != nil
      fixes[index].timestamp = Date(timeIntervalSince1970: time)
      if let received = fixes[index].received?.timeIntervalSince1970 {
        fixes[index].received = Date(timeIntervalSince1970: RecordedTrace.moment(received, after: time, clock))
      }
      last = time
    }
  }

  /// The repetition of a time, if the time itself is no nearer to the one before it.
  private static func moment(_ time: Double, after last: Double, _ clock: TraceClock) -> Double {
    guard time < last, let again = clock.repetition(of: time), abs(again - last) <= last - time else { return time }
    return again
  }
}

extension Fix {
  fileprivate mutating func shift(by seconds: Double) {
    timestamp?.addTimeInterval(seconds)
    received?.addTimeInterval(seconds)
  }
}
