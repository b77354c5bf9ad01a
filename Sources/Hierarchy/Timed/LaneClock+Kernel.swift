// The rule of `StreetClock` for sixteen lanes at once, in vectors without gathers or divisions. Each iteration of an
// arc loads two cache lines of a table and takes four 32-bit products and twenty vector operations; there are 1.2 to
// 1.9 iterations per arc with periods of 15 minutes.

typealias LaneVector = SIMD16<UInt32>

/// The content of a `LaneTable`, in the search's layout.
struct LaneClock {
  let borders: UnsafePointer<UInt32>
  let depth: Int
  let rates: UnsafePointer<LaneVector>

  static let infinity = LaneVector(repeating: Weight.infinity.milliseconds)

  init(_ table: LaneTable) {
    borders = table.borders.base
    depth = table.depth
    rates = UnsafeRawPointer(table.rates.base).assumingMemoryBound(to: LaneVector.self)
  }

  /// Returns the period of an offset; `depth` for an offset beyond the table.
  @inline(__always)
  func period(of offset: UInt32) -> Int {
    var period = 0
    while period < depth && offset >= borders[period &+ 1] { period &+= 1 }
    return period
  }

  /// Returns the offsets at the end of a street of `milliseconds` for lanes at its beginning at `offsets`, all in
  /// period `first` or later. Adds to `rest` the lanes that vectors cannot handle: lanes beyond the table and, for
  /// arrivals, lanes that cross a border, since going backward needs corrections.
  @inline(__always)
  func ends(
    _ offsets: LaneVector, _ milliseconds: UInt32, _ profile: UInt32, from first: Int,
    _ direction: LaneGraph.Direction, rest: inout SIMDMask<SIMD16<Int32>>
  ) -> LaneVector {
    var result = LaneClock.infinity
    var offsets = offsets
    var work = LaneVector(repeating: milliseconds << 8)
    var pending = offsets .< LaneClock.infinity
    var period = first
    var line = rates + (Int(profile) &* depth &+ first) &* 2
    while period < depth {
      let end = LaneVector(repeating: borders[period &+ 1])
      let active = pending .& (offsets .< end)
      let sum = offsets &+ LaneClock.time(of: work, line[0])
      let isDone = active .& (sum .<= end)
      result.replace(with: sum, where: isDone)
      pending = pending .& .!isDone
      guard LaneClock.isAny(pending) else { return result }
      let crosses = active .& .!isDone
      if LaneClock.isAny(crosses) {
        if direction == .arriving {
          rest = rest .| crosses
          pending = pending .& .!crosses
          guard LaneClock.isAny(pending) else { return result }
        } else {
          work.replace(with: work &- LaneClock.done(in: end &- offsets, line[1]), where: crosses)
          offsets.replace(with: end, where: crosses)
        }
      }
      period &+= 1
      line += 2
    }
    rest = rest .| pending
    return result
  }

  /// Returns `ceil(work * slowness / 2^24)`.
  @inline(__always)
  private static func time(of work: LaneVector, _ slowness: LaneVector) -> LaneVector {
    let (even, odd) = products(work, slowness)
    let roundingUp = SIMD8<UInt64>(repeating: 0xFF_FFFF)
    return joined((even &+ roundingUp) &>> 24, (odd &+ roundingUp) &>> 24)
  }

  /// Returns `floor(time * pace / 2^16)`.
  @inline(__always)
  private static func done(in time: LaneVector, _ pace: LaneVector) -> LaneVector {
    let (even, odd) = products(time, pace)
    return joined(even &>> 16, odd &>> 16)
  }

  @inline(__always)
  private static func products(_ a: LaneVector, _ b: LaneVector) -> (even: SIMD8<UInt64>, odd: SIMD8<UInt64>) {
    let low = SIMD8<UInt64>(repeating: 0xFFFF_FFFF)
    let (a, b) = (unsafeBitCast(a, to: SIMD8<UInt64>.self), unsafeBitCast(b, to: SIMD8<UInt64>.self))
    return ((a & low) &* (b & low), (a &>> 32) &* (b &>> 32))
  }

  @inline(__always)
  private static func joined(_ even: SIMD8<UInt64>, _ odd: SIMD8<UInt64>) -> LaneVector {
    unsafeBitCast((even & SIMD8(repeating: 0xFFFF_FFFF)) | (odd &<< 32), to: LaneVector.self)
  }

  /// Returns whether any lane is set, by bisection: `any(mask)` compiles to a loop over lanes.
  @inline(__always)
  static func isAny(_ mask: SIMDMask<SIMD16<Int32>>) -> Bool {
    let all = unsafeBitCast(mask, to: SIMD8<UInt64>.self)
    let four = all.lowHalf | all.highHalf
    let two = four.lowHalf | four.highHalf
    return two.x | two.y != 0
  }

  /// Returns the minimum over the lanes, by bisection.
  @inline(__always)
  static func minimum(_ vector: LaneVector) -> UInt32 {
    var (eight, other) = (vector.lowHalf, vector.highHalf)
    eight.replace(with: other, where: other .< eight)
    var (four, more) = (eight.lowHalf, eight.highHalf)
    four.replace(with: more, where: more .< four)
    var (two, rest) = (four.lowHalf, four.highHalf)
    two.replace(with: rest, where: rest .< two)
    (other, more, rest) = (eight, four, two)
    return min(two.x, two.y)
  }
}
