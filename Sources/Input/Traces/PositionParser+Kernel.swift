import Geography

/// A parser for a JSON list of positions, longitude first: `[[-8.61,41.14],[-8.62,41.15]]`.
package struct PositionParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var isOpen = false

  /// `field` must stay valid.
  package init(_ field: RowField) { bytes = field.bytes }

  /// Returns the next position; nil at the end of the list. *Throws*: `RowProblem` if the text is not such a list.
  package mutating func next() throws(RowProblem) -> Coordinate? {
    if isOpen {
      if take("]") { return try end() }
      guard take(",") else { throw problem }
    } else {
      guard take("[") else { throw problem }
      isOpen = true
      if take("]") { return try end() }
    }
    guard take("["), let longitude = number(), take(","), let latitude = number() else { throw problem }
    // Elevations are ignored.
    if take(","), number() == nil { throw problem }
    guard take("]") else { throw problem }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private mutating func end() throws(RowProblem) -> Coordinate? {
    skipSpaces()
    guard at == bytes.count else { throw problem }
    (at, isOpen) = (bytes.count - 1, true)  // Back to the bracket, so that further calls also return nil.
    return nil
  }

  private var problem: RowProblem {
    RowProblem("the polyline cannot be read at byte \(at + 1), expected [[longitude,latitude],…]")
  }

  private mutating func skipSpaces() {
    while at < bytes.count, bytes[at] == UInt8(ascii: " ") { at += 1 }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard at < bytes.count, bytes[at] == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  private mutating func number() -> Double? {
    skipSpaces()
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: ","), bytes[at] != UInt8(ascii: "]"),
      bytes[at] != UInt8(ascii: " ")
    {
      at += 1
    }
    if let number = DecimalText.number(UnsafeBufferPointer(rebasing: bytes[start..<at])) { return number }
    at = start
    return nil
  }
}
