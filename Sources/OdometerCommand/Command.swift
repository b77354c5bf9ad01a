protocol Command {
  /// The name, such as "network build".
  static var name: String { get }
  /// A summary in one line, in the imperative: "Run a job".
  static var summary: String { get }
  static var operands: [Operand] { get }
  static var options: [Option] { get }
  /// Additional paragraphs of help.
  static var details: String { get }
  /// The exit codes with command-specific meanings; codes common to all commands are not listed.
  static var exitCodes: [ExitCode: String] { get }
  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode
}

extension Command {
  static var options: [Option] { [] }
  static var exitCodes: [ExitCode: String] { [:] }

  static var words: [String] { name.split(separator: " ").map(String.init) }

  /// The first word of a two-word name, such as "network" for "network build"; nil for a one-word name.
  static var family: String? { words.count > 1 ? words.first : nil }
}

extension Command {
  static var usage: String {
    let words = ["odometer", name] + operands.map(\.usage) + (options.isEmpty ? [] : ["[options]"])
    return words.joined(separator: " ")
  }

  static var help: String {
    var sections = ["\(summary).", "Usage: \(usage)"]
    if !options.isEmpty { sections.append("Options:\n\(HelpTable(options.map { ($0.usage, $0.help) }))") }
    if !details.isEmpty { sections.append(HelpText.reflowed(details)) }
    sections.append("Exit codes:\n\(ExitCode.table(ExitCode.ofEveryCommand.merging(exitCodes) { $1 }))")
    return sections.joined(separator: "\n\n")
  }
}
