import Tables

/// Names, each with its number in the order in which they came.
struct NumberedNames: Sendable {
  private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]

  mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  /// Nil for a name that has not come.
  subscript(name: String) -> Int? { numbers[name] }
}
