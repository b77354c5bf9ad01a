import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// The tables of results match their descriptions in help and documentation.
struct JobTableTests {
  private static let hours = "traffic: 'traffic.json5', departures: ['07:00'], week: ['Mo']"
  private static let settings: [JobKind: String] = [
    .routes: "pairs: 'pairs.csv', \(hours)", .etas: "pairs: 'pairs.csv', flows: true, \(hours)",
    .matrix: """
    origins: 'places.csv', distances: true, format: ['sqlite', 'csv'], summary: ['mean', 'within:60'], \(hours),
    hours: ['worst', 'mean', 'p50']
    """,
    .access: "origins: 'places.csv', stations: 'places.csv', thresholds: [1], \(hours)",
    .isochrones: "origins: 'places.csv', thresholds: [1], \(hours)",
    .traces: "traces: 'traces.csv'",
  ]
  private static let transit =
    "gtfs: 'feed.zip', departures: ['07:00', '08:00'], date: '2026-11-23', timeZone: 'Etc/UTC'"
  /// Settings for kinds that also support public transport.
  private static let transitSettings: [JobKind: String] = [
    .etas: "pairs: 'pairs.csv', percentiles: [50], \(transit)",
    .routes: "pairs: 'pairs.csv', percentiles: [50], \(transit)",
    .isochrones: "origins: 'places.csv', thresholds: [1], percentiles: [50], \(transit)",
    .access: "origins: 'places.csv', stations: 'places.csv', thresholds: [1], percentiles: [50], \(transit)",
    .matrix: "origins: 'places.csv', summary: ['mean', 'within:60'], format: ['sqlite'], percentiles: [50], \(transit)",
  ]
  /// The columns that only pairs by public transport have.
  private static let rides: Set<String> = ["rides", "access_time", "riding_time", "transfer_time", "egress_time"]
  /// The tables that results without hours lack.
  private static let hoursTables: Set<String> = ["departure", "speed_source", "speed_class", "speed_hour"]
  private let map = TestMap("a-b-c").way("abc")

  private func scene(_ kind: JobKind, _ keys: String = "") throws -> JobScene {
    try JobScene(
      map,
      [
        "pairs.csv": map.pairs([("a", "c")]), "places.csv": map.list("ac"),
        "traces.csv": map.traces([map.fixes("t", along: "ac")]),
        "traffic.json5": "{ periods: '60min', classes: { street: { 'Mo-Fr 07:00-08:00': 2 } } }",
      ],
      "kind: '\(kind.rawValue)', verify: 9, \(keys) \(JobTableTests.settings[kind] ?? "")")
  }

  /// Runs a job by public transport; nil for kinds that do not support it.
  private func transitScene(_ kind: JobKind) throws -> JobScene? {
    try JobTableTests.transitSettings[kind].map { settings in
      try JobScene(
        map, ["pairs.csv": map.pairs([("a", "c")]), "places.csv": map.list("ac")],
        "kind: '\(kind.rawValue)', \(settings)", by: "transit",
        feed: FeedScene(on: map, "ac", "t,a,1,7:00:00", "t,c,2,7:01:00"))
    }
  }

  /// Tables for internal use.
  private static let undescribed: Set<String> = [
    "access_row", "step_row", "phrase", "distribution", "fix_row", "trace_street_row",
  ]

  @Test(arguments: JobKind.allCases)
  func everyTableAndColumnIsDescribed(kind: JobKind) throws {
    let ground = try Scratch()
    defer { ground.remove() }
    try HeightTile.write(to: ground) { _, _ in 5 }
    let scene = try scene(kind, "elevation: '\(ground.path("N00E000.hgt"))',")
    defer { scene.remove() }
    let transit = try transitScene(kind)
    defer { transit?.remove() }
    var columns: [String: [String]] = [:]
    let rows = try [scene, transit].compactMap(\.self).map {
      try $0.sql(
        """
        SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_xinfo(m.name) AS c
        WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'gpkg\\_%' ESCAPE '\\'
          AND m.name NOT LIKE 'rtree\\_%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """)
    }.joined()
    for row in rows.split(separator: "\n") {
      let names = row.split(separator: "|").map(String.init)
      columns[names[0], default: []].append(names[1])
    }
    let described = Dictionary(
      uniqueKeysWithValues: (kind.tables + TableDescription.common).map { ($0.name, $0.columns.map(\.name)) })
    let expected = Set(described.keys).subtracting(
      JobTableTests.settings[kind]!.contains(JobTableTests.hours) ? [] : JobTableTests.hoursTables)
    #expect(Set(columns.keys).subtracting(JobTableTests.undescribed) == expected)
    #expect(Set(described.keys).isDisjoint(with: JobTableTests.undescribed))
    for (table, names) in described where expected.contains(table) {
      // Rides of the transit job are given by percentile.
      let missing = (transit == nil ? JobTableTests.rides : table == "ride" ? ["departure"] : []).union(["fid"])
      #expect(Set(columns[table] ?? []).subtracting(["fid"]) == Set(names).subtracting(missing), "\(table)")
    }
  }

