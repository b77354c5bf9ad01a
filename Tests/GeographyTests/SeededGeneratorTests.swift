import Geography
import Testing

struct SeededGeneratorTests {
  /// The first values of Vigna's original splitmix64.c for seed 1234567.
  @Test func generatesTheNumbersOfSplitMix64() {
    var random = SeededGenerator(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
