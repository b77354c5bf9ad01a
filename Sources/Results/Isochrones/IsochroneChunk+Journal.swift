extension IsochroneWriter.Chunk: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(rows)
    journal.put(areas)
    journal.put(features)
    journal.put(streets)
  }

  package init(from journal: inout JournalReader) throws {
    rows = try journal.take()
    areas = try journal.take()
    features = try journal.take()
    streets = try journal.take()
  }
}

extension IsochroneRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(place)
    journal.put(hour)
    journal.put(fromThreshold)
    journal.put(threshold)
    journal.put(status)
    journal.put(found)
  }

  package init(from journal: inout JournalReader) throws {
    place = try journal.take()
    hour = try journal.take()
    fromThreshold = try journal.take()
    threshold = try journal.take()
    status = try journal.take()
    found = try journal.take()
  }
}

extension IsochroneRow.Found: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(squareMetres)
    journal.put(streetMetres)
    journal.put(shape)
  }

  package init(from journal: inout JournalReader) throws {
    squareMetres = try journal.take()
    streetMetres = try journal.take()
    shape = try journal.take()
  }
}

extension DepartureRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(number)
    journal.put(departure)
    journal.put(arrival)
    journal.put(weekday)
    journal.put(day)
    journal.put(time)
    journal.put(clockChange)
  }

  package init(from journal: inout JournalReader) throws {
    number = try journal.take()
    departure = try journal.take()
    arrival = try journal.take()
    weekday = try journal.take()
    day = try journal.take()
    time = try journal.take()
    clockChange = try journal.take()
  }
}
