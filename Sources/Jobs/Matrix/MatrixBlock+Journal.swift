import Tables

extension MatrixWriter.Block: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(rows)
    journal.put(keys)
    journal.put(bytes: text.bytes(0..<text.count))
    journal.put(ends)
    journal.put(fixed: travelTimes)
    journal.put(fixed: distances)
    journal.put(csv)
    journal.put(times)
    journal.put(lengths)
    journal.put(summaries)
    journal.put(hours)
  }

  package init(from journal: inout JournalReader) throws {
    let rows: Int = try journal.take()
    let keys = try journal.take([Key].self)
    self.init(rows: rows, text: TextBytes(try journal.takeBytes()))
    self.keys = keys
    ends = try journal.take()
    guard zip(ends, ends.dropFirst()).allSatisfy(<=), ends.first ?? 0 >= 0, ends.last ?? 0 <= text.count else {
      throw JournalReader.Failure()
    }
    travelTimes = try journal.takeFixed()
    distances = try journal.takeFixed()
    csv = try journal.take()
    times = try journal.take()
    lengths = try journal.take()
    summaries = try journal.take()
    hours = try journal.take()
  }
}

extension MatrixWriter.Block.Key: JournaledFields {
  package mutating func visit<Journal: JournalVisitor>(_ journal: inout Journal) throws(Journal.Problem) {
    try journal(&origin, &departure)
  }
}
