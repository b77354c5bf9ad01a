import Geography
import Jobs
import Tables
import TestMaps
import Testing

/// Journals of shards: every value is restored, and damaged input never traps.
struct JournalTests {
  private static let point = FixedCoordinate(longitude: -86_000_000, latitude: 411_000_000)
  private static let shape = GeometryBlob(line: [point, FixedCoordinate(longitude: 0, latitude: 5)])

  private static var routes: RouteWriter.Chunk {
    var found = RouteRow.Found(
      centimetres: 12_345, milliseconds: 678,
      route: .init(
        name: "via Rua", stepCount: 2, hasTolls: true, hasHighways: false, advisoryNotices: ["toll", "private"],
        shape: Polyline(points: [point, point][...])))
    found.waitingMilliseconds = 9
    var row = RouteRow(
      pair: .text("007"), origin: .number(-7), destination: .number(Int64.max), group: "north", status: .ok,
      transportType: "walking", straightLineCentimetres: 77, found: found)
    (row.leg, row.weight, row.avoids) = (2, 12.5, "tolls")
    (row.alternative, row.hour, row.departure, row.link) = (1, 12, "2026-11-23T07:00:00Z", "https://x")
    let step = StepRow(
      pair: row.pair, leg: 2, alternative: 1, hour: 12, step: 0, phrase: 1, centimetres: 5, milliseconds: 6,
      start: point,
      hasGeometry: true)
    let phrases = ["a", "b"].map {
      PhraseRow(instructions: $0, notice: nil, transportType: "walking", maneuver: "depart", street: "Rua \($0)")
    }
    let missing = RouteRow(
      pair: .number(2), origin: .number(1), destination: .number(1), group: nil, status: .placemarkNotFound,
      transportType: "walking", straightLineCentimetres: 0, found: nil)
    var chunk = RouteWriter.Chunk()
    (chunk.rows, chunk.routes) = (2, [.init(row, [step]), .init(missing)])
    (chunk.phrases, chunk.features) = (phrases, DeflatedBlock())
    return chunk
  }

  private static var sums: ServiceSums {
    var sums = ServiceSums(hours: 2, services: 5, thresholds: 2, measures: 1)
    sums.add([1, -2, Int64.max, 0], to: 3)
    return sums
  }

  private static var fixes: TraceWriter.Chunk {
    var chunk = TraceWriter.Chunk()
    let moment = Moment(milliseconds: -5, secondsFromGMT: 3600)
    chunk.rows = 3
    chunk.fixes = [
      FixRow(
        trace: 0, n: 1, milliseconds: nil, point: point, accuracyCentimetres: 4, isKept: true, reason: "alone",
        place: .init(
          part: 0, street: StreetDirection(fid: 9, isReversed: true), offset: 1, snapDistance: 2, along: 3, point: point
        ))
    ]
    chunk.stops = [
      StopRow(trace: .text("t"), n: 0, arrival: moment, departure: moment, point: point, street: nil, offset: 8)
    ]
    chunk.parts = [
      TracePartRow(
        trace: .number(1), part: 0, beginReason: "start", firstFix: 0, lastFix: 2, departure: moment, arrival: nil,
        centimetres: 1, milliseconds: 2, name: nil, shape: shape)
    ]
    chunk.streets = [
      TraceStreetRow(
        trace: 1, part: 2, n: 3, street: StreetDirection(fid: 4, isReversed: false), from: 5, to: 6, isUTurn: true,
        entered: 7, left: nil, observedMilliseconds: 8, expectedMilliseconds: 9, period: SpeedPeriod(moment))
    ]
    var fastest = TraceRow.Fastest()
    fastest.centimetres = 11
    chunk.traces = [
      TraceRow(
        id: .number(1), group: "a", status: .doubtful, statusReason: "few", fixCount: 1, keptCount: 2, matchedCount: 3,
        reasonCounts: ["speed": 4, "order": 5], partCount: 6, sigma: 7.5, departure: moment, arrival: nil, stopCount: 8,
        dwellMilliseconds: 9, ownCentimetres: 10, offRoadCentimetres: 11, box: nil,
        matched: .init(
          centimetres: 12, milliseconds: 13, movingMilliseconds: nil, movingExpectedMilliseconds: 14, fastest: fastest,
          uTurnCount: 15, rmsDistance: 16.5, maxSpeed: nil), shape: shape)
    ]
    chunk.snapDistances.add(17)
    return chunk
  }

