import Foundation

/// A field of a row, valid until the next row is read.
struct RowField {
  private let start: UnsafePointer<UInt8>
  let count: Int

  /// Without the spaces around it and the line's carriage return.
  init(trimming start: UnsafePointer<UInt8>, count: Int) {
    var (start, count) = (start, count)
    while count > 0, RowField.isSpace(start[0]) { (start, count) = (start + 1, count - 1) }
    while count > 0, RowField.isSpace(start[count - 1]) { count -= 1 }
    (self.start, self.count) = (start, count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  var isEmpty: Bool { count == 0 }
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it has these bytes.
  func equals(_ other: [UInt8]) -> Bool { count == other.count && memcmp(start, other, count) == 0 }
}
