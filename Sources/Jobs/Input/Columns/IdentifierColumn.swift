import Tables

/// Ids: eight bytes each, and the texts of those that are no numbers.
struct IdentifierColumn: Sendable {
  /// The number, or the index of its text.
  private var numbers = BlockColumn<Int64>()
  /// Whether it is a text; empty as long as none is.
  private var areTexts = BlockColumn<Bool>()
  private var texts = TextColumn()

  var count: Int { numbers.count }
  var hasTexts: Bool { texts.count > 0 }

  mutating func append(_ id: Identifier) {
    switch id {
    case .number(let number):
      if hasTexts { areTexts.append(false) }
      numbers.append(number)
    case .text(let text):
      if !hasTexts { areTexts = BlockColumn(repeating: false, count: count) }
      areTexts.append(true)
      numbers.append(Int64(texts.count))
      texts.append(text)
    }
  }

  subscript(index: Int) -> Identifier {
    hasTexts && areTexts[index] ? .text(texts[Int(numbers[index])]) : .number(numbers[index])
  }
}
