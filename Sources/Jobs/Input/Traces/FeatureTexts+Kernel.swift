import Foundation

/// The features of a GeoJSON file of any length, as texts: cut at their braces, as `GeoJSONReader` cuts them, but read
/// block by block.
final class FeatureTexts {
  private let buffer: InputBuffer
  private var nextLine = 1

  /// The longest feature.
  private static let longest = 256 << 20

  /// *Throws*: `InputError` where there are no features.
  init(_ path: String) throws {
    buffer = try InputBuffer(path)
    // The list of features, else one feature by itself.
    while true {
      let text = Data(bytesNoCopy: buffer.bytes + buffer.start, count: buffer.count, deallocator: .none)
      if let key = text.range(of: Data("\"features\"".utf8)) {
        skip(key.upperBound)
        while try next() != nil, !has("[") { skip(1) }
        if buffer.count > 0 { skip(1) }
        return
      }
      guard buffer.isAtEnd else {
        try fill()
        continue
      }
      guard text.range(of: Data("\"Feature\"".utf8)) != nil else {
        throw InputError(file: path, problem: "got JSON without features, expected a GeoJSON FeatureCollection")
      }
      return
    }
  }

  /// The next feature, or what stands where one should be, and the line at which it begins; nil at the end.
  /// *Throws*: `InputError`.
  func feature() throws -> (line: Int, text: Data)? {
    while true {
      guard let byte = try next(), byte != UInt8(ascii: "]") else { return nil }
      if byte == UInt8(ascii: "{") { break }
      skip(1)
    }
    let line = nextLine
    let length = try lengthOfFeature()
    let text = Data(bytes: buffer.bytes + buffer.start, count: length)
    skip(length)
    return (line, text)
  }

  /// Up to its last brace, or to the end of the file.
  private func lengthOfFeature() throws -> Int {
    var (at, depth, isText) = (0, 0, false)
    while true {
      let (bytes, count) = (buffer.bytes + buffer.start, buffer.count)
      while at < count {
        let byte = bytes[at]
        at += 1
        if byte == UInt8(ascii: "\"") {
          isText.toggle()
        } else if isText {
          if byte == UInt8(ascii: "\\") { at += 1 }
        } else if byte == UInt8(ascii: "{") {
          depth += 1
        } else if byte == UInt8(ascii: "}") {
          depth -= 1
          if depth == 0 { return at }
        }
      }
      guard !buffer.isAtEnd else { return count }
      try fill()
    }
  }

  /// The byte that is next; nil at the end of the file.
  private func next() throws -> UInt8? {
    if buffer.count == 0, !buffer.isAtEnd { try buffer.fill() }
    return buffer.count > 0 ? buffer.bytes[buffer.start] : nil
  }

  private func has(_ byte: Unicode.Scalar) -> Bool { buffer.bytes[buffer.start] == UInt8(ascii: byte) }

  private func skip(_ count: Int) {
    nextLine += UnsafeBufferPointer(start: buffer.bytes + buffer.start, count: count).count { $0 == 0x0A }
    buffer.take(count)
  }

  private func fill() throws {
    guard buffer.count <= FeatureTexts.longest else {
      throw InputError(file: buffer.path, line: nextLine, problem: "a feature is longer than 256 MB")
    }
    try buffer.fill()
  }
}
