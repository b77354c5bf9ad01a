import StreetNetwork
import TestMaps
import Testing

struct StreetKeyTests {
  @Test func doesNotDependOnTheDrawingDirection() throws {
    let there = try TestMap("a-b-c").way("abc").network()
    let back = try TestMap("a-b-c").way("cba").network()
    #expect(there.streetKey(of: StreetID(0)) == back.streetKey(of: StreetID(0)))
  }

  @Test func doesNotDependOnProfileNameOrSpeed() throws {
    let map = TestMap("a-b-c").way("abc")
    let other = TestMap("a-b-c").way("abc", ["name": "renamed", "maxspeed": "20"])
    let keys = try [map.network(), map.network(profile: .stock("automobile")), other.network()]
      .map { $0.streetKey(of: StreetID(0)) }
    #expect(Set(keys).count == 1)
  }

  @Test func differsIfAStreetIsMovedOrLengthened() throws {
    let maps = [TestMap("a-b-c").way("abc"), TestMap("a-b-c").way("ab"), TestMap("a---c\n  b").way("abc")]
    let keys = try maps.map { try $0.network().streetKey(of: StreetID(0)) }
    #expect(Set(keys).count == 3 && keys.allSatisfy { $0 >= 0 })
  }

  /// Computed from the definition, so that other programs can compute the same keys.
  @Test func isFNV1aOfBothEndsAndTheLength() throws {
    let network = try TestMap("a-b").way("ba").network()
    let street = network.street(StreetID(0))
    let ends = network.shape(of: StreetID(0)).map { network.points[$0] }.sorted { $0.longitude < $1.longitude }
    let numbers = ends.flatMap { [$0.longitude, $0.latitude] } + [Int32(street.centimetres)]
    var hash: UInt64 = 14_695_981_039_346_656_037
    for number in numbers {
      withUnsafeBytes(of: number.littleEndian) { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 } }
    }
    #expect(network.streetKey(of: StreetID(0)) == Int64(hash & 0x7fff_ffff_ffff_ffff))
  }
}
