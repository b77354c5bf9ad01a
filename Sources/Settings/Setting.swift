/// A value of a settings file.
package enum Setting {
  /// With the line of each key.
  case object([String: Setting], keyLines: [String: Int])
  case list([Setting])
  case text(String)
  case number(Double)
  case bool(Bool)
  case null
}

extension Setting {
  /// As a message shows it.
  var shown: String {
    switch self {
    case .object: "an object"
    case .list: "a list"
    case .text(let text): "\"\(text)\""
    case .number(let number): Setting.text(of: number)
    case .bool(let bool): bool ? "true" : "false"
    case .null: "null"
    }
  }

  /// Whole numbers without a fraction: "3", "0.5".
  package static func text(of number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }
}
