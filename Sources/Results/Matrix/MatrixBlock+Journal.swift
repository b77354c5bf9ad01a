extension MatrixWriter.Block: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(rows)
    journal.put(unsigned: UInt64(keys.count))
    for (origin, departure) in keys {
      journal.put(origin)
      journal.put(departure)
    }
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
    let keys: [(origin: Identifier, departure: Int?)] = try (0..<journal.takeCount()).map { _ in
      (try journal.take(), try journal.take())
    }
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

extension OriginSummary: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(origin)
    journal.put(departure)
    journal.put(reachable)
    journal.put(nearest)
    journal.put(meanTravelTime)
    journal.put(meanDistance)
    journal.put(waiting)
    journal.put(within)
  }

  package init(from journal: inout JournalReader) throws {
    origin = try journal.take()
    departure = try journal.take()
    reachable = try journal.take()
    nearest = try journal.take()
    meanTravelTime = try journal.take()
    meanDistance = try journal.take()
    waiting = try journal.take()
    within = try journal.take()
  }
}

extension OriginSummary.Nearest: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(destination)
    journal.put(milliseconds)
    journal.put(centimetres)
  }

  package init(from journal: inout JournalReader) throws {
    destination = try journal.take()
    milliseconds = try journal.take()
    centimetres = try journal.take()
  }
}

extension OriginSummary.Waiting: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(destinations)
    journal.put(mean)
  }

  package init(from journal: inout JournalReader) throws {
    destinations = try journal.take()
    mean = try journal.take()
  }
}

extension OriginSummary.Within: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(threshold)
    journal.put(destinations)
    journal.put(weight)
  }

  package init(from journal: inout JournalReader) throws {
    threshold = try journal.take()
    destinations = try journal.take()
    weight = try journal.take()
  }
}

extension CellHours: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(origin)
    journal.put(destination)
    journal.put(weekday)
    journal.put(reachable)
    journal.put(worstDeparture)
    journal.put(worst)
    journal.put(mean)
    journal.put(percentiles)
  }

  package init(from journal: inout JournalReader) throws {
    origin = try journal.take()
    destination = try journal.take()
    weekday = try journal.take()
    reachable = try journal.take()
    worstDeparture = try journal.take()
    worst = try journal.take()
    mean = try journal.take()
    percentiles = try journal.take()
  }
}
