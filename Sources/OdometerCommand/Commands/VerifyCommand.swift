import Foundation
import Geography
import Jobs
import Reports
import Tables

enum VerifyCommand: Command {
  static let name = "verify"
  static let summary = "Recompute sums, and a random sample of rows by plain Dijkstra"
  static let operands = [Operand.results]
  static let options = [
    sample, seed, CommonOptions.movedMap, CommonOptions.profile, CommonOptions.cache, CommonOptions.workers,
  ]
  static let exitCodes: [ExitCode: String] = [
    .usage: "wrong usage, or the profile cannot be used",
    .input: "results, map or profile cannot be read, or differ from the run's",
    .output: "the results cannot be written, or a run is using the folder",
    .different: "a difference was found",
  ]
  static let details = """
    RESULTS is the results.sqlite of a finished job, or its folder. Each verification draws a new random sample of
    rows (table job has its seed as verification_seed; --seed draws the same sample again) and recomputes it without
    the hierarchy: times and distances must agree to the millisecond and the centimetre. Differences are stored in
    table verification, the figures in table job, and the report is written again. Matrix cells are checked in every
    format that the job wrote: the files must be unchanged, and a 32-bit float must equal the exact time, rounded. In
    a job file, verify: 1000 does this at the end of each run.
    """

  private static let sample = Option("sample", "N", help: "number of rows (default: 100)")
  private static let seed = Option("seed", "N", help: "seed of an earlier sample, to repeat it (default: a new one)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let path = try ResultsFolder.database(named: arguments.operands[0])
    let folder = ResultsFolder(ofDatabase: path)
    let workers = try arguments.workers()
    let sample = try arguments.count(sample, atMost: 1_000_000) ?? 100
    let seed = try arguments.count(seed, atMost: 1 << 53)
    // Verification writes to the results, so it must not run while a job writes there.
    let lock = try folder.lock()
    let outcome = try withExtendedLifetime(lock) {
      let network = try Verification.network(
        of: path, at: arguments.locatedFiles, cache: arguments.text(CommonOptions.cache), workers: workers,
        report: console.networkEvents(isQuiet: false))
      let outcome = try Verification(
        of: path, on: network, workers: workers, cache: arguments.text(CommonOptions.cache)
      ).run(sample: sample, seed: seed ?? Verification.newSeed)
      if FileManager.default.fileExists(atPath: folder.report) { try Report(of: path).write(to: folder.report) }
      return outcome
    }
    for difference in outcome.differences.prefix(10) { try console.print(printable("\(difference)")) }
    try console.print(outcome)
    if outcome.rows > 0 { console.note("--seed \(outcome.seed) draws the same sample again") }
    return outcome.differences.isEmpty ? .finished : .different
  }
}
