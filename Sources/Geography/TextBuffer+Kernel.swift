// The bytes of TextBuffer. `reserve` is called before every write; a decimal is at most 21 bytes,
// a position at most 28. Digits are written from the right, two divisions by a constant a pair of digits.

extension TextBuffer {
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    reserve(bytes.count)
    (start + count).update(from: base, count: bytes.count)
    count += bytes.count
  }

  package borrowing func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(start: start, count: count))
  }

  mutating func reserve(_ additional: Int) {
    guard count + additional > capacity else { return }
    capacity = max(capacity * 2, count + additional)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
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

/// Degrees with seven decimals at most, from units of 1e-7: 32-bit divisions only.
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
  for place in stride(from: 6, through: 0, by: -1) {
    at[place] = 48 + UInt8(truncatingIfNeeded: fraction % 10)
    fraction /= 10
  }
  at += 7
  while at[-1] == 48 { at -= 1 }
  return at - start
}
