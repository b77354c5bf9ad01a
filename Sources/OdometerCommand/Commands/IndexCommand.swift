import Jobs
import Reports
import Tables

enum IndexCommand: Command {
  static let name = "index"
  static let summary = "Write an index page of all runs in a folder, with each job's history"
  static let operands = [Operand("FOLDER", .folder)]
  static let exitCodes: [ExitCode: String] = [.input: "there is no such folder", .output: "the page cannot be written"]
  static let details = """
    FOLDER contains folders of results, at most three levels deep. Runs with the same job file, kind and transport mode
    count as the nightly runs of one job. The page lists each run with its typical travel time (access: the share within
    the middle threshold), rows without a result, rejected rows, run time and the result of verify. It marks nights
    without results, changes of map, profile, input, settings (except dates) or version, and drift: a typical travel
    time that differs from the median of the previous 14 nights by more than three median absolute deviations and by
    more than 0.5 %. index.json has the same data for programs; index.xml is an Atom feed of failures, runs without an
    answer, and drift. A job with the key index writes all three after each run.

        odometer index reports
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let page = try IndexPage(of: arguments.operands[0])
    try page.write()
    try console.print("\(arguments.operands[0])/index.html")
    return try console.finish(page.headline)
  }
}