  private static func isochrones() -> IsochroneWriter.Chunk {
    let hour = DepartureRow(
      number: 1, departure: nil, arrival: "x", weekday: "Mo", day: nil, time: "07:00", clockChange: -60)
    let row = IsochroneRow(
      place: .number(3), hour: hour, fromThreshold: 0, threshold: 600, status: .beyondLimit, found: nil)
    var chunk = IsochroneWriter.Chunk()
    (chunk.rows, chunk.areas) = (1, [row])
    return chunk
  }

  private static func access() -> AccessWriter.Chunk {
    let row = AccessRow(
      origin: 4, departure: 2, rank: 1, status: .ok,
      found: .init(station: 3, entrance: nil, milliseconds: .max, centimetres: 0))
    return .init(rows: 1, nearest: [row], features: DeflatedBlock(), routes: routes, sums: sums)
  }

  private func check<Value: Journaled>(_ value: Value) throws {
    var journal = JournalWriter()
    journal.put(value)
    let bytes = journal.bytes
    var reader = JournalReader(bytes)
    var again = JournalWriter()
    again.put(try reader.take(Value.self))
    #expect(reader.isAtEnd && again.bytes == bytes)
    for count in bytes.indices {
      var reader = JournalReader(Array(bytes[..<count]))
      #expect(throws: JournalReader.Failure.self) { try reader.take(Value.self) }
    }
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      var odd = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        odd[odd.indices.randomElement(using: &random)!] = UInt8.random(in: 0...255, using: &random)
      }
      var reader = JournalReader(odd)
      _ = try? reader.take(Value.self)
    }
  }

  @Test func routesAreRestored() throws { try check(JournalTests.routes) }
  @Test func tracesAreRestored() throws { try check(JournalTests.fixes) }
  @Test func areasAreRestored() throws { try check(JournalTests.isochrones()) }
  @Test func stationsAndSumsAreRestored() throws { try check(JournalTests.access()) }

  @Test func summariesAreRestored() throws {
    var summary = OriginSummary(origin: .text("a"), departure: nil)
    summary.nearest = .init(destination: .number(2), milliseconds: 7, centimetres: nil)
    summary.meanTravelTime = -0.1
    summary.within = [.init(threshold: 600, destinations: 3, weight: .infinity)]
    try check([summary])
    try check([
      CellHours(
        origin: .number(1), destination: .number(2), weekday: "Mo", times: [1, 5, .max], numbers: 1..<4, missing: .max,
        percentiles: [50, 99])
    ])
  }

  @Test func refusesImpossibleNumbers() {
    func refuses<Value: Journaled>(_ type: Value.Type, _ put: (inout JournalWriter) -> Void) {
      var journal = JournalWriter()
      put(&journal)
      var reader = JournalReader(journal.bytes)
      #expect(throws: JournalReader.Failure.self) { try reader.take(type) }
    }
    // A length that overflows when added, and a place off the earth.
    refuses(Int.self) { $0.put(Int.min) }
    refuses(FixedCoordinate.self) { for _ in 0..<2 { $0.put(Int32.max) } }
  }

  @Test func shardsAreEvenAndComplete() throws {
    for (count, chunks) in [(1, 0), (3, 10), (7, 5), (100_000, 3)] {
      let ranges = try (0..<count).map { try #require(Shard(index: $0, count: count)).range(of: chunks) }
      #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == chunks)
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
      let sizes = ranges.map(\.count)
      #expect(sizes.max()! - sizes.min()! <= 1)
    }
  }
}
