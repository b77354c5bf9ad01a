import Foundation
import TestMaps

/// A job on a drawn map, for `GoldenTests`.
struct GoldenScene: Sendable {
  let name: String
  /// The keys of the job except map, output and snapLimit.
  let keys: String
  var type = "walking"

  /// Jobs of every kind, with all their outputs.
  static let drawn = [
    GoldenScene(
      name: "routes",
      keys: "kind: 'routes', pairs: 'pairs.csv', requestsAlternateRoutes: true, elevation: 'N00E000.hgt'"),
    GoldenScene(
      name: "drives",
      keys:
        "kind: 'routes', pairs: 'pairs.csv', speeds: 'speeds.csv', traffic: 'traffic.json5', tollPreference: 'avoid'",
      type: "automobile"),
    GoldenScene(name: "etas", keys: "kind: 'etas', pairs: 'pairs.csv', coverage: 'coverage.geojson'", type: "cycling"),
    GoldenScene(
      name: "matrix",
      keys: """
        kind: 'matrix', origins: 'places.csv', destinations: 'stations.csv', format: ['sqlite', 'npy', 'csv'],
        summary: ['nearest', 'mean', 'within:60']
        """),
    GoldenScene(
      name: "matrix by hour",
      keys: """
        kind: 'matrix', origins: 'places.csv', destinations: 'stations.csv', format: ['sqlite', 'npy', 'csv'],
        departures: ['07:00', '07:30', '08:00'], date: '2026-11-23', traffic: 'traffic.json5', hours: ['worst', 'mean', 'p50']
        """, type: "automobile"),
    GoldenScene(
      name: "access",
      keys: """
        kind: 'access', origins: 'places.csv', stations: 'stations.csv', routes: true, weights: ['people'],
        thresholds: [1, 2, 3]
        """),
    GoldenScene(
      name: "access by hour",
      keys: """
        kind: 'access', origins: 'places.csv', stations: 'stations.csv', departures: ['07:00', '22:00'], date: '2026-11-23',
        thresholds: [1, 2, 3]
        """),
    GoldenScene(
      name: "isochrones",
      keys: "kind: 'isochrones', origins: 'stations.csv', thresholds: [1, 2], streets: true, bands: true, smooth: 20"),
    GoldenScene(name: "traces", keys: "kind: 'traces', traces: 'traces.csv', fixes: 'csv'"),
  ]

  /// The ids to diagnose.
  var ids: [String] {
    keys.contains("traces:") ? ["t1", "t2"] : keys.contains("pairs:") ? ["1", "7"] : ["p1", "p2"]
  }

  private static let map = TestMap(
    """
    a-b-c-d-e
    | |   | |
    f-g-h-i-j   9
    |   | | |
    k-l-m-n-o
    | |   | |
    p-q-r-s-t
    """, at: .init(latitude: 0.8, longitude: 0.2)
  )
  .way("abcde", ["name": "North Street", "maxspeed": "50"]).way("fghij", ["name": "Second Street"])
  .way("klmno", ["highway": "footway", "name": "Walk"])
  .way("pqrst", ["highway": "primary", "name": "South Road", "ref": "N 1"])
  .way("afkp", ["name": "West Street", "incline": "6%"])
  .way("bg", ["highway": "steps"]).way("hm").way("lq", ["oneway": "yes"])
  .way("dinso", ["name": "Middle", "access:conditional": "no @ (21:00-07:15)"])
  .way("ejot", ["name": "East", "toll": "yes", "maxspeed:conditional": "30 @ (Mo-Fr 07:00-18:00)"])
  .way("ijon", ["area": "yes", "highway": "pedestrian", "name": "Square"])
  .restriction("no_left_turn", from: "abcde", via: "d", to: "dinso")
  .node("g", ["highway": "traffic_signals"]).node("h", ["highway": "crossing"])

  /// Creates the scene's files.
  func scratch() throws -> Scratch {
    let map = GoldenScene.map
    let letters = Array("abcdefghijklmnopqrst")
    func place(_ index: Int) -> String {
      let node = map[letters[index % letters.count]]
      return "\(node.longitude + Double(index % 97) * 1e-6),\(node.latitude + Double(index % 89) * 1e-6)"
    }
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    let pairs = (0..<1300).map { index in
      let time = ["", "2026-11-23T07:10:00+01:00", "2026-11-23T21:30:00+01:00"][index % 3]
      return "\(index % 1290),\(place(index * 5)),\(place(index * 7 + index / 12)),\(time)\n"
    }
    try scratch.write(
      "id,o_lon,o_lat,d_lon,d_lat,departure_time\n" + pairs.joined() + "bad,x,0,0,0,\n", to: "pairs.csv")
    let places = (0..<1200).map { "p\($0),\(place($0)),\($0 % 7),\"place, \($0)\"\n" }
    let far = "far,\(map["9"].longitude),\(map["9"].latitude),1,far\n"
    try scratch.write("id,lon,lat,people,name\n" + places.joined() + far + "bad,x,0,1,\n", to: "places.csv")
    try scratch.write("id,lon,lat,people,name\n" + places.prefix(40).joined(), to: "stations.csv")
    let traces = (0..<150).map { index in
      map.fixes("t\(index)", along: ["abcde", "afkp", "tsrqp", "fghij"][index % 4], at: TestMap.monday + Double(index))
    }
    try scratch.write(map.traces(traces), to: "traces.csv")
    try scratch.write("{ classes: { residential: { 'Mo-Fr 07:00-08:00': 1.5 } } }", to: "traffic.json5")
    try scratch.write("way_id,days,from,to,slowness\n1,Mo-Fr,07:00,09:00,2\n", to: "speeds.csv")
    let (a, t) = (map["a"], map["t"])
    try scratch.write(
      """
      {"type": "MultiPolygon", "coordinates": [[[[\(a.longitude - 0.001), \(t.latitude - 0.001)], [\(t.longitude - 0.001), \(t.latitude - 0.001)],
      [\(t.longitude - 0.001), \(a.latitude + 0.001)], [\(a.longitude - 0.001), \(a.latitude + 0.001)], [\(a.longitude - 0.001), \(t.latitude - 0.001)]]]]}
      """, to: "coverage.geojson")
    if keys.contains("hgt") { try HeightTile.write(to: scratch) { Int16($0 % 50 + $1 % 30) } }
    try scratch.write(
      "{ map: 'map.opl', transportType: '\(type)', output: 'out', "
        + "\(keys.contains("'traces'") ? "" : "snapLimit: 200,") \(keys) }", to: "job.json5")
    return scratch
  }
}
