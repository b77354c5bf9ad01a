/// The words behind a command, sorted into options and operands.
///
/// Written here because glibc's getopt_long takes a latitude south of the equator ("-30.03,-51.23") for options.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  /// `--name` (nil `value`) or `--name VALUE`, with a line of help.
  struct Option {
    var name: String
    var value: String?
    var help: String
  }

  /// *Throws*: `UsageError`.
  init(_ words: [String], options: [Option], operands names: [String], command: String) throws {
    var rest = words[...]
    var isOperandsOnly = false
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word.count > 1, !isOperandsOnly, !Arguments.isNumber(word) else {
        operands.append(word)
        continue
      }
      if word == "--" {
        isOperandsOnly = true
        continue
      }
      let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard word.hasPrefix("--"), let option = options.first(where: { $0.name == parts[0] }) else {
        let known = options.map { "--\($0.name)" }.joined(separator: ", ")
        throw UsageError("unknown option \(word); odometer \(command) takes \(known)")
      }
      if let placeholder = option.value {
        guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
          throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)")
        }
        values[option.name] = value
      } else {
        guard parts.count == 1 else { throw UsageError("--\(option.name) takes no value, found \(word)") }
        values[option.name] = ""
      }
    }
    guard operands.count == names.count else {
      let found = operands.isEmpty ? "nothing" : operands.joined(separator: " ")
      throw UsageError("odometer \(command) takes \(names.joined(separator: " ")), found \(found)")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func text(_ name: String) -> String? { values[name] }

  func required(_ name: String, _ placeholder: String) throws -> String {
    guard let value = values[name] else { throw UsageError("--\(name) \(placeholder) is missing") }
    return value
  }

  func count(_ name: String, atMost most: Int = 1024) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), (1...most).contains(number) else {
      throw UsageError("--\(name): found \(text), allowed: a whole number from 1 to \(most)")
    }
    return number
  }

  func choice(_ name: String, of choices: [String]) throws -> String? {
    guard let text = values[name] else { return nil }
    guard choices.contains(text) else {
      throw UsageError("--\(name): found \(text), allowed: \(choices.joined(separator: ", "))")
    }
    return text
  }

  private static func isNumber(_ word: String) -> Bool {
    guard let second = word.dropFirst().first else { return false }
    return second.isNumber || second == "."
  }
}

/// Wrong words on the command line, as one sentence.
struct UsageError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
