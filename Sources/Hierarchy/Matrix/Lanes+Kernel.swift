// The operations of a sweep on one state, for many points at once: one lane per point. Each type consists of one or two
// 64-byte vectors. `replace(with:where:)` compiles to vpminud for 32-bit lanes, and to a signed compare and a blend for
// 64-bit lanes (in Swift 6.3, `pointwiseMin` does not, and SIMD32 is not vectorized at all).

/// The values of one state in all lanes.
protocol Lanes: BitwiseCopyable {
  /// The value of a lane: milliseconds, or a weight.
  associatedtype Value: FixedWidthInteger & BitwiseCopyable
  /// The number of lanes: a multiple of 8, at most 32.
  static var count: Int { get }
  static var infinity: Self { get }
  static func value(of weight: Weight) -> Value
  /// Lowers each lane to `other` plus the arc's weight, if that is less.
  mutating func lower(to other: Self, plus arc: UpwardArc)
  /// Writes `count` times in milliseconds and, if the lanes have lengths, `count` lengths in centimetres.
  func write(milliseconds: UnsafeMutablePointer<UInt32>, centimetres: UnsafeMutablePointer<UInt32>)
  static var hasLengths: Bool { get }
}

struct TimeLanes16: Lanes {
  private var times: SIMD16<UInt32>

  static let count = 16
  static let hasLengths = false

  @inline(__always)
  static var infinity: TimeLanes16 { TimeLanes16(times: SIMD16(repeating: Weight.infinity.milliseconds)) }

  @inline(__always)
  static func value(of weight: Weight) -> UInt32 { weight.milliseconds }

  @inline(__always)
  mutating func lower(to other: TimeLanes16, plus arc: UpwardArc) {
    let sum = other.times &+ SIMD16(repeating: arc.milliseconds)
    times.replace(with: sum, where: sum .< times)
  }

  @inline(__always)
  func write(milliseconds: UnsafeMutablePointer<UInt32>, centimetres: UnsafeMutablePointer<UInt32>) {
    UnsafeMutableRawPointer(milliseconds).storeBytes(of: times, as: SIMD16<UInt32>.self)
  }
}

struct TimeLanes32: Lanes {
  private var low: TimeLanes16
  private var high: TimeLanes16

  static let count = 32
  static let hasLengths = false

  @inline(__always)
  static var infinity: TimeLanes32 { TimeLanes32(low: .infinity, high: .infinity) }

  @inline(__always)
  static func value(of weight: Weight) -> UInt32 { weight.milliseconds }

  @inline(__always)
  mutating func lower(to other: TimeLanes32, plus arc: UpwardArc) {
    low.lower(to: other.low, plus: arc)
    high.lower(to: other.high, plus: arc)
  }

  @inline(__always)
  func write(milliseconds: UnsafeMutablePointer<UInt32>, centimetres: UnsafeMutablePointer<UInt32>) {
    low.write(milliseconds: milliseconds, centimetres: centimetres)
    high.write(milliseconds: milliseconds + 16, centimetres: centimetres)
  }
}

/// 16 lanes of packed weights, compared by time, then by length.
struct WeightLanes16: Lanes {
  // In the form of `Weight.signed`.
  private var low: SIMD8<Int64>
  private var high: SIMD8<Int64>

  static let count = 16
  static let hasLengths = true

  @inline(__always)
  static var infinity: WeightLanes16 {
    let infinity = SIMD8(repeating: Weight.infinity.signed)
    return WeightLanes16(low: infinity, high: infinity)
  }

  @inline(__always)
  static func value(of weight: Weight) -> Int64 { weight.signed }

  @inline(__always)
  mutating func lower(to other: WeightLanes16, plus arc: UpwardArc) {
    let weight = SIMD8(repeating: Int64(bitPattern: arc.packed))
    let (a, b) = (other.low &+ weight, other.high &+ weight)
    low.replace(with: a, where: a .< low)
    high.replace(with: b, where: b .< high)
  }

  @inline(__always)
  func write(milliseconds: UnsafeMutablePointer<UInt32>, centimetres: UnsafeMutablePointer<UInt32>) {
    // In memory, the centimetres of a weight precede its milliseconds.
    let (a, b) = (unsafeBitCast(low, to: SIMD16<UInt32>.self), unsafeBitCast(high, to: SIMD16<UInt32>.self))
    let lengths = SIMD16(lowHalf: a.evenHalf, highHalf: b.evenHalf)
    let times = SIMD16(lowHalf: a.oddHalf, highHalf: b.oddHalf) ^ SIMD16(repeating: 1 << 31)
    UnsafeMutableRawPointer(milliseconds).storeBytes(of: times, as: SIMD16<UInt32>.self)
    UnsafeMutableRawPointer(centimetres).storeBytes(of: lengths, as: SIMD16<UInt32>.self)
  }
}

/// Transposes 8 x 8 values in registers: the same perfect shuffle three times.
@inline(__always)
func transpose8x8(
  from source: UnsafePointer<UInt32>, stride: Int, to row: (Int) -> UnsafeMutablePointer<UInt32>
) {
  @inline(__always)
  func load(_ index: Int) -> SIMD8<UInt32> {
    UnsafeRawPointer(source + index &* stride).loadUnaligned(as: SIMD8<UInt32>.self)
  }
  @inline(__always)
  func interleave(_ a: SIMD8<UInt32>, _ b: SIMD8<UInt32>) -> (SIMD8<UInt32>, SIMD8<UInt32>) {
    var (low, high) = (SIMD8<UInt32>(), SIMD8<UInt32>())
    (low.evenHalf, low.oddHalf) = (a.lowHalf, b.lowHalf)
    (high.evenHalf, high.oddHalf) = (a.highHalf, b.highHalf)
    return (low, high)
  }
  var (r0, r1, r2, r3) = (load(0), load(1), load(2), load(3))
  var (r4, r5, r6, r7) = (load(4), load(5), load(6), load(7))
  for _ in 0..<3 {
    let ((a, b), (c, d)) = (interleave(r0, r4), interleave(r1, r5))
    let ((e, f), (g, h)) = (interleave(r2, r6), interleave(r3, r7))
    (r0, r1, r2, r3, r4, r5, r6, r7) = (a, b, c, d, e, f, g, h)
  }
  @inline(__always)
  func store(_ vector: SIMD8<UInt32>, _ index: Int) {
    UnsafeMutableRawPointer(row(index)).storeBytes(of: vector, as: SIMD8<UInt32>.self)
  }
  store(r0, 0)
  store(r1, 1)
  store(r2, 2)
  store(r3, 3)
  store(r4, 4)
  store(r5, 5)
  store(r6, 6)
  store(r7, 7)
}
