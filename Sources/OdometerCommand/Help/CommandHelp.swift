/// `odometer COMMAND --help`.
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
