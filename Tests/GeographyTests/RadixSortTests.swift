import Geography
import Testing

struct RadixSortTests {
  /// Short arrays are sorted by another method; bits that all values share are skipped.
  @Test(arguments: [0, 1, 100, 2049, 30_000], [1, 11, 33, 64]) func sortsLikeTheStandardLibrary(count: Int, bits: Int) {
    var random = SeededGenerator(seed: UInt64(count * 100 + bits))
    var keys = (0..<count).map { _ in UInt64.random(in: 0...UInt64.max >> UInt64(64 - bits), using: &random) }
    let expected = keys.sorted()
    keys.radixSort()
    #expect(keys == expected)
  }

  @Test func sortsValuesThatDifferOnlyInHighBits() {
    var keys = (0..<5000).map { UInt64($0 * 7919 % 5000) << 45 | 5 }
    let expected = keys.sorted()
    keys.radixSort()
    #expect(keys == expected)
  }
}
