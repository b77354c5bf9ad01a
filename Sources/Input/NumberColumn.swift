import Foundation
import Geography

/// The numbers of a column as people write them: `1,234.5` with commas between thousands, or, where semicolons separate
/// fields, `1.234,5` with a decimal comma. What cannot be told is kept, to refuse the column by it.
package struct NumberColumn {
  let name: String
  private let unit: RowUnit
  /// Whether a comma is the decimal one.
  private let hasDecimalCommas: Bool
  private var count = 0
  private var missing = Fields()
  private var texts = Fields()
  private var negative = Fields()
  /// Numbers that can be read in two ways.
  private var odd = Fields()
  /// Those with a point and no comma between semicolons, which are odd where others of the column have decimal commas, and where
  /// all of them may be thousands.
  private var pointed = Fields()
  private var (hasCommas, hasPlainPoints) = (false, false)

  /// Some fields of a column, the first ones as they are.
  private struct Fields {
    var count = 0
    var first: [(row: Int, text: String)] = []

    mutating func append(_ row: Int, _ text: String) {
      count += 1
      if first.count < 3 { first.append((row, text)) }
    }

    func words(_ unit: RowUnit) -> String {
      first.map { "\(unit) \($0.row) \"\(RowProblem.excerpt($0.text))\"" }.joined(separator: ", ")
    }
  }

  /// What people write where there is no value.
  private static let missing: Set<String> = [
    "", "n/a", "#n/a", "na", "n.a.", "nan", "null", "none", "nil", "-", "–", "—", ".",
  ]

  package init(_ name: String, unit: RowUnit = .line, decimalCommas: Bool = false) {
    (self.name, self.unit, hasDecimalCommas) = (name, unit, decimalCommas)
  }

  /// The number in a field; NaN where there is no value, infinity for what is not a number, or not a certain one.
  package mutating func number(_ field: String, row: Int) -> Double {
    count += 1
    if let number = Double(decimal: field), number.isFinite {
      if number < 0 { negative.append(row, field) }
      if hasDecimalCommas, field.contains(".") {
        pointed.append(row, field)
        if NumberColumn.number(field, thousands: ".", decimal: ",") == nil { hasPlainPoints = true }
      }
      return number
    }
    if NumberColumn.missing.contains(field.lowercased()) {
      missing.append(row, field)
      return .nan
    }
    let (thousands, decimal): (Character, Character) = hasDecimalCommas ? (".", ",") : (",", ".")
    if let number = NumberColumn.number(field, thousands: thousands, decimal: decimal) {
      hasCommas = true
      return number
    }
    let isOdd = NumberColumn.number(field, thousands: decimal, decimal: thousands) != nil
    if isOdd { odd.append(row, field) } else { texts.append(row, field) }
    return .infinity
  }

  /// What a row counts; nil where it does not say. *Throws*: why it counts nothing.
  mutating func weight(_ field: String, row: Int) throws(RowProblem) -> Double? {
    let weight = number(field, row: row)
    if weight.isNaN { return nil }
    guard weight.isFinite, weight >= 0 else {
      throw RowProblem("\(name): got \"\(RowProblem.excerpt(field))\", expected a number from 0")
    }
    return weight
  }

  /// Whether all fields say a number from 0 or nothing, and some a number.
  var isWeight: Bool { odd.count + texts.count + negative.count == 0 && missing.count < count }

  /// What is wrong with a column of numbers some of which cannot be told; nil for others.
  func problem(in file: String) -> InputError? {
    let unclear = pointed.count > 0 && (hasCommas || !hasPlainPoints) ? pointed : odd
    guard texts.count == 0, unclear.count > 0 else { return nil }
    let expected =
      hasDecimalCommas
      ? "one way of writing decimals; with semicolons between fields commas are decimals"
      : "numbers such as 1234.5 or 1,234.5; commas are decimals where semicolons separate fields"
    return InputError(file: file, problem: "column \(name): got \(unclear.words(unit)), expected \(expected)")
  }

  /// What whoever runs the job should know of a column of weights: how many of its fields say nothing, or why it is none.
  func note(on file: String) -> String? {
    texts.count + negative.count == 0
      ? missingNote(on: file) : "\(file): column \(name) is not a weight, for \(noNumbers)"
  }

  /// Which of its fields are not numbers, or negative; that all are empty.
  var noNumbers: String {
    if texts.count > 0 { return "\(texts.count) of \(count) are not numbers (\(texts.words(unit)))" }
    return negative.count > 0
      ? "\(negative.count) of \(count) are negative (\(negative.words(unit)))" : "none of \(count) has a value"
  }

  /// How many fields say nothing; nil where all say something.
  func missingNote(on file: String) -> String? {
    guard missing.count > 0 else { return nil }
    return "\(file): column \(name): \(missing.count) of \(count) have no value (\(missing.words(unit)))"
  }

  /// A number with marks of these kinds; nil where it has none, or not as they are written.
  private static func number(_ field: String, thousands: Character, decimal: Character) -> Double? {
    let parts = field.split(separator: decimal, omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.dropFirst().allSatisfy({ isDigits($0, 1...17) }) else { return nil }
    let groups = parts[0].split(separator: thousands, omittingEmptySubsequences: false)
    guard parts.count + groups.count > 2, let first = groups.first else { return nil }
    let digits = first.first.map { "+-".contains($0) } == true ? first.dropFirst() : first
    let isGrouped = groups.count > 1
    guard isDigits(digits, 1...(isGrouped ? 3 : 17)), !(isGrouped && digits.first == "0"),
      groups.dropFirst().allSatisfy({ isDigits($0, 3...3) })
    else { return nil }
    return Double(groups.joined() + (parts.count == 2 ? ".\(parts[1])" : ""))
  }

  private static func isDigits(_ text: Substring, _ counts: ClosedRange<Int>) -> Bool {
    counts.contains(text.count) && text.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
