import Foundation
import Geography
import Tables

/// A reader that splits a GeoJSON file of any length (RFC 7946, or one feature per line as in RFC 8142) into the JSON
/// of its features, block by block. It splits at braces, so that an invalid feature does not affect others.
final class FeatureSplitter {
  private let buffer: InputBuffer
  private var nextLine = 1
  /// The nesting depth around the next feature: 0 in a sequence of features.
  private var depth = 0
  /// The beginning of the last string at depth 1, and whether `trackDepth` stopped after it as the key `features`.
  private var (name, isAtFeatures): ([UInt8], Bool) = ([], false)
  /// Whether the current position is within a string, and whether a backslash escapes the next character.
  private var (isInString, isEscaped) = (false, false)
  /// The number of features read.
  private(set) var count = 0

  private static let maximumFeatureBytes = 256 << 20
  /// Longer members after the features are not searched for the coordinate system.
  private static let maximumRestBytes = 1 << 20

  /// *Throws*: `OdometerError` if the file has neither a list of features nor a single feature, or the coordinates
  /// are not degrees in WGS 84.
  init(_ path: String) throws {
    buffer = try InputBuffer(path)
    while let byte = try next(), byte <= 0x20 { skip(1) }
    guard buffer.count == 0 || !has("[") else {
      throw .input(path, "got a JSON list, expected a GeoJSON FeatureCollection")
    }
    // Finds the list of features, or a single feature.
    var at = 0
    while true {
      at = trackDepth(from: at)
      let text = Data(bytesNoCopy: buffer.bytes + buffer.start, count: buffer.count, deallocator: .none)
      if isAtFeatures {
        try checkSystem(of: text.prefix(at) + Data("[]}".utf8))
        skip(at)
        while let byte = try next(), byte <= 0x20 { skip(1) }
        guard buffer.count == 0 || has("[") else {
          throw .input(path, "features is not a list, expected a GeoJSON FeatureCollection")
        }
        skip(min(1, buffer.count))
        depth = 2
        return
      }
      guard depth == 0 && at > 0 || buffer.isAtEnd else {
        try fill("got 256 MB without a list of features, expected a GeoJSON FeatureCollection")
        continue
      }
      try checkWrapper(text.prefix(at))
      guard text.range(of: Data("\"Feature\"".utf8)) != nil else {
        throw .input(path, "got JSON without features, expected a GeoJSON FeatureCollection")
      }
      (depth, isInString, isEscaped) = (0, false, false)
      return
    }
  }

  /// *Throws*: `OdometerError` if an object is neither a Feature nor a collection, but has a collection among its members.
  private func checkWrapper(_ text: Data) throws {
    func keys(toCollectionIn value: Any?) -> [String]? {
      guard let members = value as? [String: Any], members["type"] as? String != "Feature" else { return nil }
      if members["type"] as? String == "FeatureCollection" { return [] }
      return members.keys.sorted().lazy.compactMap { key in keys(toCollectionIn: members[key]).map { [key] + $0 } }
        .first
    }
    guard text.range(of: Data("\"FeatureCollection\"".utf8)) != nil,
      let keys = keys(toCollectionIn: try? JSONSerialization.jsonObject(with: text)), !keys.isEmpty
    else { return }
    throw .input(
      buffer.path,
      "the FeatureCollection is within another object, at \(RowProblem.excerpt(keys.joined(separator: "."))); "
        + "expected it alone, as jq can write it")
  }

  /// Checks the member `crs` of a collection without its features (GeoJSON of 2008). *Throws*: `OdometerError` unless
  /// coordinates are degrees in WGS 84, the default.
  private func checkSystem(of collection: Data) throws {
    guard collection.range(of: Data("\"crs\"".utf8)) != nil,
      let members = try? JSONSerialization.jsonObject(with: collection) as? [String: Any],
      let system = members["crs"] as? [String: Any]
    else { return }
    let properties = system["properties"] as? [String: Any]
    let name = properties?["name"] as? String ?? properties?["href"] as? String ?? "an unknown system"
    let isWGS84 = ["CRS84", "CRS84h", ":4326", "/4326", ":4979", "/4979"].contains(where: name.hasSuffix)
    guard !isWGS84 else { return }
    throw .input(
      buffer.path,
      "the coordinates are in \(RowProblem.excerpt(name)), expected degrees, WGS 84 (CRS84 or EPSG:4326): "
        + "ogr2ogr -t_srs EPSG:4326 wgs84.geojson \(buffer.path.shellWord)")
  }

