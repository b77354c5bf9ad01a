import Foundation
import Geography
import Jobs
import Tables

/// `odometer init KIND`.
enum InitCommand: Command {
  static let name = "init"
  static let summary = "Write a commented job file with every key of a kind"
  static let operands = [Operand("KIND", .choice(JobKind.allCases.map(\.rawValue)))]
  static let options = [output]
  static let exitCodes: [ExitCode: String] = [
    .output: "the file exists already or cannot be written"
  ]
  static let details = """
    KIND is one of:
    \(HelpTable(JobKind.allCases.map { ($0.rawValue, $0.summary) }))

    Required keys have an example to replace; optional ones are comments with their defaults:

        odometer init matrix --output night.json5
        odometer run night.json5
    """

  private static let output = Option("output", "FILE", .file, help: "where to write it (default: stdout)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let kind: JobKind = try arguments.choice(0, of: self)
    let template = JobTemplate.text(kind)
    guard let output = arguments.text(output) else {
      try console.print(template)
      return .finished
    }
    var status = stat()
    guard lstat(output, &status) != 0 || FileProblem.isFolder(output) else {
      throw ResultsError(
        path: output, problem: "the file exists already; name another one or remove it", cause: .output)
    }
    do {
      let file = try StagedFile(output)
      try Array((template + "\n").utf8).withUnsafeBytes { try file.write($0) }
      try file.finish()
    } catch {
      throw ResultsError(
        path: output, problem: "the file cannot be written: \(FileProblem.reason(of: error, writing: output))",
        cause: .output)
    }
    try console.print(output)
    return .finished
  }
}
