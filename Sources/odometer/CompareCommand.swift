import Foundation
import Reports
import Results

/// `odometer compare OLD NEW`.
enum CompareCommand: Command {
  static let name = "compare"
  static let summary = "Holds the results of two runs against each other, row by row."
  static let operands = ["OLD", "NEW"]
  static let options = [
    Arguments.Option(name: "output", value: "DIR", help: "where to write (default: a folder compare beside NEW)"),
    .init(name: "threshold", value: "LIST", help: "from where on a difference counts (default: 1%,1s; areas: 1%)"),
    .init(name: "fail-over", value: "LIST", help: "exit with 1 beyond these, as p95>10%,unreachable>0"),
    .init(name: "quiet", value: nil, help: "only what is beyond --fail-over"),
  ]
  static let details = """
    OLD and NEW are two results.sqlite of finished jobs of the same kind, or their folders. Rows are matched by their ids
    (pairs, cells of a matrix, origins with their nearest station, areas). Writes compare.sqlite, with tables change,
    change_count, change_quantile, change_by_zone, change_by_street and step_by_street, and compare.html.

    A row is new, gone, faster, slower (areas: smaller, larger), newly_unreachable, newly_reachable, or the same. Why:
    place moved, snapping moved, map changed, profile changed, settings changed, input changed, version changed.

    --fail-over takes mean, p05, p25, median, p75, p95, p99 or max of the relative change, slower ones above zero
    (p95>10%), and new, gone, faster, slower, smaller, larger, unreachable, reachable as a number or a share of rows
    (slower>5%,unreachable>0).

    Exit codes: 0 compared; 1 beyond --fail-over; 2 wrong usage; 4 these are no such results, or nothing can be written.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let (old, new) = (try Shared.results(arguments.operands[0]), try Shared.results(arguments.operands[1]))
    let words = arguments.text("threshold") ?? "1%,1s"
    guard let threshold = ChangeThreshold(words) else {
      throw UsageError("--threshold: found \(words), allowed: \(ChangeThreshold.allowed)")
    }
    let failOver = try arguments.text("fail-over").map { text in
      guard let failOver = FailOver(text) else {
        throw UsageError("--fail-over: found \(text), allowed: \(FailOver.allowed)")
      }
      return failOver
    }
    let output =
      arguments.text("output")
      ?? ((new as NSString).deletingLastPathComponent as NSString)
      .appendingPathComponent("compare")
    let comparison = try Comparison(old: old, new: new, threshold)
    let lock = try ResultsFolder(path: output).lock()
    let summary = try withExtendedLifetime(lock) {
      let summary = try comparison.write(to: "\(output)/compare.sqlite")
      try ComparisonPage(of: "\(output)/compare.sqlite").write(to: "\(output)/compare.html")
      return summary
    }
    if !arguments.has("quiet") {
      print("\(output)/compare.sqlite\n\(output)/compare.html\n\(summary)")
    }
    let failures = failOver?.failures(summary) ?? []
    for failure in failures { note("beyond \(failure)") }
    return failures.isEmpty ? .finished : .notAllOK
  }
}