  /// Features of rows with a result, on streets and by public transport, lack only columns that are equal in all of them.
  @Test(
    arguments: [
      (.routes, "route", ["heights", "leg", "reason"]), (.access, "access", ["rank"]),
      (.isochrones, "isochrone", ["reason", "status"]), (.traces, "trace_part", []),
    ] as [(JobKind, String, Set<String>)])
  func columnsArePropertiesOfFeatures(kind: JobKind, table: String, omitted: Set<String>) throws {
    let ground = try Scratch()
    defer { ground.remove() }
    try HeightTile.write(to: ground) { _, _ in 5 }
    let pair = map.pairs([("a", "c")]).split(separator: "\n")
    let door = "\(map["c"].longitude),\(map["c"].latitude)"
    let inputs: [JobKind: String] = [
      .routes: "pairs: 'pairs.csv'", .access: "origins: 'places.csv', stations: 'stations.csv', thresholds: [1]",
      .isochrones: "origins: 'places.csv', thresholds: [1]", .traces: "traces: 'traces.csv'",
    ]
    let streets = try JobScene(
      map,
      [
        "pairs.csv": "\(pair[0]),group,weight,avoid,arrival_time\n\(pair[1]),g,1.5,tolls,2026-11-23T08:00:00Z\n",
        "places.csv": map.list("ab"), "traces.csv": map.traces([map.fixes("t", along: "ac")]),
        "stations.csv":
          "stop_id,stop_name,stop_lon,stop_lat,location_type,parent_station\ns,S,\(door),1,\nd,D,\(door),2,s\n",
      ], "kind: '\(kind.rawValue)', elevation: '\(ground.path("N00E000.hgt"))', \(inputs[kind]!)", by: "automobile"
    ) { $0.writesLinks = kind == .routes }
    defer { streets.remove() }
    let transit = try transitScene(kind)
    defer { transit?.remove() }
    var (columns, properties) = (Set<String>(), Set<String>())
    for scene in [streets, transit].compactMap(\.self) {
      columns.formUnion(
        try scene.sql("SELECT name FROM pragma_table_info('\(table)')").split(separator: "\n").map(String.init))
      let text = try scene.unzipped("\(kind.rawValue).geojson.gz")
      let collection = try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
      for feature in collection["features"] as! [[String: Any]] {
        properties.formUnion((feature["properties"] as! [String: Any]).keys)
      }
    }
    #expect(columns.subtracting(properties) == omitted.union(["fid", "geom"]))
  }

  /// A figure among the keys would make any two runs different.
  @Test(arguments: JobKind.allCases)
  func resultsKeepTheJobsIdentityApartFromFigures(kind: JobKind) throws {
    let scene = try scene(kind)
    defer { scene.remove() }
    let job = try Job(path: scene.scratch.path("job.json5"))
    let record = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite")).record
    for (key, value) in try job.identity.entries { #expect(record.identity[IdentityKey(key)] == value, "\(key)") }
    let figures = Set(record.figures.keys.map(\.rawValue)).filter { !$0.hasPrefix("verified_") }
    #expect(figures.isSuperset(of: ["rejected", "rows", "headline", "missing"]))
    #expect(
      figures.subtracting(["headline", "missing"]).isSubset(of: [
        "rejected", "rows", "measures", "cells_ok", "long_waits", "rows_ok",
      ]), "\(figures)")
  }
}
