/// The weights of an arc, or what they stand for, in one metric or in several: a vector of 64-bit words. Finding an arc
/// costs more than adding its weights, so that eight metrics take about as long as one.
protocol MetricLanes: BitwiseCopyable, SendableMetatype {
  static var count: Int { get }
  /// The same word in all lanes.
  init(repeating word: Int64)
  /// Takes the sum of two weights where it is less, and `mark` as what it stands for.
  mutating func lower(to a: Self, plus b: Self, marking marks: inout Self, _ mark: Int64)
}

/// One metric.
struct OneMetric: MetricLanes {
  // As `Weight.signed`; of the sum of two such numbers the sign is turned again.
  private var word: Int64

  static let count = 1

  @inline(__always)
  init(repeating word: Int64) { self.word = word }

  @inline(__always)
  mutating func lower(to a: OneMetric, plus b: OneMetric, marking marks: inout OneMetric, _ mark: Int64) {
    let sum = (a.word &+ b.word) ^ .min
    guard sum < word else { return }
    word = sum
    marks.word = mark
  }
}

/// Eight metrics.
struct EightMetrics: MetricLanes {
  private var words: SIMD8<Int64>

  static let count = 8

  @inline(__always)
  init(repeating word: Int64) { words = SIMD8(repeating: word) }

  @inline(__always)
  mutating func lower(to a: EightMetrics, plus b: EightMetrics, marking marks: inout EightMetrics, _ mark: Int64) {
    let sum = (a.words &+ b.words) ^ SIMD8(repeating: .min)
    let isLess = sum .< words
    words.replace(with: sum, where: isLess)
    marks.words.replace(with: SIMD8(repeating: mark), where: isLess)
  }
}
