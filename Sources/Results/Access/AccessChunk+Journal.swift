extension AccessWriter.Chunk: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(rows)
    journal.put(nearest)
    journal.put(features)
    journal.put(routes)
    journal.put(sums)
  }

  package init(from journal: inout JournalReader) throws {
    rows = try journal.take()
    nearest = try journal.take()
    features = try journal.take()
    routes = try journal.take()
    sums = try journal.take()
  }
}

extension AccessRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(origin)
    journal.put(departure)
    journal.put(rank)
    journal.put(status)
    journal.put(found)
  }

  package init(from journal: inout JournalReader) throws {
    origin = try journal.take()
    departure = try journal.take()
    rank = try journal.take()
    status = try journal.take()
    found = try journal.take()
  }
}

extension AccessRow.Found: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(station)
    journal.put(entrance)
    journal.put(milliseconds)
    journal.put(centimetres)
  }

  package init(from journal: inout JournalReader) throws {
    station = try journal.take()
    entrance = try journal.take()
    milliseconds = try journal.take()
    centimetres = try journal.take()
  }
}
