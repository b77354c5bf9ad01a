import COdometer
import Geography

extension odometer_places {
  /// Returns the places in a C array. *Throws*: `LibraryError`.
  func coordinates(_ name: String) throws -> [Coordinate] {
    guard (0...Int64(Int32.max)).contains(count) else {
      throw LibraryError("\(name): got \(count) places, expected at most \(Int32.max)")
    }
    guard count > 0 else { return [] }
    guard let latitudes, let longitudes else { throw LibraryError("\(name): got no latitudes or no longitudes") }
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
