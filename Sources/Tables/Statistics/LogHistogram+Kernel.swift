// A number's bucket is the upper bits of its 32-bit float: one conversion, shift and increment per number, no branches.

/// The distribution of millions of whole numbers in little memory: exact count, sum, minimum and maximum, and quantiles
/// within 0.1 %.
///
/// A histogram whose buckets widen with the numbers, 1,024 per doubling (similar to G. Tene's HdrHistogram). Adding
/// histograms is exact, so the result does not depend on the number of threads.
package struct LogHistogram: Sendable {
  package private(set) var count = 0
  private var sum: UInt64 = 0
  private var minimum = UInt32.max
  private var maximum = UInt32.min
  /// The bucket for zero, followed by the buckets for one to 2^32.
  private var buckets = [Int](repeating: 0, count: LogHistogram.bucketCount)

  private static let bucketCount = 1 + 33 << 10
  /// The maximum count, chosen so that the counts of all shards can be added without overflow.
  private static let maximumCount = 1 << 44
  /// The number of ignored mantissa bits.
  private static let droppedBits: UInt32 = 13
  /// One less than the bucket of the number one.
  private static let base = Float(1).bitPattern >> droppedBits - 1

  package init() {}

  private static func middle(_ bucket: Int) -> Double {
    guard bucket > 0 else { return 0 }
    let low = (UInt32(bucket) + base) << droppedBits
    return (Double(Float(bitPattern: low)) + Double(Float(bitPattern: low + 1 << droppedBits))) / 2
  }

  /// Counts the values of a row, except the one in `column` and values without a route, whose `times` are at least
  /// `missing`.
  package mutating func add(
    _ values: UnsafeBufferPointer<UInt32>, times: UnsafeBufferPointer<UInt32>, missing: UInt32, except column: Int?
  ) {
    guard let column else { return add(values, times: times, missing: missing) }
    for part in [0..<column, column + 1..<values.count] {
      add(.init(rebasing: values[part]), times: .init(rebasing: times[part]), missing: missing)
    }
  }

  /// Counts the values of a row, except values without a route, whose `times` are at least `missing`.
  package mutating func add(
    _ values: UnsafeBufferPointer<UInt32>, times: UnsafeBufferPointer<UInt32>, missing: UInt32
  ) {
    precondition(values.count == times.count, "rows of different lengths")
    var vectorized = 0
    if LogHistogram.maximum(of: times) < missing {
      vectorized = values.count & ~7
      addVectors(values, vectorized)
    }
    for index in vectorized..<values.count where times[index] < missing { add(values[index]) }
  }

  /// Counts a value.
  package mutating func add(_ value: UInt32) {
    count += 1
    sum += UInt64(value)
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    buckets[value == 0 ? 0 : Int(Float(value).bitPattern >> LogHistogram.droppedBits - LogHistogram.base)] += 1
  }

  /// Returns the maximum of the values; zero if there are none. Branch-free, so that the loop is vectorized.
  private static func maximum(of values: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var maximum: UInt32 = 0
    for value in values { maximum = max(maximum, value) }
    return maximum
  }

  /// Counts the first `vectorized` values; `vectorized` is a multiple of eight.
  private mutating func addVectors(_ values: UnsafeBufferPointer<UInt32>, _ vectorized: Int) {
    guard vectorized > 0, let start = UnsafeRawPointer(values.baseAddress) else { return }
    let (low, high, sums) = buckets.withUnsafeMutableBufferPointer { buckets in
      // Local variables: captured ones would be kept in memory.
      var (low, high) = (SIMD8<UInt32>(repeating: .max), SIMD8<UInt32>(repeating: 0))
      var sums = SIMD8<UInt64>(repeating: 0)
      let base = Int(LogHistogram.base)
      for index in stride(from: 0, to: vectorized, by: 8) {
        let eight = (start + index &* 4).loadUnaligned(as: SIMD8<UInt32>.self)
        low.replace(with: eight, where: eight .< low)
        high.replace(with: eight, where: eight .> high)
        sums &+= SIMD8<UInt64>(truncatingIfNeeded: eight)
        for lane in 0..<8 {
          // Signed numbers are converted in one instruction; times and lengths of routes are below 2^31.
          let bits = Float(Int32(bitPattern: values[index &+ lane])).bitPattern
          buckets[max(0, Int(bits &>> LogHistogram.droppedBits) &- base)] &+= 1
        }
      }
      return (low, high, sums)
    }
    count += vectorized
    sum += sums.wrappedSum()
    minimum = min(minimum, low.min())
    maximum = max(maximum, high.max())
  }

  package mutating func add(_ other: LogHistogram) {
    count += other.count
    sum &+= other.sum
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    for (bucket, count) in other.buckets.enumerated() where count > 0 { buckets[bucket] += count }
  }

  /// Returns a statistic and a histogram, with every number divided by `scale`; nil if there are no numbers.
  package func measures(_ measure: Statistic.Measure, scale: Double) -> Measures? {
    guard let statistic = statistic(measure, scale: scale) else { return nil }
    var histogram = Histogram(
      scope: "job", measure, minimum: Double(minimum) / scale, p99: quantiles([0.99])[0] / scale,
      maximum: Double(maximum) / scale)
    for (bucket, count) in buckets.enumerated() where count > 0 {
      histogram.add(clamped(LogHistogram.middle(bucket)) / scale, count: count)
    }
    return Measures(statistic, histogram)
  }

  /// Returns a statistic, with every number divided by `scale`; nil if there are no numbers.
  package func statistic(_ measure: Statistic.Measure, scale: Double) -> Statistic? {
    guard count > 0 else { return nil }
    return Statistic(
      scope: "job", measure: measure, count: count, mean: Double(sum) / Double(count) / scale,
      quantiles: quantiles(Statistic.quantileOrder).map { $0 / scale })
  }

  /// Returns the quantiles for ascending shares from 0 (minimum) to 1 (maximum), interpolated between ranks like those
  /// of listed values.
  private func quantiles(_ shares: [Double]) -> [Double] {
    var (bucket, before) = (0, 0)
    return shares.map { share in
      if share == 0 { return Double(minimum) }
      if share == 1 { return Double(maximum) }
      let position = share * Double(count - 1)
      let rank = Int(position)
      while before + buckets[bucket] <= rank {
        before += buckets[bucket]
        bucket += 1
      }
      let lower = clamped(LogHistogram.middle(bucket))
      guard rank + 1 < count, before + buckets[bucket] <= rank + 1 else { return lower }
      let next = buckets[(bucket + 1)...].firstIndex { $0 > 0 } ?? bucket
      return lower + (position - Double(rank)) * (clamped(LogHistogram.middle(next)) - lower)
    }
  }

  private func clamped(_ value: Double) -> Double { min(max(value, Double(minimum)), Double(maximum)) }

  // MARK: Serialization

  /// The serialized histogram, for resuming: count, sum, minimum and maximum, then each non-empty bucket's distance
  /// from the previous one and its count.
  package var bytes: [UInt8] {
    var journal = JournalWriter()
    for number in [UInt64(count), sum, UInt64(minimum), UInt64(maximum)] { journal.put(unsigned: number) }
    var before = 0
    for (bucket, count) in buckets.enumerated() where count > 0 {
      journal.put(unsigned: UInt64(bucket - before))
      journal.put(unsigned: UInt64(count))
      before = bucket
    }
    return journal.bytes
  }

  /// Restores a serialized histogram; nil for invalid bytes.
  package init?(bytes: [UInt8]) {
    var journal = JournalReader(bytes)
    func next<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
      (try? journal.takeUnsigned()).flatMap(Number.init(exactly:))
    }
    guard let count = next(Int.self), let sum = next(UInt64.self), let minimum = next(UInt32.self),
      let maximum = next(UInt32.self)
    else { return nil }
    (self.count, self.sum, self.minimum, self.maximum) = (count, sum, minimum, maximum)
    var (bucket, found) = (0, 0)
    while !journal.isAtEnd {
      guard let step = next(Int.self), let count = next(Int.self), step >= 0, step < buckets.count - bucket,
        (1...LogHistogram.maximumCount).contains(count)
      else { return nil }
      bucket += step
      // If a bucket occurred twice, its first count would be lost.
      guard buckets[bucket] == 0 else { return nil }
      buckets[bucket] = count
      found += count
    }
    guard found == count, count <= LogHistogram.maximumCount else { return nil }
  }
}

extension LogHistogram: Journaled {
  package func write(to journal: inout JournalWriter) { journal.put(bytes: bytes) }

  package init(from journal: inout JournalReader) throws {
    guard let histogram = LogHistogram(bytes: Array(try journal.takeBytes())) else { throw JournalReader.Failure() }
    self = histogram
  }
}
