import Tables

/// One of the parts into which a job is divided: whole chunks, which are cut by the job alone.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// From 0.
  package let index: Int
  package let count: Int

  /// More would have no chunk each.
  package static let most = 100_000

  /// Nil unless there is such a shard.
  package init?(index: Int, count: Int) {
    guard (1...Shard.most).contains(count), (0..<count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Of a text like "2/8"; nil for any other.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(index: index, count: count)
  }

  package var description: String { "\(index)/\(count)" }

  /// Its share of so many chunks: all shards have equally many, or one more.
  package func range(of chunks: Int) -> Range<Int> { index * chunks / count..<(index + 1) * chunks / count }

  /// The name of its folder within the job's.
  package var folderName: String {
    func padded(_ number: Int) -> String {
      String(repeating: "0", count: 5 - min(5, String(number).count)) + String(number)
    }
    return "shard-\(padded(index))-of-\(padded(count))"
  }
}
