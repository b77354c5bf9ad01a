/// A command of the program.
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
