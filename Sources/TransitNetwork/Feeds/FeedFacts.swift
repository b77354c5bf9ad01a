import Geography
import Input

/// A feed's metadata, counts, rejected rows and notes.
package struct FeedFacts: Codable, Sendable, Equatable {
  /// `feed_publisher_name` of feed_info.txt; empty if the feed has none.
  package var publisher = ""
  /// `feed_version`; empty if the feed has none.
  package var version = ""
  /// The first day on which a trip runs: "2026-11-23".
  package var firstDate = ""
  /// The last day on which a trip runs.
  package var lastDate = ""
  /// Rows of stops.txt, including stations and entrances.
  package var stops = 0
  /// Stops at which a trip calls.
  package var stopsUsed = 0
  /// Rows of trips.txt.
  package var trips = 0
  /// Calls whose times are interpolated.
  package var interpolatedTimes = 0
  /// Trips repeated by frequencies.txt.
  package var frequencyTrips = 0
  /// Rejected rows of all files.
  package var rejectedRows = 0
  /// At most `maximumRejected` rows per file and reason.
  package var rejected: [Row] = []
  /// Notes for the user, without full stops; each begins with the name of a file of the feed.
  package var notes: [String] = []
  /// Notes about the zip, without full stops.
  var zipNotes: [String] = []
  /// Files that are ignored.
  var unread: [String] = []

  package struct Row: Codable, Sendable, Equatable {
    /// The name of a file of the feed.
    package var file: String
    /// The line number, from 1.
    package var line: Int
    /// The row as in the file.
    package var text: String
    /// The reason for the rejection, without a full stop.
    package var reason: String
  }

  /// The first rejected row of the calendar, as the end of a sentence; empty if there is none.
  var rejectedService: String {
    guard let row = rejected.first(where: { $0.file.hasPrefix("calendar") }) else { return "" }
    return "; \(row.file), line \(row.line) is rejected: \(row.reason)"
  }

  /// The maximum number of stored rows per file and reason.
  static let maximumRejected = 1000
}

/// The rejected rows of a feed, in the order of reading.
struct FeedRejections {
  private struct Kind: Hashable {
    var file: String
    var reason: String
  }

  private(set) var rows: [FeedFacts.Row] = []
  private var kinds = Interner<Kind>()
  private var counts: [Int] = []

  /// Counts a row of a file, and stores it unless there are too many.
  mutating func add(_ file: String, line: Int, text: String, _ problem: RowProblem) {
    let kind = kinds.index(of: Kind(file: file, reason: problem.reason))
    if kind == counts.count { counts.append(0) }
    counts[kind] += 1
    guard counts[kind] <= FeedFacts.maximumRejected else { return }
    rows.append(FeedFacts.Row(file: file, line: line, text: text, reason: problem.reason))
  }

  var count: Int { counts.reduce(0, +) }

  /// Returns the number of rejected rows of a file.
  func count(of file: String) -> Int { zip(kinds.values, counts).reduce(0) { $0 + ($1.0.file == file ? $1.1 : 0) } }

  /// Returns the most frequent reason for rejection in the given files, with its first row: "most: stop_id is empty,
  /// first in line 2: t,,1".
  func mainReason(of files: String...) -> String? {
    let own = kinds.values.indices.filter { files.contains(kinds[$0].file) }
    guard let kind = own.max(by: { (counts[$0], -$0) < (counts[$1], -$1) }).map({ kinds[$0] }),
      let row = rows.first(where: { $0.file == kind.file && $0.reason == kind.reason })
    else { return nil }
    let file = files.count > 1 ? " of \(row.file)" : ""
    return "most: \(row.reason), first in line \(row.line)\(file): \(printable(row.text, atMost: 80))"
  }

  /// A sentence for each file and reason with more rows than are stored.
  var notes: [String] {
    kinds.values.indices.filter { counts[$0] > FeedFacts.maximumRejected }.map { kind in
      "\(kinds[kind].file): \(counts[kind]) rows are rejected, of which the first \(FeedFacts.maximumRejected) are listed: "
        + kinds[kind].reason
    }
  }
}
