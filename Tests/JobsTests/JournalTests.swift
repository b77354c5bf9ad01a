import Geography
import Jobs
import Tables
import Testing

/// Journals of shards: every value is restored, and corrupt input never traps.
struct JournalTests {
  /// Returns a value decoded from random bytes, mostly small ones, which are often valid counts, flags and statuses.
  private func sample<Value: Journaled>(_: Value.Type, _ random: inout SeededGenerator) -> Value {
    func byte() -> UInt8 { [0, 0, 0, 1, 1, 2, 4, 8].randomElement(using: &random)! }
    var bytes = (0..<600).map { _ in byte() }
    while true {
      var reader = JournalReader(bytes)
      if let value = try? reader.take(Value.self) { return value }
      // Mostly only the last value is wrong.
      let start = Bool.random(using: &random) ? max(0, reader.position - 8) : 0
      for index in Int.random(in: start..<reader.position, using: &random)..<bytes.count { bytes[index] = byte() }
    }
  }

  private func bytes(of value: some Journaled) -> [UInt8] {
    var journal = JournalWriter()
    journal.put(value)
    return journal.bytes
  }

  private func check<Value: Journaled>(_: Value.Type) throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20 {
      let bytes = self.bytes(of: sample(Value.self, &random))
      var reader = JournalReader(bytes)
      let again = try reader.take(Value.self)
      #expect(reader.isAtEnd && self.bytes(of: again) == bytes)
      for count in bytes.indices {
        var reader = JournalReader(Array(bytes[..<count]))
        #expect(throws: JournalReader.Failure.self) { try reader.take(Value.self) }
      }
      for _ in 0..<500 {
        var odd = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          odd[odd.indices.randomElement(using: &random)!] = UInt8.random(in: 0...255, using: &random)
        }
        var reader = JournalReader(odd)
        _ = try? reader.take(Value.self)
      }
    }
  }

  @Test func routesAreRestored() throws { try check(RouteWriter.Chunk.self) }
  @Test func tracesAreRestored() throws { try check(TraceWriter.Chunk.self) }
  @Test func areasAreRestored() throws { try check(IsochroneWriter.Chunk.self) }
  @Test func stationsAndSumsAreRestored() throws { try check(AccessWriter.Chunk.self) }

  @Test func summariesAreRestored() throws {
    try check(OriginSummary.self)
    try check(CellHours.self)
  }

  /// Notes for each field of the records in a value whether it has ever differed from its initial value.
  private func note(_ value: Any, _ fields: inout [String: Bool]) {
    func encoded(_ value: Any) -> [UInt8] {
      (value as? any Journaled).map { self.bytes(of: $0) } ?? Array("\(value)".utf8)
    }
    func noteFields(_ record: some JournaledFields) {
      let initial = Mirror(reflecting: type(of: record).init())
      for (field, initial) in zip(Mirror(reflecting: record).children, initial.children) {
        let name = "\(String(reflecting: type(of: record))).\(field.label ?? "")"
        fields[name] = fields[name] == true || encoded(field.value) != encoded(initial.value)
      }
    }
    if let record = value as? any JournaledFields { noteFields(record) }
    for child in Mirror(reflecting: value).children { note(child.value, &fields) }
  }

  /// A field missing from `listFields` keeps its initial value. A lease is not stored: it belongs to this process.
  @Test func recordsListAllTheirFields() {
    var random = SeededGenerator(seed: 12)
    var fields: [String: Bool] = [:]
    for _ in 0..<40 where fields.count <= 200 || fields.values.count(where: { !$0 }) > 1 {
      note(sample(RouteWriter.Chunk.self, &random), &fields)
      note(sample(TraceWriter.Chunk.self, &random), &fields)
      note(sample(IsochroneWriter.Chunk.self, &random), &fields)
      note(sample(AccessWriter.Chunk.self, &random), &fields)
      note(sample(MatrixWriter.Block.self, &random), &fields)
    }
    #expect(fields.count > 200 && fields.filter { !$0.value }.map(\.key) == ["Jobs.MatrixWriter.Block.lease"])
  }

  @Test func refusesImpossibleNumbers() {
    func refuses<Value: Journaled>(_ type: Value.Type, _ put: (inout JournalWriter) -> Void) {
      var journal = JournalWriter()
      put(&journal)
      var reader = JournalReader(journal.bytes)
      #expect(throws: JournalReader.Failure.self) { try reader.take(type) }
    }
    // A length that overflows when added, and a place with coordinates out of range.
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
