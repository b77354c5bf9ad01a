/// An option of a command: `--name`, or `--name VALUE`.
struct Option: Hashable {
  var name: String
  /// The placeholder for the value in help; nil for a flag.
  var placeholder: String?
  var values: ArgumentValues
  var help: String

  /// Creates a flag.
  init(_ name: String, help: String) { self.init(name, nil, .any, help: help) }

  init(_ name: String, _ placeholder: String?, _ values: ArgumentValues = .any, help: String) {
    (self.name, self.placeholder, self.values, self.help) = (name, placeholder, values, help)
  }

  /// The option as shown in usage: "--workers N".
  var usage: String { "--\(name)\(placeholder.map { " \($0)" } ?? "")" }
}

/// A positional argument.
struct Operand: Hashable {
  var name: String
  var values: ArgumentValues
  var isOptional = false
  /// Whether the operand may be repeated; only for the last one.
  var isRepeated = false

  init(_ name: String, _ values: ArgumentValues = .any, isOptional: Bool = false, isRepeated: Bool = false) {
    (self.name, self.values, self.isOptional, self.isRepeated) = (name, values, isOptional, isRepeated)
  }

  var usage: String { isOptional ? "[\(name)]" : isRepeated ? "\(name)…" : name }
}

/// The possible values of an argument, for completion by a shell.
enum ArgumentValues: Hashable {
  case any
  case file
  case folder
  /// One of these words.
  case choice([String])
}
