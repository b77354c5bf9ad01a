import Foundation

/// A map made from random bytes, which libosmium can read but no mapper would draw: dangling references, ways with one
/// node or none, duplicate IDs, coordinates out of range, cyclic relations, absurd tags.
struct OddMap {
  private(set) var opl = ""
  private var bytes: ArraySlice<UInt8>

  private static let tags = [
    "highway=residential", "highway=motorway", "highway=footway", "highway=steps", "highway=traffic_signals",
    "highway=turning_circle", "route=ferry", "duration=99:99:99", "duration=PT1e9H", "maxspeed=1e308", "maxspeed=-50",
    "maxspeed=walk", "maxspeed=0", "maxspeed:conditional=130%20%@%20%(wet)", "oneway=yes", "oneway=-1",
    "oneway:conditional=yes%20%@%20%(Mo-Su%20%00:00-24:00)", "access=private", "access=no", "access=destination",
    "barrier=gate", "barrier=lift_gate", "name=%1b%[2J", "name=%20%", "ref=A%20%1;A%20%2", "lanes=999999999999",
    "incline=1e9%", "junction=roundabout", "tunnel=yes", "service=driveway", "toll=yes", "surface=lava",
    "type=restriction", "restriction=no_u_turn", "restriction=only_straight_on",
    "restriction:conditional=no_left_turn%20%@%20%(",
    "except=psv;bicycle", "type=boundary", "boundary=administrative", "driving_side=left", "type=public_transport",
    "public_transport=stop_area", "railway=station", "railway=subway_entrance", "destination=a;b;;c",
    "opening_hours=24/7%20%off%20%;", "turn:lanes=left|through||", "foot=yes", "bicycle=dismount", "motor_vehicle=no",
  ]
  private static let roles = ["from", "via", "to", "location_hint", "", "stop", "subarea"]

  init(_ data: Data) {
    bytes = Array(data.prefix(4000))[...]
    while !bytes.isEmpty { object() }
  }

  private mutating func next() -> Int { Int(bytes.popFirst() ?? 0) }

  private mutating func object() {
    let kind = next()
    let id = next() % 24 - 2
    let tags = (0..<next() % 4).map { _ in OddMap.tags[next() % OddMap.tags.count] }.joined(separator: ",")
    switch kind % 8 {
    case 0..<4: opl += "n\(id) v1 T\(tags) x\(coordinate(180)) y\(coordinate(90))\n"
    case 4..<7:
      let nodes = (0..<next() % 7).map { _ in "n\(next() % 24 - 2)" }
      opl += "w\(id) v1 T\(tags) N\(nodes.joined(separator: ","))\n"
    default:
      let members = (0..<next() % 5).map { _ in
        "\(["n", "w", "r"][next() % 3])\(next() % 24 - 2)@\(OddMap.roles[next() % OddMap.roles.count])"
      }
      opl += "r\(id) v1 T\(tags) M\(members.joined(separator: ","))\n"
    }
  }

  /// Returns a coordinate, mostly within some hundred metres, occasionally at the limit of valid values or beyond it.
  private mutating func coordinate(_ limit: Double) -> Double {
    switch next() {
    case 0: limit
    case 1: -limit
    case 2: limit + 0.0000001
    case 3: 1e9
    case let number: Double(number) / 1000
    }
  }
}
