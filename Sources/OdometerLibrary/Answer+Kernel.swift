import COdometer
import Foundation
import Geography
import OdometerCommand

/// The part of an answer computed by one thread: rows as JSON, separated by commas, and the points of their shapes.
struct AnswerPart: Sendable {
  var text: String
  var points: [FixedCoordinate]
}

extension odometer_answer {
  /// Creates an array of parts, `[offset, [rows]]`: point indices in the rows of a part are relative to its offset.
  init(_ parts: [AnswerPart]) {
    var text = TextBuffer(capacity: parts.reduce(64) { $0 + $1.text.utf8.count + 32 })
    var first = 0
    text.list(parts) { text, part in
      text.append(text: "[\(first),[")
      text.append(text: part.text)
      text.append("]]")
      first += part.points.count
    }
    self.init(text, points: parts.lazy.flatMap(\.points))
  }

  /// Creates a copy that the caller frees with `odometer_free`.
  init(_ text: borrowing TextBuffer, points: some Sequence<FixedCoordinate> = EmptyCollection()) {
    self = text.withBytes { bytes in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      memcpy(copy, bytes.baseAddress!, bytes.count)
      copy[bytes.count] = 0
      var degrees: [Double] = []
      for point in points {
        let place = point.coordinate
        degrees.append(place.longitude)
        degrees.append(place.latitude)
      }
      let positions = UnsafeMutablePointer<Double>.allocate(capacity: degrees.count + 1)
      positions.initialize(from: degrees, count: degrees.count)
      return odometer_answer(
        text: copy, text_count: Int64(bytes.count), positions: positions, position_count: Int64(degrees.count / 2))
    }
  }

  func free() {
    text.deallocate()
    positions.deallocate()
  }
}

extension odometer_places {
  /// Returns the places in a C array. *Throws*: `OdometerError`.
  func coordinates(_ name: String) throws -> [Coordinate] {
    guard (0...Int64(Int32.max)).contains(count) else {
      throw .usage("\(name): got \(count) places, expected at most \(Int32.max)")
    }
    guard count > 0 else { return [] }
    guard let latitudes, let longitudes else { throw .usage("\(name): got no latitudes or no longitudes") }
    return (0..<Int(count)).map { Coordinate(latitude: latitudes[$0], longitude: longitudes[$0]) }
  }
}

/// A C array to which several threads write, each to its own part.
struct Output<Element: BitwiseCopyable>: @unchecked Sendable {
  let base: UnsafeMutablePointer<Element>

  init(_ base: UnsafeMutablePointer<Element>) { self.base = base }

  subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }
}