  /// Returns the JSON of the next feature, or any other value in its place; nil at the end. *Throws*: `OdometerError`,
  /// including if a collection ends prematurely, or is followed by more text.
  func feature() throws -> Data? {
    func malformed(_ problem: String) -> OdometerError {
      OdometerError(file: buffer.path, line: nextLine, problem: problem)
    }
    var hasComma = false
    while true {
      guard let byte = try next(), byte != UInt8(ascii: "]") else {
        if hasComma, buffer.count > 0, depth > 0 { throw malformed("got ] after a comma, expected a feature") }
        try readToEnd()
        return nil
      }
      if byte == UInt8(ascii: ",") {
        if depth > 0, hasComma || count == 0 { throw malformed("got a comma, expected a feature") }
        hasComma = true
      } else if byte > 0x20 {
        break
      }
      skip(1)
    }
    if depth > 0, count > 0, !hasComma, has("{") { throw malformed("got two features without a comma between them") }
    let length =
      try has("{") ? length(open: "{", close: "}") : has("[") ? length(open: "[", close: "]") : lengthOfScalar()
    let text = Data(bytes: buffer.bytes + buffer.start, count: length)
    skip(length)
    count += 1
    return text
  }

  /// Reads the rest of the collection after the features; no text may follow it.
  private func readToEnd() throws {
    var rest = Data("{\"features\": [".utf8)
    while try next() != nil, depth > 0 {
      let count = trackDepth(from: 0)
      if rest.count < FeatureSplitter.maximumRestBytes { rest.append(buffer.bytes + buffer.start, count: count) }
      skip(count)
      guard !isAtFeatures else {
        throw .input(buffer.path, line: nextLine, "got a second list of features, expected one")
      }
    }
    guard depth == 0 else { throw .input(buffer.path, line: nextLine, "the file ends before its features do") }
    try checkSystem(of: rest)
    while let byte = try next() {
      guard byte <= 0x20 else {
        throw .input(buffer.path, line: nextLine, "got text after the end of the features, expected one collection")
      }
      skip(1)
    }
  }

  /// Tracks the nesting depth from a position in the buffer to the end of the collection, the colon after its key
  /// `features`, or the end of the data, whichever comes first. Returns the position after that end.
  private func trackDepth(from start: Int) -> Int {
    isAtFeatures = false
    var at = start
    while at < buffer.count {
      let byte = buffer.bytes[buffer.start + at]
      at += 1
      if isEscaped {
        isEscaped = false
      } else if isInString {
        if byte == UInt8(ascii: "\"") { isInString = false } else { isEscaped = byte == UInt8(ascii: "\\") }
        if isInString, depth == 1, name.count <= 8 { name.append(byte) }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
        name.removeAll(keepingCapacity: true)
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
        if depth == 0 { return at }
      } else if byte == UInt8(ascii: ":"), depth == 1, name.elementsEqual("features".utf8) {
        isAtFeatures = true
        return at
      }
    }
    return at
  }

  /// Returns the length of a string, a number or a word, at least one byte: up to its closing quote or the next
  /// separator.
  private func lengthOfScalar() throws -> Int {
    let isInString = has("\"")
    var at = 1
    while true {
      let (bytes, count) = (buffer.bytes + buffer.start, buffer.count)
      while at < count {
        let byte = bytes[at]
        if isInString {
          at += byte == UInt8(ascii: "\\") ? 2 : 1
          if byte == UInt8(ascii: "\"") { return at }
        } else {
          if byte <= 0x20 || [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "{")].contains(byte) { return at }
          at += 1
        }
      }
      guard !buffer.isAtEnd else { return count }
      try fill()
    }
  }

  /// Returns the length of an object or a list: up to its closing brace. *Throws*: `OdometerError` if the file ends before
  /// it.
  private func length(open: Unicode.Scalar, close: Unicode.Scalar) throws -> Int {
    let (open, close) = (UInt8(ascii: open), UInt8(ascii: close))
    var (at, depth, isInString) = (0, 0, false)
    while true {
      let (bytes, count) = (buffer.bytes + buffer.start, buffer.count)
      while at < count {
        let byte = bytes[at]
        at += 1
        if byte == UInt8(ascii: "\"") {
          isInString.toggle()
        } else if isInString {
          if byte == UInt8(ascii: "\\") { at += 1 }
        } else if byte == open {
          depth += 1
        } else if byte == close {
          depth -= 1
          if depth == 0 { return at }
        }
      }
      guard !buffer.isAtEnd else { throw .input(buffer.path, line: nextLine, "the file ends within a feature") }
      try fill()
    }
  }

  /// Returns the next byte; nil at the end of the file.
  private func next() throws -> UInt8? {
    if buffer.count == 0, !buffer.isAtEnd { try buffer.fill(line: nextLine) }
    return buffer.count > 0 ? buffer.bytes[buffer.start] : nil
  }

  private func has(_ byte: Unicode.Scalar) -> Bool { buffer.bytes[buffer.start] == UInt8(ascii: byte) }

  private func skip(_ count: Int) {
    nextLine += UnsafeBufferPointer(start: buffer.bytes + buffer.start, count: count).count { $0 == 0x0A }
    buffer.consume(count)
  }

  /// - Parameter excess: The problem if the buffer is full.
  private func fill(_ excess: String = "a feature is longer than 256 MB") throws {
    guard buffer.count <= FeatureSplitter.maximumFeatureBytes else { throw .input(buffer.path, line: nextLine, excess) }
    try buffer.fill(line: nextLine)
  }
}
