import Foundation
import Geography
import Jobs
import Tables
import TestMaps
import Testing

/// Merged shards equal the output of one run: the same tables, the same files.
struct ShardTests {
  private static let map = TestMap(
    """
    a-b-c-d-e
    | | | | |
    f-g-h-i-j     9
    | | | | |
    k-l-m-n-o   y-z
    """
  ).way("abcde", ["highway": "secondary"]).way("fghij").way("klmno", ["highway": "tertiary", "oneway": "yes"]).way(
    "afk"
  )
  .way("bgl", ["highway": "secondary"]).way("chm", ["oneway": "yes"]).way("din", ["highway": "tertiary"]).way("ejo")
  .way("yz")

  private static let traffic = """
    { periods: "60min", classes: { secondary: { "Mo 07:00-08:00": 8 } } }
    """

  /// Returns `count` pairs between places of the map; some lack an ID, some are invalid, and some are in a group.
  private static func pairs(_ count: Int) -> String {
    var random = SeededGenerator(seed: 7)
    let rows = (0..<count).map { row in
      let ends = (0..<2).map { _ in map["abcdefghijklmnoyz9".randomElement(using: &random)!] }
      let id = row % 3 == 0 ? "" : "p\(row)"
      let end = row % 97 == 96 ? "x" : "\(ends[1].latitude)"
      return
        "\(id),\(row % 5 == 0 ? "north" : ""),\(ends[0].longitude),\(ends[0].latitude),\(ends[1].longitude),\(end)\n"
    }
    return "id,group,o_lon,o_lat,d_lon,d_lat\n" + rows.joined()
  }

  /// Returns `count` places along the streets, each with a fractional weight.
  private static func places(_ count: Int) -> String {
    var random = SeededGenerator(seed: 9)
    let rows = (0..<count).map { row in
      let (a, b) = (map["afkbgl".randomElement(using: &random)!], map["ejodin".randomElement(using: &random)!])
      let part = Double.random(in: 0...1, using: &random)
      let longitude = a.longitude + (b.longitude - a.longitude) * part
      return "\(row),\(longitude),\(a.latitude),\(Double(row % 10) / 10)\n"
    }
    return "id,lon,lat,people\n" + rows.joined()
  }

  private static let hours = "traffic: 'city.json5', departures: ['06:30', '07:30'], week: ['Mo'],"

  private static let jobs = [
    "kind: 'etas', pairs: 'pairs.csv', verify: 50",
    "kind: 'etas', pairs: 'pairs.csv', flows: true",
    "kind: 'routes', pairs: 'pairs.csv', requestsAlternateRoutes: true",
    "kind: 'routes', pairs: 'pairs.csv', \(hours)",
    "kind: 'routes', pairs: 'pairs.csv', shapes: false, reportRoutes: ['p4'], requestsAlternateRoutes: true",
    """
    kind: 'matrix', origins: 'places.csv', destinations: 'stations.csv', format: ['sqlite', 'npy', 'csv'],
    summary: ['nearest', 'mean', 'within:60']
    """,
    "kind: 'matrix', origins: 'places.csv', distances: false, format: ['sqlite', 'npy']",
    """
    kind: 'matrix', origins: 'places.csv', format: ['sqlite'], hours: ['worst', 'p50'], summary: ['nearest'], \(hours)
    """,
    "kind: 'matrix', origins: 'places.csv', distances: false, format: ['npy'], \(hours)",
    "kind: 'isochrones', origins: 'places.csv', thresholds: [1, 2], streets: true",
    "kind: 'isochrones', origins: 'places.csv', thresholds: [1], \(hours)",
    "kind: 'access', origins: 'places.csv', stations: 'stations.csv', thresholds: [0.3, 1], routes: true",
    "kind: 'access', origins: 'places.csv', stations: 'stations.csv', thresholds: [0.3, 1], \(hours)",
    "kind: 'traces', traces: 'traces.csv'",
    "kind: 'traces', traces: 'traces.csv', fixes: 'csv'",
  ]

  private static func files(_ job: String) -> [String: String] {
    let shapes = ["abcde", "edin", "afghm", "onihg"]
    let traces = (0..<200).map { index in
      map.fixes(
        "t\(index)", along: shapes[index % 4], speed: 4 + Double(index % 5), at: TestMap.monday + Double(index) * 600)
    }
    return [
      "pairs.csv": pairs(job.contains("etas") ? 9000 : job.contains("traffic") ? 800 : 1300),
      "places.csv": places(job.contains("access") ? 1100 : job.contains("['sqlite', 'npy']") ? 800 : 90),
      "stations.csv": map.list("cglj"), "city.json5": traffic, "traces.csv": map.traces(traces),
    ]
  }

  @Test(arguments: jobs) func mergedShardsEqualOneRun(job: String) throws {
    let scene = try JobScene(ShardTests.map, ShardTests.files(job), job, by: "automobile", workers: 2)
    defer { scene.remove() }
    let whole = try scene.results(in: "out")
    for (count, workers) in [(1, 1), (2, 2), (3, 1), (7, 2)] {
      try scene.merge(count, workers: workers, into: "merged")
      let merged = try scene.results(in: "merged")
      for (table, print) in whole.tables { #expect(merged.tables[table] == print, "\(table) of \(count) shards") }
      for (name, bytes) in whole.files { #expect(merged.files[name] == bytes, "\(name) of \(count) shards") }
      #expect(merged.tables.count == whole.tables.count && merged.files.count == whole.files.count)
    }
    // A chunk of a matrix has many cells, so only one of the matrix jobs has several chunks.
    if !job.contains("matrix") || job.contains("['sqlite', 'npy']") {
      try scene.expect("SELECT count(*) > 1 FROM chunk", "1\n")
    }
  }

  @Test func relativeDatesOfAShardAreRelativeToItsStart() throws {
    let scene = try JobScene(
      ShardTests.map, ["pairs.csv": ShardTests.pairs(90)],
      "kind: 'etas', pairs: 'pairs.csv', departures: ['07:00'], date: 'tomorrow'", by: "automobile")
    defer { scene.remove() }
    func run() throws -> JobOutcome {
      let shard = Shard(index: 0, count: 1)
      return try scene.run(workers: 1, shard: shard, shouldStop: { false }) { $0.output = scene.scratch.path("shard") }
    }
    let path = try run().files[0]
    let record = try #require(try ShardFile(path: path)).header.record
    // The journal is that of a run on 1 January 2020: its header follows the magic, a kind, a length and a checksum.
    let (bytes, start) = ([UInt8](scene.scratch.bytes("shard/shard.journal")), "odometer shard 6\n".utf8.count)
    let length = bytes[start + 1..<start + 9].reversed().reduce(0) { $0 << 8 | Int($1) }
    var header = Array(bytes[start + 13..<start + 13 + length])
    for (now, then) in [
      (record.run[.started], "2020-01-01T12:00:00Z"), (record.identity[.date], "2020-01-02"),
    ] { header.replace(Array((now ?? "").utf8), with: Array(then.utf8)) }
    let end = bytes[(start + 13 + length)...]
    try Data(bytes[..<start] + JournalFrame.head(.header, of: header) + header + end)
      .write(to: URL(fileURLWithPath: path))
    #expect(try run().isFinished && ShardFile(path: path)?.header.record.identity[.date] == "2020-01-02")
  }
}
