import Foundation
import Geography
import Jobs
import Reports
import Tables

/// `odometer verify RESULTS`.
enum VerifyCommand: Command {
  static let name = "verify"
  static let summary = "Compute random rows of results again by plain Dijkstra, and every sum"
  static let operands = [Operand.results]
  static let options = [sample, seed, map, CommonOptions.profile, CommonOptions.cache, CommonOptions.workers]
  static let exitCodes: [ExitCode: String] = [
    .usage: "wrong usage, or the profile cannot be used",
    .input: "results, map or profile cannot be read, or are not those of the run",
    .output: "the results cannot be written, or a run has the folder",
    .different: "a difference was found",
  ]
  static let details = """
    RESULTS is the results.sqlite of a finished job, or its folder. Rows are chosen at random, others each time (table
    job keeps the seed as verification_seed; --seed chooses the same ones again), and computed on the network as the map has it, without the hierarchy: times and distances must
    be equal to the millisecond and the centimetre. Differences are kept in table verification, the figures
    in table job, and the report is written again. Cells of a matrix are read from every form that the job wrote;
    its files must be as it wrote them (32-bit floats equal what they hold of an exact time). In a job file, verify: 1000 does this at the end of each run.
    """

  private static let sample = Option("sample", "N", help: "how many rows (default: 100)")
  private static let seed = Option("seed", "N", help: "of an earlier sample, to take it again (default: a new one)")
  private static let map = Option("map", "MAP", .file, help: "where the job's map is now (default: where it was)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let path = try ResultsFolder.database(named: arguments.operands[0])
    let folder = ResultsFolder(ofDatabase: path)
    let workers = try arguments.workers()
    let sample = try arguments.count(sample, atMost: 1_000_000) ?? 100
    let seed = try arguments.count(seed, atMost: 1 << 53)
    // It writes what it finds into the results: not while a run writes there.
    let lock = try folder.lock()
    let outcome = try withExtendedLifetime(lock) {
      let network = try Verification.network(
        of: path, at: LocatedFiles(map: arguments.text(map), profile: arguments.text(CommonOptions.profile)),
        cache: arguments.text(CommonOptions.cache), workers: workers, report: console.networkEvents(isQuiet: false))
      let outcome = try Verification(
        of: path, on: network, workers: workers, cache: arguments.text(CommonOptions.cache)
      ).run(
        sample: sample, seed: seed ?? Verification.newSeed)
      if FileManager.default.fileExists(atPath: folder.report) { try Report(of: path).write(to: folder.report) }
      return outcome
    }
    for difference in outcome.differences.prefix(10) { try console.print(printable("\(difference)")) }
    try console.print(outcome)
    if outcome.rows > 0 { console.note("--seed \(outcome.seed) takes the same sample again") }
    return outcome.differences.isEmpty ? .finished : .different
  }
}
