/// `odometer __complete WORD…`, which shell scripts call to get completions. Not listed in help.
enum Completions {
  static let name = "__complete"
  private static let help = "--help\tPrint help"

  /// Returns lines of `candidate<TAB>description`, or `:files` or `:folders` where a path is expected.
  ///
  /// - Parameter line: The words after "odometer"; the last one is the word to complete.
  static func lines(_ line: [String]) -> [String] {
    let words = line.flatMap(separated)
    let given = Array(words.dropLast())
    guard let first = given.first else { return firstWords }
    let command = Program.command(given)
    let options = command?.options ?? []
    func option(_ word: String) -> Option? { options.first { "--\($0.name)" == word && $0.placeholder != nil } }
    if let option = given.last.flatMap(option) { return lines(of: option.values) }
    if words.last?.hasPrefix("-") == true { return options.map { "--\($0.name)\t\($0.help)" } + [help] }
    // "network", or "help network".
    let family = first == HelpCommand.name ? Array(given.dropFirst()) : given
    let members = Program.commands.filter { [$0.family] == family }
    guard let command, members.isEmpty else { return members.map { "\($0.words[1])\t\($0.summary)" } }
    let rest = given.dropFirst(command.words.count)
    let index = zip([first] + rest, rest).count { !Arguments.isOption($1) && option($0) == nil }
    let operand = command.operands.dropFirst(index).first ?? command.operands.last { $0.isRepeated }
    return operand.map { lines(of: $0.values) } ?? []
  }

  private static var firstWords: [String] {
    Program.firstWords.map { name in
      "\(name)\t\(Program.command([name])?.summary ?? "Commands about \(name)")"
    } + [help, "--version\tPrint the version"]
  }

  /// Splits "--by=walking" into two words. Bash has already split it, with "=" as a separate word.
  private static func separated(_ word: String) -> [String] {
    guard word.hasPrefix("--") else { return word == "=" ? [] : [word] }
    return word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }

  private static func lines(of values: ArgumentValues) -> [String] {
    switch values {
    case .any: []
    case .file: [":files"]
    case .folder: [":folders"]
    case .choice(let choices): choices
    }
  }
}
