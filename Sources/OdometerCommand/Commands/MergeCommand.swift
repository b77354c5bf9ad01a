import Foundation
import Jobs
import Tables

/// `odometer merge FOLDER…`.
enum MergeCommand: Command {
  static let name = "merge"
  static let summary = "Merge the shards of a job into results identical to a single run's"
  static let operands = [Operand("FOLDER", .folder, isRepeated: true)]
  static let options = [
    CommonOptions.workers, RunCommand.output, CommonOptions.cache, RunCommand.fresh,
    RunCommand.resumeOrFresh, RunCommand.metrics, CommonOptions.quiet, CommonOptions.progress, strict,
  ]
  static let exitCodes: [ExitCode: String] = [
    .notAllOK: RunCommand.exitCodes[.notAllOK]!,
    .usage: "usage error, or the job file or profile cannot be used",
    .input:
      "shards are missing, duplicate, unfinished, damaged or of another job; map or input cannot be read or have changed",
    .output: RunCommand.exitCodes[.output]!,
    .different: RunCommand.exitCodes[.different]!, .fewAnswers: ExitCode.fewAnswers.meaning,
    .interrupted: RunCommand.exitCodes[.interrupted]!,
  ]
  static let details = """
    Each FOLDER has one shard of the job (odometer run JOB --shard 0/8, 1/8, …); all shards are required. The input is
    read again from the job file's paths, so run this where the shards ran. The output is identical to a single run's:
    tables, files, report and verification. The same command resumes an interrupted merge.

        odometer merge out/shard-* --output out
    """

  private static let strict = Option("strict", help: "exit with 1 if any row is not ok or was rejected")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let shards = Result { try ShardSet(folders: arguments.operands) }
    let name = (try? shards.get())?.header.record.run[.jobFile]
    let metrics = RunCommand.metrics(of: name ?? arguments.operands[0], arguments)
    return try RunCommand.recording(metrics, console) { try merge(shards.get(), arguments, console) }
  }

  private static func merge(
    _ shards: ShardSet, _ arguments: Arguments, _ console: Console
  ) throws -> (ExitCode, JobOutcome?) {
    let options = try RunCommand.options(arguments, console)
    let job = try Job(of: shards, output: arguments.text(RunCommand.output))
      .runs(isFresh: true, at: shards.started ?? Date())[0]
    if arguments.operands.contains(where: { ResultsFolder(path: $0).isSame(as: ResultsFolder(path: job.output)) }) {
      throw UsageError("--output: \(job.output) has a shard; name another folder")
    }
    return try RunCommand.run(job, options, merging: shards, arguments, console)
  }
}
