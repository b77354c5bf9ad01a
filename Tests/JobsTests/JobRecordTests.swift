import Jobs
import Tables
import Testing

/// Table `job`: entries by meaning, and the differences between two runs.
struct JobRecordTests {
  private func identity(_ entries: [(IdentityKey, String)]) -> Entries<IdentityKey> {
    var identity = Entries<IdentityKey>()
    for (key, value) in entries { identity[key] = value }
    return identity
  }

  // MARK: Entries

  @Test func readsBackSetValues() {
    var entries = Entries<IdentityKey>()
    entries.set(.weights, ["jobs, total", "say \"hi\"", ""])
    entries[.thresholds] = "300,600"
    entries.set(.limit, milliseconds: 439_980)
    entries.set(.links, false)
    entries.set(.snapLimit, 12.5)
    entries.set(.waitLimit, 3)
    #expect(entries.list(.weights) == ["jobs, total", "say \"hi\"", ""])
    #expect(entries.integers(.thresholds) == [300, 600])
    #expect(entries[.limit] == "439.98" && entries.milliseconds(.limit) == 439_980)
    #expect(entries.flag(.links) == false && entries.number(.snapLimit) == 12.5 && entries.integer(.waitLimit) == 3)
    #expect(entries.keys == [.weights, .thresholds, .limit, .links, .snapLimit, .waitLimit])
  }

  @Test func readsNothingFromAnEmptyValue() {
    var entries = Entries<IdentityKey>()
    entries.set(.holidays, String?.none)
    entries.set(.limit, milliseconds: nil)
    entries.set(.weights, [String]())
    #expect(entries[.holidays] == "" && entries.text(.holidays) == nil)
    #expect(entries.milliseconds(.limit) == nil && entries.list(.weights).isEmpty && entries.integers(.weights).isEmpty)
    #expect(entries[.week] == nil && entries.flag(.links) == nil && entries.number(.snapLimit) == nil)
  }

  @Test func keepsTheOrderOfKeysThatAreSetAgain() {
    var entries = identity([(.kind, "routes"), (.map, "a"), (.profile, "walking")])
    entries[.kind] = "etas"
    entries[.map] = nil
    entries.merge(identity([(.profile, "cycling"), (.links, "true")]))
    #expect(entries.entries.map { "\($0.key)=\($0.value)" } == ["kind=etas", "profile=cycling", "links=true"])
  }

  @Test(arguments: ["", "-1", "x", "4294968"])
  func rejectsInvalidTimes(text: String) {
    #expect(identity([(.limit, text)]).milliseconds(.limit) == nil)
  }

  // MARK: Sorting by meaning

  @Test func sortsEntriesByTheirMeaning() {
    let record = JobRecord(entries: [
      ("cells_ok", "9"), ("format", "npy"), ("kind", "matrix"), ("rows", "3"), ("started", "now"), ("version", "1"),
    ])
    #expect(record.identity.keys.map(\.rawValue) == ["format", "kind", "version"])
    #expect(record.run.keys == [.started])
    #expect(record.figures.keys.map(\.rawValue) == ["cells_ok", "rows"])
  }

  /// A key that is classified as a figure would not be compared.
  @Test func unknownKeysCountAsIdentity() {
    let record = JobRecord(entries: [("kind", "routes"), ("of_a_newer_version", "1")])
    #expect(record.identity.keys.map(\.rawValue) == ["kind", "of_a_newer_version"])
  }

  // MARK: Changes

  @Test func namesChangedKeys() {
    let before = JobRecord(
      identity: identity([(.map, "m"), (.tracesSHA256, "1"), (.snapLimit, "200"), (.holidays, ""), (.week, "Mo")]))
    let now = JobRecord(
      identity: identity([
        (.map, "m"), (.tracesSHA256, "2"), (.snapLimit, "300"), (.holidays, "2026-12-25"), (.week, ""),
        (.links, "true"),
      ]))
    #expect(
      now.changes(from: before) == [
        "the content of traces changed", "snap_limit was 200, now 300", "holidays was not set, now 2026-12-25",
        "week was Mo, now not set", "links is new",
      ])
    #expect(now.changes(from: now).isEmpty)
  }

  @Test func movedMapsAndNetworkFilesAreNotChanges() {
    let extract = JobRecord(identity: identity([(.map, "data/m.osm.pbf"), (.mapSHA256, "1")]))
    let file = JobRecord(identity: identity([(.map, "m.osm.pbf"), (.networkFile, "m.network"), (.mapSHA256, "1")]))
    #expect(file.changes(from: extract).isEmpty && extract.changes(from: file).isEmpty)
    let other = JobRecord(identity: identity([(.map, "data/n.osm.pbf"), (.mapSHA256, "1")]))
    #expect(other.changes(from: extract) == ["map was data/m.osm.pbf, now data/n.osm.pbf"])
  }

  @Test(
    arguments: [
      ([(.mapSHA256, "2")], "map changed"), ([(.profileSHA256, "2")], "profile changed"),
      ([(.version, "2")], "version changed"), ([(.coverageSHA256, "2")], "settings changed (coverage)"),
      ([(.profileSHA256, "2"), (.highwayPreference, "avoid")], "settings changed (highwayPreference)"),
      ([(.snapLimit, "2"), (.departureDate, "2")], "settings changed (departureDate, snapLimit)"),
      (
        [(.week, "2"), (.version, "2"), (.mapSHA256, "2")],
        "map changed, settings changed (week), version changed"
      ),
      ([(.snapLimit, "2"), (IdentityKey(digestOf: "traffic"), "2")], "settings changed (snapLimit), input changed"),
      ([(.map, "elsewhere/m"), (.links, "true"), (.kind, "etas")], "unexplained"), ([], "unexplained"),
    ] as [([(IdentityKey, String)], String)])
  func explainsDifferencesOfTwoRuns(changed: [(IdentityKey, String)], expected: String) {
    let keys: [IdentityKey] = [
      .mapSHA256, .profileSHA256, .version, .coverageSHA256, .snapLimit, .departureDate, .week,
    ]
    let old = JobRecord(identity: identity(keys.map { ($0, "1") }))
    var new = old
    new.identity.merge(identity(changed))
    #expect(ChangeReasons(old: old, new: new, .routes).description == expected)
  }

  /// Settings of outputs explain no change of times or areas.
  @Test(arguments: ["flows", "streets", "language", "alternate_routes", "distances", "format", "routes", "title"])
  func keysOfOutputsAreNoReasons(key: String) {
    let old = JobRecord(identity: identity([(.mapSHA256, "1"), (IdentityKey(key), "a")]))
    let new = JobRecord(identity: identity([(.mapSHA256, "1"), (IdentityKey(key), "b")]))
    #expect(ChangeReasons(old: old, new: new, .routes).description == "unexplained")
  }

  /// An origin's nearest station depends on all stations, whereas a pair's route depends only on the pair's columns, so
  /// a new map is the more specific reason.
  @Test(arguments: [
    (JobKind.access, false, "input changed"), (.access, true, "map changed, input changed"),
    (.routes, false, "input changed"), (.routes, true, "map changed"),
  ])
  func inputChangesExplainDependentRows(kind: JobKind, isOnNewMap: Bool, expected: String) {
    let key: IdentityKey = IdentityKey(digestOf: kind == .access ? "stations" : "pairs")
    let old = JobRecord(identity: identity([(key, "1"), (.mapSHA256, "1")]))
    let new = JobRecord(identity: identity([(key, "2"), (.mapSHA256, isOnNewMap ? "2" : "1")]))
    #expect(ChangeReasons(old: old, new: new, kind).description == expected)
  }
}
