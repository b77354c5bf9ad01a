import Foundation
import Geography
import Jobs
import Reports
import Results

/// `odometer verify RESULTS`.
enum VerifyCommand: Command {
  static let name = "verify"
  static let summary = "Computes random rows of results again, by plain Dijkstra, and all sums."
  static let operands = ["RESULTS"]
  static let options = [
    Arguments.Option(name: "sample", value: "N", help: "how many rows (default: 100)"),
    .init(name: "map", value: "MAP", help: "where the job's map is now (default: where it was)"), Shared.profile,
    Shared.cache, Shared.workers,
  ]
  static let details = """
    RESULTS is the results.sqlite of a finished job, or its folder. Rows are chosen at random, the same ones each time, and
    computed on the network as the map has it, without the hierarchy: times and distances must be equal to the
    millisecond and the centimetre. Differences are kept in table verification, the figures in table job, and the report
    is made again. In a job file, verify: 1000 does this at the end of each run.

    Exit codes: 0 all equal; 1 there are differences; 2 wrong usage; 3 the map is missing; 4 these are no results, or they
    were computed on another map or profile.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let path = try Shared.results(arguments.operands[0])
    let folder = ResultsFolder(path: (path as NSString).deletingLastPathComponent)
    let workers = try Shared.workers(arguments)
    let network = try Verification.network(
      of: path, map: arguments.text("map"), profile: arguments.text("profile"), cache: arguments.text("cache"),
      workers: workers, report: Shared.report(isQuiet: false))
    let sample = try arguments.count("sample", atMost: 1_000_000) ?? 100
    let outcome = try Verification(of: path, on: network, workers: workers).run(sample: sample)
    if FileManager.default.fileExists(atPath: folder.report) { try Report(of: path).write(to: folder.report) }
    for difference in outcome.differences.prefix(10) { print(printable("\(difference)")) }
    print(outcome)
    return outcome.differences.isEmpty ? .finished : .notAllOK
  }
}
