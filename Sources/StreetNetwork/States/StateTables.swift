import Geography
import Hierarchy

/// What restrictions trips can be in the middle of, by index; 0 is none.
struct ContextTable {
  struct Item: Hashable {
    var pattern: Int
    /// The streets of the pattern that were travelled, but the first.
    var progress: Int
  }

  private var contexts = Interner<[Item]>([[]])

  subscript(index: UInt32) -> [Item] { contexts[Int(index)] }

  mutating func index(of items: [Item]) -> UInt32 { UInt32(contexts.index(of: items)) }

  /// What remains in the middle behind a turn into `street`.
  func advanced(
    _ active: [Item], into street: DirectedStreet, _ patterns: [RestrictedTurns.Pattern]
  ) -> [Item] {
    active.compactMap { item in
      let (streets, progress) = (patterns[item.pattern].streets, item.progress + 1)
      guard progress <= streets.count - 2, streets[progress] == street else { return nil }
      return Item(pattern: item.pattern, progress: progress)
    }
  }
}

/// Sets of conditions' texts, by index; 0 is the empty set.
struct ConditionSets {
  private var interned = Interner<String>()
  private var sets = Interner<[UInt32]>([[]])

  var texts: [String] { interned.values }

  subscript(index: UInt32) -> [UInt32] { sets[Int(index)] }

  mutating func index(of texts: [String]) -> UInt32 {
    texts.isEmpty ? 0 : UInt32(sets.index(of: texts.map { index(ofText: $0) }))
  }

  mutating func index(ofText text: String) -> UInt32 { UInt32(interned.index(of: text)) }
}
