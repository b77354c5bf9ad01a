import Hierarchy
import Tables

/// The ids of a file's rows, for finding duplicates.
///
/// Rows with ascending numbers as ids need no memory, others five to ten bytes each: the ids themselves are in the
/// rows.
struct UsedIdentifiers: Sendable {
  private let rule: DuplicateRule
  /// The unit of rows, for messages.
  private let unit: RowUnit
  private var lines = LineColumn()
  private var count = 0
  private var largest = Int64.min
  /// A hash table of row indices plus one, 0 for none; empty as long as ids ascend.
  private var slots: [UInt32] = []
  /// The last number given to a duplicate of a row's id, by row index.
  private var numbers: [Int: Int] = [:]
  /// The rows with a generated id.
  private var numbered: Set<Int> = []

  init(_ rule: DuplicateRule, _ unit: RowUnit) { (self.rule, self.unit) = (rule, unit) }

  /// Returns the id under which to keep the next row. *Throws*: the reason why it is rejected.
  ///
  /// - Parameter rows: The previously kept rows.
  mutating func record(_ id: Identifier, line: Int, after rows: some IdentifiedRows) throws(RowProblem) -> Identifier {
    var kept = id
    if let first = index(of: id, in: rows) {
      guard !numbered.contains(first) else {
        throw RowProblem(
          "the id \(RowProblem.excerpt(id)) was generated for \(unit) \(lines[first]), a duplicate; "
            + "expected an id that differs from generated ones")
      }
      guard rule == .number else {
        throw RowProblem(
          "the id \(RowProblem.excerpt(id)) is already used by \(unit) \(lines[first]); "
            + "expected each id once (duplicates: \"number\" keeps all)")
      }
      var number = numbers[first] ?? 1
      repeat {
        number += 1
        kept = .text("\(id)#\(number)")
      } while index(of: kept, in: rows) != nil
      numbers[first] = number
      numbered.insert(count)
    }
    lines.append(line, at: count)
    insert(kept, rows)
    return kept
  }

  /// Counts a row without an id.
  mutating func skip(line: Int) {
    lines.append(line, at: count)
    count += 1
  }

  /// Returns the row with an id; nil if there is none.
  private mutating func index(of id: Identifier, in rows: some IdentifiedRows) -> Int? {
    if slots.isEmpty {
      if count == 0 || isAbove(id) { return nil }
      grow(rows)
    }
    var slot = slot(of: id)
    while slots[slot] > 0 {
      let index = Int(slots[slot]) - 1
      if rows.identifier(at: index) == id { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private mutating func insert(_ id: Identifier, _ rows: some IdentifiedRows) {
    if slots.isEmpty, isAbove(id), case .number(let number) = id {
      (largest, count) = (number, count + 1)
      return
    }
    if (count + 1) * 5 > slots.count * 4 { grow(rows) }
    put(count, at: slot(of: id))
    count += 1
  }

  private func isAbove(_ id: Identifier) -> Bool {
    if case .number(let number) = id { number > largest } else { false }
  }

  private func slot(of id: Identifier) -> Int { id.hashValue & (slots.count - 1) }

  private mutating func put(_ index: Int, at start: Int) {
    var slot = start
    while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(index + 1)
  }

  private mutating func grow(_ rows: some IdentifiedRows) {
    var size = 64
    while (count + 1) * 5 > size * 2 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    for index in 0..<count { put(index, at: slot(of: rows.identifier(at: index))) }
  }
}

protocol IdentifiedRows {
  func identifier(at index: Int) -> Identifier
}

extension InputPairs: IdentifiedRows {}

extension [InputPlace]: IdentifiedRows {
  func identifier(at index: Int) -> Identifier { self[index].id }
}

/// The lines of rows, by row index; for rows on consecutive lines, only the first is stored.
struct LineColumn: Sendable {
  private var runs: [(index: Int, line: Int)] = []

  /// - Parameter index: The row's index, one more than the previous row's.
  mutating func append(_ line: Int, at index: Int) {
    if let last = runs.last, last.line + index - last.index == line { return }
    runs.append((index, line))
  }

  subscript(index: Int) -> Int {
    let run = runs[runs.indices.partitionPoint { runs[$0].index > index } - 1]
    return run.line + index - run.index
  }
}
