import Foundation
import Geography
import Jobs
import Tables

enum InitCommand: Command {
  static let name = "init"
  static let summary = "Write a commented job file with every key of a kind"
  static let operands = [Operand("KIND", .choice(JobKind.allCases.map(\.rawValue)))]
  static let options = [output]
  static let exitCodes: [ExitCode: String] = [.output: "the file exists already or cannot be written"]
  static let details = """
    KIND is one of:
    \(HelpTable(JobKind.allCases.map { ($0.rawValue, $0.summary) }))

    Required keys have an example to replace; optional ones are comments with their defaults:

        odometer init matrix --output night.json5
        odometer run night.json5
    """

  private static let output = Option("output", "FILE", .file, help: "file to write (default: stdout)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let kind: JobKind = try arguments.choice(0, of: self)
    let template = JobTemplate.text(kind)
    guard let output = arguments.text(output) else { return try console.finish(template) }
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
    return try console.finish(output)
  }
}

/// A template for job files: every key of a kind, with its meaning.
enum JobTemplate {
  static func text(_ kind: JobKind) -> String {
    let required = kind.keys.filter(\.setting.isRequired).map { entry($0, of: kind) }
    let optional = kind.keys.filter { !$0.setting.isRequired }.map { entry($0, of: kind) }
    return """
      // Kind \(kind.rawValue): \(kind.summary).
      // Run it with odometer run FILE; odometer help KEY describes a key.
      {
      \(required.joined(separator: "\n"))

        // Optional keys, as comments.

      \(optional.joined(separator: "\n"))
      }
      """
  }

  private static func entry(_ key: JobKeyDescription, of kind: JobKind) -> String {
    let setting = key.setting
    var value = key.name == "kind" ? "\"\(kind.rawValue)\"" : setting.example
    if case .value(let absent) = setting.absence { value = absent }
    let mark = setting.isRequired ? "" : "// "
    let words = KeyHelp.words(of: setting).map { [$0] } ?? []
    let notes = words + (setting.isRequired ? [] : [KeyHelp.absence(setting)])
    let suffix = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    let comment = HelpText.wrapped(setting.summary + suffix, HelpText.width - 5)
    return comment.map { "  // \($0)\n" }.joined() + "  \(mark)\(key.name): \(value),"
  }
}
