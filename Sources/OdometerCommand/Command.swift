/// One command of the program.
protocol Command {
  /// "network build".
  static var name: String { get }
  /// One line in the imperative: "Run a job".
  static var summary: String { get }
  static var operands: [Operand] { get }
  static var options: [Option] { get }
  /// Further paragraphs of help.
  static var details: String { get }
  /// Its exit codes, with specific meanings; those of every command are not listed.
  static var exitCodes: [ExitCode: String] { get }
  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode
}

extension Command {
  static var options: [Option] { [] }
  static var exitCodes: [ExitCode: String] { [:] }

  static var words: [String] { name.split(separator: " ").map(String.init) }

  /// "network" of "network build"; nil for a command of one word.
  static var family: String? { words.count > 1 ? words.first : nil }
}
