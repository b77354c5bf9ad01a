import Geography

extension StreetNetwork {
  /// A number for a street that stays the same over updates of the map, and in the networks of other profiles, as long
  /// as the street has the same ends and the same length; never negative.
  ///
  /// FNV-1a of 64 bits without the highest, over 20 bytes: longitude and latitude of the western end
  /// (the southern one of two as far west), then of the other, in 1e-7 degrees, then the length in centimetres, each as
  /// 32 bits, little-endian. Streets of equal ends and length share it: the halves of a gate, twins.
  package func streetKey(of id: StreetID) -> Int64 {
    let shape = shape(of: id)
    let ends = [points[shape.lowerBound], points[shape.upperBound - 1]].sorted {
      ($0.longitude, $0.latitude) < ($1.longitude, $1.latitude)
    }
    let numbers = ends.flatMap { [UInt32(bitPattern: $0.longitude), UInt32(bitPattern: $0.latitude)] }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in numbers + [street(id).centimetres] {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        hash = (hash ^ UInt64(number >> shift & 0xff)) &* 0x100_0000_01b3
      }
    }
    return Int64(hash & UInt64(Int64.max))
  }
}
