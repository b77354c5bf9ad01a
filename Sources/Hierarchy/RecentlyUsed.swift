/// A cache of the most recently used values.
package struct RecentlyUsed<Key: Equatable, Value> {
  /// The most recently used entry is last.
  private var entries: [(key: Key, value: Value)] = []

  package init() {}

  /// Returns the value of a key, which becomes the most recently used; nil if the cache does not contain it.
  package mutating func value(for key: Key) -> Value? {
    guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
    entries.append(entries.remove(at: index))
    return entries[entries.count - 1].value
  }

  /// Adds or replaces a value, and removes the least recently used ones beyond `capacity`.
  package mutating func store(_ value: Value, for key: Key, capacity: Int) {
    entries.removeAll { $0.key == key }
    entries.append((key, value))
    entries.removeFirst(max(0, entries.count - capacity))
  }
}

extension RecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
