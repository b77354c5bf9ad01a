import Jobs
import Reports
import Tables

/// `odometer index FOLDER`.
enum IndexCommand: Command {
  static let name = "index"
  static let summary = "Write a page of all runs of a folder, with the history of each job's nights"
  static let operands = [Operand("FOLDER", .folder)]
  static let exitCodes: [ExitCode: String] = [
    .input: "there is no such folder", .output: "the page cannot be written",
  ]
  static let details = """
    FOLDER has folders of results in it, three deep at most. Runs of one job file, kind and way to travel are the nights
    of one job: each with its typical travel time (access: the share within the middle threshold), rows without an
    answer, rejected rows, seconds and what verify found. Marked are nights without results, those whose map, profile,
    input or version is another than the night before, and those that drift: beyond the median of the 14 nights before by
    more than three times their median deviation. index.json has the same for programs, index.xml is an Atom feed of
    failures and drifts. A job with the key index writes all three after each run.

        odometer index reports
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let page = try IndexPage(of: arguments.operands[0])
    try page.write()
    try console.print("\(arguments.operands[0])/index.html")
    try console.print(page.headline)
    return .finished
  }
}
