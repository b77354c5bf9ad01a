import Foundation
import Reports

/// `odometer report RESULTS`.
enum ReportCommand: Command {
  static let name = "report"
  static let summary = "Makes the page of a job's results again."
  static let operands = ["RESULTS"]
  static let options = [
    Arguments.Option(name: "output", value: "FILE", help: "where to write it (default: report.html beside RESULTS)")
  ]
  static let details = """
    RESULTS is the results.sqlite of a finished job of any kind, or its folder. The page is one file without anything from a network: a map
    drawn from the results, distributions, tables that sort, and where all of it comes from. `odometer run` writes it, too.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let results = try Shared.results(arguments.operands[0])
    let folder = (results as NSString).deletingLastPathComponent
    let output = arguments.text("output") ?? (folder.isEmpty ? "report.html" : "\(folder)/report.html")
    try Report(of: results).write(to: output)
    print(output)
    return .finished
  }
}
