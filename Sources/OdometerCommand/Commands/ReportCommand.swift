import Foundation
import Reports
import Results

/// `odometer report RESULTS`.
enum ReportCommand: Command {
  static let name = "report"
  static let summary = "Write the report page of a job's results again"
  static let operands = [Operand.results]
  static let options = [output]
  static let exitCodes: [ExitCode: String] = [
    .input: "the results cannot be read",
    .output: "the page cannot be written, or a run has the folder",
  ]
  static let details = """
    RESULTS is the results.sqlite of a finished job of any kind, or its folder. The page is one file that
    loads nothing from a network: a map drawn from the results, distributions, tables that sort, and where
    all of it comes from. odometer run writes it, too.
    """

  private static let output = Option(
    "output", "FILE", .file, help: "where to write it (default: report.html next to RESULTS)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let results = try ResultsFolder.database(named: arguments.operands[0])
    if let output = arguments.text(output) {
      try Report(of: results).write(to: output)
      try console.print(output)
      return .finished
    }
    let folder = ResultsFolder(ofDatabase: results)
    // A run that is resumed there writes the page under the same name.
    let lock = try folder.lock()
    try withExtendedLifetime(lock) { try Report(of: results).write(to: folder.report) }
    try console.print(folder.report)
    return .finished
  }
}
