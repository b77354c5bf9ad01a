import Foundation
import Geography

/// A parser for the numbers of a column in common formats: `1,234.5` with commas between thousands or, if semicolons
/// separate fields, `1.234,5` with a decimal comma. It keeps ambiguous numbers for the message if the column is
/// rejected.
package struct NumberColumn {
  /// The name as an excerpt.
  let name: String
  private let unit: RowUnit
  /// Whether commas are decimal commas.
  private let hasDecimalCommas: Bool
  private var count = 0
  private var missing = Fields()
  private var nonNumeric = Fields()
  private var negative = Fields()
  private var ambiguous = Fields()
  /// Numbers with a point and no comma in a file separated by semicolons: ambiguous if other numbers of the column are
  /// written with decimal commas, or if every point may separate thousands.
  private var withPoint = Fields()
  private var (hasCommas, hasDecimalPoints) = (false, false)

  /// The first fields of a column, verbatim.
  struct Fields {
    var count = 0
    var first: [(row: Int, text: String)] = []

    mutating func append(_ row: Int, _ text: String) {
      count += 1
      if first.count < 3 { first.append((row, text)) }
    }

    func examples(_ unit: RowUnit) -> String {
      first.map { "\(unit) \($0.row) \"\(RowProblem.excerpt($0.text))\"" }.joined(separator: ", ")
    }
  }

  /// Notations for missing values, in lower case.
  private static let missing: Set<String> = [
    "", "n/a", "#n/a", "na", "n.a.", "nan", "null", "none", "nil", "-", "–", "—", ".",
  ]

  package init(_ name: String, unit: RowUnit = .line, decimalCommas: Bool = false) {
    (self.name, self.unit, hasDecimalCommas) = (RowProblem.excerpt(name), unit, decimalCommas)
  }

  /// Returns the number in a field; NaN for a missing value, infinity for an ambiguous number or other text.
  package mutating func number(_ field: String, row: Int) -> Double {
    count += 1
    if let number = Double(decimal: field), number.isFinite {
      if number < 0 { negative.append(row, field) }
      if hasDecimalCommas, field.contains(".") {
        withPoint.append(row, field)
        if NumberColumn.number(field, thousands: ".", decimal: ",") == nil { hasDecimalPoints = true }
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
    let isAmbiguous = NumberColumn.number(field, thousands: decimal, decimal: thousands) != nil
    if isAmbiguous { ambiguous.append(row, field) } else { nonNumeric.append(row, field) }
    return .infinity
  }

  /// Sets the weight of a pair, or its problem if the weight is invalid.
  mutating func readWeight(_ field: String, of pair: inout PairValues, row: Int) {
    let weight = number(field, row: row)
    if weight.isNaN { return pair.missingWeight = field }
    if weight.isFinite, weight >= 0 { return pair.weight = weight }
    pair.problem = RowProblem("\(name): got \"\(RowProblem.excerpt(field))\", expected a number from 0")
  }

  /// Whether all fields are non-negative numbers or empty, and some are numbers.
  var isWeight: Bool { ambiguous.count + nonNumeric.count + negative.count == 0 && missing.count < count }

  /// Returns the error for ambiguous numbers in the column, or for a sum of its accepted rows that is not finite; nil if
  /// there is neither.
  func problem(in file: String, sum: Double) -> OdometerError? {
    if !sum.isFinite {
      return .input(file, "column \(name): the sum of its numbers is over 1.7e308; use a larger unit")
    }
    let unclear = withPoint.count > 0 && (hasCommas || !hasDecimalPoints) ? withPoint : ambiguous
    guard nonNumeric.count == 0, unclear.count > 0 else { return nil }
    let expected =
      hasDecimalCommas
      ? "one notation for decimals; commas are decimal in files separated by semicolons"
      : "numbers such as 1234.5 or 1,234.5; commas are decimal only in files separated by semicolons"
    return .input(file, "column \(name): got \(unclear.examples(unit)), expected \(expected)")
  }

  /// Returns a note about a column of weights: the number of missing values, or the reason why it is not used.
  func note(on file: String) -> String? {
    nonNumeric.count + negative.count == 0
      ? missingNote(on: file) : "\(file): column \(name) is not a weight: \(notWeightReason)"
  }

  /// The reason why the column is not a weight: fields that are not numbers or are negative, or only empty fields.
  var notWeightReason: String {
    if nonNumeric.count > 0 { return "\(nonNumeric.count) of \(count) are not numbers (\(nonNumeric.examples(unit)))" }
    return negative.count > 0
      ? "\(negative.count) of \(count) are negative (\(negative.examples(unit)))" : "none of \(count) has a value"
  }

  /// Returns a note about missing values; nil if there are none.
  ///
  /// - Parameter accepted: The missing values and the number of accepted rows, if rows were rejected afterwards.
  func missingNote(on file: String, of accepted: (missing: Fields, count: Int)? = nil) -> String? {
    let (missing, count) = accepted ?? (missing, count)
    guard missing.count > 0 else { return nil }
    return "\(file): column \(name): \(missing.count) of \(count) have no value (\(missing.examples(unit)))"
  }

  /// Returns a number with these separators; nil if the field has none, or if they are misplaced.
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

/// The unit of travel times in a file.
package enum TimeUnit: String, CaseIterable, Sendable {
  case seconds, minutes, hours
  /// Not accepted by commands: the unit of GraphHopper's routes.
  case milliseconds

  package var seconds: Double {
    switch self {
    case .seconds: 1
    case .minutes: 60
    case .hours: 3600
    case .milliseconds: 0.001
    }
  }

  /// The suffixes of column names that state this unit, without separators.
  package var endings: [String] {
    switch self {
    case .seconds: ["seconds", "second", "secs", "sec", "s"]
    case .minutes: ["minutes", "minute", "mins", "min"]
    case .hours: ["hours", "hour", "hrs", "hr", "h"]
    case .milliseconds: ["milliseconds", "millis", "ms"]
    }
  }
}
