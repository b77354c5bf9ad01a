/// Lines in the Encoded Polyline Algorithm Format used by web maps (Google, 2006): latitude first, in 1e-5 degrees
/// (about a metre). A space separates the lines or rings of a shape; the first point of each is a difference from zero.
///
///     EncodedPolyline.text(of: [[a, b], [c, d]])        // "_p~iF~ps|U_ulLnnqC _mqNvxq`@"
///
/// Streets take about five bytes per point.
package enum EncodedPolyline {
  package static func text(of lines: some Sequence<some Sequence<FixedCoordinate>>) -> String {
    var bytes: [UInt8] = []
    for line in lines {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
      append(line, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func append(_ line: some Sequence<FixedCoordinate>, to bytes: inout [UInt8]) {
    var last: (latitude: Int32, longitude: Int32) = (0, 0)
    for point in line {
      let next = (latitude: rounded(point.latitude), longitude: rounded(point.longitude))
      append(next.latitude - last.latitude, to: &bytes)
      append(next.longitude - last.longitude, to: &bytes)
      last = next
    }
  }

  /// Decodes the lines in a string; an invalid line yields no points.
  package static func lines(of text: String) -> [[FixedCoordinate]] {
    text.utf8.split(separator: UInt8(ascii: " ")).map { points($0) }
  }

  private static func points(_ bytes: Substring.UTF8View) -> [FixedCoordinate] {
    var points: [FixedCoordinate] = []
    var (latitude, longitude): (Int32, Int32) = (0, 0)
    var isLatitude = true
    var (value, shift): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      guard (63...126).contains(byte), shift < 32 else { return [] }
      value |= (UInt32(byte - 63) & 31) << shift
      shift += 5
      guard byte - 63 < 32 else { continue }
      let difference = Int32(bitPattern: value >> 1) ^ -Int32(value & 1)
      (value, shift) = (0, 0)
      if isLatitude {
        latitude &+= difference
      } else {
        longitude &+= difference
        guard latitude.magnitude <= 9_000_000, longitude.magnitude <= 18_000_000 else { return [] }
        points.append(FixedCoordinate(longitude: longitude * 100, latitude: latitude * 100))
      }
      isLatitude.toggle()
    }
    return points
  }

  /// Converts 1e-7 degrees to 1e-5 degrees, rounding halves away from zero.
  private static func rounded(_ value: Int32) -> Int32 { (value + (value < 0 ? -50 : 50)) / 100 }

  private static func append(_ difference: Int32, to bytes: inout [UInt8]) {
    var rest = UInt32(bitPattern: difference << 1 ^ difference >> 31)
    while rest >= 32 {
      bytes.append(UInt8(rest % 32 + 32 + 63))
      rest >>= 5
    }
    bytes.append(UInt8(rest + 63))
  }
}
