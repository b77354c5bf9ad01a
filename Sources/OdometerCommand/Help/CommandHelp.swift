/// `odometer COMMAND --help`.
extension Command {
  static var usage: String {
    let words = ["odometer", name] + operands.map(\.usage) + (options.isEmpty ? [] : ["[options]"])
    return words.joined(separator: " ")
  }

  static var help: String {
    var sections = ["\(summary).", "Usage: \(usage)"]
    if !options.isEmpty {
      sections.append("Options:\n\(HelpTable(options.map { ($0.usage, $0.help) }))")
    }
    if !details.isEmpty { sections.append(HelpText.reflowed(details)) }
    let codes = Set([.finished, .usage, .fault] + exitCodes).sorted { $0.rawValue < $1.rawValue }
    sections.append("Exit codes:\n\(ExitCode.table(codes))")
    return sections.joined(separator: "\n\n")
  }
}
