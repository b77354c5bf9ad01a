import Settings

/// `odometer help TOPIC`.
enum HelpCommand: Command {
  static let name = "help"
  static let summary = "Describe a command, a kind of job, a job-file key or a results table"
  static var operands: [Operand] {
    [
      Operand("TOPIC", .choice(HelpTopics.names.filter { !$0.contains(" ") }), isOptional: true),
      Operand("COMMAND", isOptional: true),
    ]
  }
  static let details = """
    TOPIC is a command, a kind of job, a job-file key, a results table, or one of these lists:
    exit-codes, keys, kinds, tables.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let topic = arguments.operands.joined(separator: " ")
    guard !topic.isEmpty else { return try console.finish(Overview.text) }
    let sections = HelpTopics.sections(about: topic)
    guard !sections.isEmpty else {
      let question = Suggestion.question(topic, of: HelpTopics.names)
      throw UsageError(
        "no help on \(topic)\(question.isEmpty ? "; expected a command, a kind of job, a job-file key or a results table" : question)"
      )
    }
    return try console.finish(sections.joined(separator: "\n\n"))
  }
}
