import Geography
import Settings

/// The arguments of a command, sorted into options and operands.
///
/// Written here because glibc's getopt_long takes a latitude south of the equator ("-30.03,-51.23") for options.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  /// *Throws*: `UsageError`.
  init(_ words: [String], for command: any Command.Type) throws {
    var rest = words[...]
    var isOperandsOnly = false
    while let word = rest.popFirst() {
      if isOperandsOnly || !Arguments.isOption(word) {
        operands.append(word)
      } else if word == "--" {
        isOperandsOnly = true
      } else {
        try readOption(word, &rest, of: command)
      }
    }
    let least = command.operands.count { !$0.isOptional }
    let most = command.operands.last?.isRepeated == true ? Int.max : command.operands.count
    guard (least...most).contains(operands.count) else {
      let expected = command.operands.map(\.usage).joined(separator: " ")
      let found = operands.isEmpty ? "nothing" : operands.joined(separator: " ")
      throw UsageError("\(command.name): got \(found), expected \(expected.isEmpty ? "options only" : expected)")
    }
  }

  private mutating func readOption(
    _ word: String, _ rest: inout ArraySlice<String>, of command: any Command.Type
  ) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = command.options.first(where: { "--\($0.name)" == parts[0] }) else {
      throw UsageError(
        "\(command.name): unknown option \(parts[0])\(Arguments.advice(on: parts[0], for: command))")
    }
    guard values[option.name] == nil else { throw UsageError("--\(option.name) is given twice") }
    guard option.placeholder != nil else {
      guard parts.count == 1 else { throw UsageError("--\(option.name) takes no value, got \(word)") }
      values[option.name] = ""
      return
    }
    // A word with two dashes is the next option: a value that begins so is written with "=".
    let next = parts.count > 1 ? parts[1] : rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    guard let value = next, !value.isEmpty else {
      throw UsageError("--\(option.name) needs a value: \(option.usage)")
    }
    if parts.count == 1 { rest.removeFirst() }
    values[option.name] = value
  }

  /// Coordinates may begin with a minus, and "-" alone is a name.
  static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !second.isNumber && second != "."
  }

  private static func advice(on word: String, for command: any Command.Type) -> String {
    let names = command.options.map(\.name) + ["help"]
    let name = String(word.drop { $0 == "-" })
    let starting = names.filter { $0.hasPrefix(name) }
    let meant = starting.count == 1 ? starting[0] : Suggestion.nearest(to: name, of: names)
    return meant.map { "; did you mean --\($0)?" } ?? "; odometer \(command.name) --help lists the options"
  }
}

extension Arguments {
  func has(_ option: Option) -> Bool { values[option.name] != nil }

  func text(_ option: Option) -> String? { values[option.name] }

  func required(_ option: Option) throws -> String {
    guard let value = text(option) else { throw UsageError("\(option.usage) is missing") }
    return value
  }

  func count(_ option: Option, atMost most: Int = 1024) throws -> Int? {
    guard let text = text(option) else { return nil }
    guard let number = Int(text), (1...most).contains(number) else {
      throw UsageError("--\(option.name): got \(text), expected a whole number from 1 to \(most)")
    }
    return number
  }

  /// The number that an option gives; nil where it is not given.
  func number(_ option: Option, _ range: ClosedRange<Double>, of unit: String) throws -> Double? {
    guard let text = text(option) else { return nil }
    guard let number = Double(decimal: text), range.contains(number) else {
      func short(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
      throw UsageError(
        "--\(option.name): got \(text), expected \(unit) from \(short(range.lowerBound)) to \(short(range.upperBound))")
    }
    return number
  }

  /// The value of an option that takes one of several words.
  func choice(_ option: Option) throws -> String? {
    guard let text = text(option) else { return nil }
    guard case .choice(let choices) = option.values, !choices.contains(text) else { return text }
    throw Arguments.unknown(text, of: choices, for: "--\(option.name)")
  }

  /// The operand at `index`, which names a case of `Choice`.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ index: Int, of command: any Command.Type) throws
    -> Choice
  {
    let (text, operand) = (operands[index], command.operands[index])
    guard let choice = Choice(rawValue: text) else {
      throw Arguments.unknown(text, of: Choice.allCases.map(\.rawValue), for: operand.name)
    }
    return choice
  }

  private static func unknown(_ text: String, of choices: [String], for name: String) -> UsageError {
    let question = Suggestion.question(text, of: choices)
    return UsageError("\(name): got \(text), expected \(choices.joined(separator: ", "))\(question)")
  }
}
