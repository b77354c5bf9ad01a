/// Travel time divided by free-flow time: 1 is free flow, 2 takes twice as long. A multiple of 1/65,536.
public struct Slowness: Hashable, Sendable, BitwiseCopyable {
  /// The value times 65,536; `closed` for stopped traffic.
  public let bits: UInt32

  /// An eighth of the free-flow time.
  public static let minimum = Slowness(bits: 1 << 13)
  /// Free flow.
  public static let one = Slowness(bits: 1 << 16)
  /// 64 times the free-flow time.
  public static let maximum = Slowness(bits: 1 << 22)
  /// Traffic is stopped: vehicles on the street wait for the next period.
  public static let closed = Slowness(bits: .max)

  /// The slowness with these bits, which must be in the range from `minimum` to `maximum`, or `closed`.
  public init(bits: UInt32) {
    precondition((1 << 13...1 << 22).contains(bits) || bits == .max, "a slowness is from 1/8 to 64")
    self.bits = bits
  }

  /// The nearest representable slowness between `minimum` and `maximum`, in steps of 1/4096.
  public init(_ value: Double) {
    let units = (max(1.0 / 8, min(64, value)) * 4096).rounded()
    self.init(bits: UInt32(units) << 4)
  }

  /// The slowness as a number; infinity if traffic is stopped.
  public var value: Double { self == .closed ? .infinity : Double(bits) / 65_536 }
  /// Returns the milliseconds for an amount of work, in 1/256 ms of free flow, rounded up. Not for `closed`.
  package func milliseconds(ofWork work: UInt64) -> UInt64 { (work * UInt64(bits) + 0xFF_FFFF) >> 24 }
  /// The work done per unit of time, in units of 2^-24, rounded down.
  var pace: UInt32 { self == .closed ? 0 : UInt32((1 << 40) / UInt64(bits)) }
}
