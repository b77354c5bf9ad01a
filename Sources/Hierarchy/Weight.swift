/// The cost of an arc or a path: time first, then length, compared in that order.
///
///     Weight(milliseconds: 3_000, centimetres: 420) < Weight(milliseconds: 3_000, centimetres: 421)
///
/// Both values are in one 64-bit word (`milliseconds << 32 | centimetres`), so adding and comparing words adds and
/// compares pairs: every engine, and the preprocessing, works in this exact semiring. Therefore all engines agree with
/// Dijkstra's algorithm bit for bit, including lengths.
public struct Weight: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package var packed: UInt64

  @inlinable @inline(__always)
  package init(packed: UInt64) { self.packed = packed }

  /// A weight with a time and a length, at most `arcTimeLimit` and `arcLimit` for an arc.
  @inlinable public init(milliseconds: UInt32, centimetres: UInt32) {
    packed = UInt64(milliseconds) << 32 | UInt64(centimetres)
  }

  /// The time.
  @inlinable public var milliseconds: UInt32 { UInt32(truncatingIfNeeded: packed >> 32) }
  /// The length.
  @inlinable public var centimetres: UInt32 { UInt32(truncatingIfNeeded: packed) }

  /// No time and no length.
  @inlinable public static var zero: Weight { Weight(packed: 0) }

  /// Unreachable, or at least 596.5 hours. This is half of the range, so two of them can be added without a carry.
  @inlinable public static var infinity: Weight { Weight(packed: 0x7FFF_FFFF << 32) }

  /// The longest arc in centimetres: 2^28 (2,684 km).
  public static let arcLimit: UInt32 = 1 << 28
  /// The longest arc in milliseconds: 2^30 (298 hours).
  public static let arcTimeLimit: UInt32 = 1 << 30

  /// Whether there is a path: the weight is less than `infinity`.
  @inlinable public var isFinite: Bool { packed < Weight.infinity.packed }

  /// The sum, at most `infinity`.
  @inlinable public static func + (a: Weight, b: Weight) -> Weight {
    Weight(packed: min(a.packed &+ b.packed, infinity.packed))
  }
}

extension Weight {
  // Processors before AVX-512 compare 64-bit vector elements only as signed numbers. Weights minus 2^63 keep their
  // order, and adding a weight to such a number yields another of the same form.

  /// The weight minus 2^63.
  var signed: Int64 { Int64(bitPattern: packed ^ 1 << 63) }

  @inline(__always)
  init(signed: Int64) { self.init(packed: UInt64(bitPattern: signed) ^ 1 << 63) }
}

extension Weight: Comparable {
  /// Whether `a` takes less time, or the same time over a shorter length.
  @inlinable public static func < (a: Weight, b: Weight) -> Bool { a.packed < b.packed }
}

extension Weight: CustomStringConvertible {
  /// `5/700`: milliseconds, then centimetres.
  public var description: String { isFinite ? "\(milliseconds)/\(centimetres)" : "infinity" }
}

// Encoded with named members, not as one packed word.
extension Weight: Codable {
  private enum CodingKeys: String, CodingKey { case milliseconds, centimetres }

  /// Decodes the time and the length.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      milliseconds: try members.decode(UInt32.self, forKey: .milliseconds),
      centimetres: try members.decode(UInt32.self, forKey: .centimetres))
  }

  /// Encodes the time and the length.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(milliseconds, forKey: .milliseconds)
    try members.encode(centimetres, forKey: .centimetres)
  }
}
