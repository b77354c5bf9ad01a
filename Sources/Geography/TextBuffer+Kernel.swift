// The kernels of TextBuffer. `reserve` is called before every write; a decimal takes at most 21 bytes, a position at
// most 28.

extension TextBuffer {
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    self.bytes.reserve(bytes.count)
    (self.bytes.base + count).update(from: base, count: bytes.count)
    self.bytes.count += bytes.count
  }

  package borrowing func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(start: bytes.base, count: count))
  }
}

/// Writes `value` / 10^`places` without trailing zeros and returns the number of bytes (at most 21).
@inline(__always)
func writeDecimal(_ value: Int64, places: Int, at start: UnsafeMutablePointer<UInt8>) -> Int {
  var magnitude = value.magnitude
  var places = places
  while places > 0 && magnitude % 10 == 0 {
    magnitude /= 10
    places -= 1
  }
  var digits = 1
  var power: UInt64 = 10
  while digits < 19 && magnitude >= power {
    digits += 1
    power *= 10
  }
  digits = max(digits, places + 1)
  let sign = value < 0 ? 1 : 0
  let length = sign + digits + (places > 0 ? 1 : 0)
  var at = start + length
  for place in 0..<digits {
    if places > 0 && place == places {
      at -= 1
      at.pointee = UInt8(ascii: ".")
    }
    at -= 1
    at.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
    magnitude /= 10
  }
  if sign == 1 { start.pointee = UInt8(ascii: "-") }
  return length
}

func writePositions(_ points: UnsafeBufferPointer<FixedCoordinate>, at start: UnsafeMutablePointer<UInt8>) -> Int {
  var at = start
  for index in 0..<points.count {
    let point = points[index]
    if index > 0 {
      at.pointee = UInt8(ascii: ",")
      at += 1
    }
    at.pointee = UInt8(ascii: "[")
    at += 1
    at += writeDegrees(point.longitude, at: at)
    at.pointee = UInt8(ascii: ",")
    at += 1
    at += writeDegrees(point.latitude, at: at)
    at.pointee = UInt8(ascii: "]")
    at += 1
  }
  return at - start
}

private let pairsOfDigits: StaticString = """
  00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748\
  49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697\
  9899
  """

/// Writes units of 1e-7 as degrees with at most seven decimals, using only 32-bit divisions.
@inline(__always)
private func writeDegrees(_ value: Int32, at start: UnsafeMutablePointer<UInt8>) -> Int {
  var at = start
  if value < 0 {
    at.pointee = UInt8(ascii: "-")
    at += 1
  }
  let magnitude = value.magnitude
  let whole = magnitude / 10_000_000
  var fraction = magnitude % 10_000_000
  if whole >= 100 {
    at.pointee = 48 + UInt8(truncatingIfNeeded: whole / 100)
    at += 1
  }
  if whole >= 10 {
    at.pointee = 48 + UInt8(truncatingIfNeeded: whole / 10 % 10)
    at += 1
  }
  at.pointee = 48 + UInt8(truncatingIfNeeded: whole % 10)
  at += 1
  guard fraction > 0 else { return at - start }
  at.pointee = UInt8(ascii: ".")
  at += 1
  // Seven digits from the left, as three pairs and a single digit: each pair is looked up in a table of a hundred.
  pairsOfDigits.withUTF8Buffer { pairs in
    let upper = fraction / 1_000
    let (first, second) = (upper / 100, upper % 100)
    fraction -= upper * 1_000
    let third = fraction / 10
    at[0] = pairs[Int(first) * 2]
    at[1] = pairs[Int(first) * 2 + 1]
    at[2] = pairs[Int(second) * 2]
    at[3] = pairs[Int(second) * 2 + 1]
    at[4] = pairs[Int(third) * 2]
    at[5] = pairs[Int(third) * 2 + 1]
    at[6] = 48 + UInt8(truncatingIfNeeded: fraction - third * 10)
  }
  at += 7
  while at[-1] == 48 { at -= 1 }
  return at - start
}

/// A growable buffer for kernels that write bytes directly: `reserve`, write at `base + count`, increase `count`.
package struct ByteBuffer: ~Copyable {
  @usableFromInline package private(set) var base: UnsafeMutablePointer<UInt8>
  @usableFromInline package var count = 0
  @usableFromInline var capacity: Int

  package init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Ensures space for `additional` bytes after `count`. May move `base`.
  @inlinable package mutating func reserve(_ additional: Int) {
    if count + additional > capacity { grow(by: additional) }
  }

  @usableFromInline mutating func grow(by additional: Int) {
    capacity = max(capacity * 2, count + additional)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
