extension TraceWriter.Chunk: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(rows)
    journal.put(traces)
    journal.put(parts)
    journal.put(stops)
    journal.put(streets)
    journal.put(fixes)
    journal.put(fixText)
    journal.put(features)
    journal.put(snapDistances)
  }

  package init(from journal: inout JournalReader) throws {
    rows = try journal.take()
    traces = try journal.take()
    parts = try journal.take()
    stops = try journal.take()
    streets = try journal.take()
    fixes = try journal.take()
    fixText = try journal.take()
    features = try journal.take()
    snapDistances = try journal.take()
  }
}

extension TraceRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(id)
    journal.put(group)
    journal.put(status)
    journal.put(statusReason)
    journal.put(fixCount)
    journal.put(keptCount)
    journal.put(matchedCount)
    journal.put(TraceRow.reasons.map { reasonCounts[$0.name] })
    journal.put(partCount)
    journal.put(sigma)
    journal.put(departure)
    journal.put(arrival)
    journal.put(stopCount)
    journal.put(dwellMilliseconds)
    journal.put(ownCentimetres)
    journal.put(offRoadCentimetres)
    journal.put(box)
    journal.put(matched)
    journal.put(shape)
  }

  package init(from journal: inout JournalReader) throws {
    id = try journal.take()
    group = try journal.take()
    status = try journal.take()
    statusReason = try journal.take()
    fixCount = try journal.take()
    keptCount = try journal.take()
    matchedCount = try journal.take()
    let counts: [Int?] = try journal.take()
    reasonCounts = Dictionary(uniqueKeysWithValues: zip(TraceRow.reasons.map(\.name), counts)).compactMapValues(\.self)
    partCount = try journal.take()
    sigma = try journal.take()
    departure = try journal.take()
    arrival = try journal.take()
    stopCount = try journal.take()
    dwellMilliseconds = try journal.take()
    ownCentimetres = try journal.take()
    offRoadCentimetres = try journal.take()
    box = try journal.take()
    matched = try journal.take()
    shape = try journal.take()
  }
}

extension TraceRow.Matched: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(centimetres)
    journal.put(milliseconds)
    journal.put(movingMilliseconds)
    journal.put(movingExpectedMilliseconds)
    journal.put(fastest?.centimetres)
    journal.put(fastest?.milliseconds)
    journal.put(uTurnCount)
    journal.put(rmsDistance)
    journal.put(maxSpeed)
  }

  package init(from journal: inout JournalReader) throws {
    centimetres = try journal.take()
    milliseconds = try journal.take()
    movingMilliseconds = try journal.take()
    movingExpectedMilliseconds = try journal.take()
    let (length, time): (Int?, Int?) = (try journal.take(), try journal.take())
    fastest = length.flatMap { length in time.map { (length, $0) } }
    uTurnCount = try journal.take()
    rmsDistance = try journal.take()
    maxSpeed = try journal.take()
  }
}

extension TracePartRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(trace)
    journal.put(part)
    journal.put(beginReason)
    journal.put(firstFix)
    journal.put(lastFix)
    journal.put(departure)
    journal.put(arrival)
    journal.put(centimetres)
    journal.put(milliseconds)
    journal.put(name)
    journal.put(shape)
  }

  package init(from journal: inout JournalReader) throws {
    trace = try journal.take()
    part = try journal.take()
    beginReason = try journal.take()
    firstFix = try journal.take()
    lastFix = try journal.take()
    departure = try journal.take()
    arrival = try journal.take()
    centimetres = try journal.take()
    milliseconds = try journal.take()
    name = try journal.take()
    shape = try journal.take()
  }
}

extension StopRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(trace)
    journal.put(n)
    journal.put(arrival)
    journal.put(departure)
    journal.put(point)
    journal.put(street)
    journal.put(offset)
  }

  package init(from journal: inout JournalReader) throws {
    trace = try journal.take()
    n = try journal.take()
    arrival = try journal.take()
    departure = try journal.take()
    point = try journal.take()
    street = try journal.take()
    offset = try journal.take()
  }
}

extension TraceStreetRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(trace)
    journal.put(part)
    journal.put(n)
    journal.put(street)
    journal.put(from)
    journal.put(to)
    journal.put(isUTurn)
    journal.put(entered)
    journal.put(left)
    journal.put(observedMilliseconds)
    journal.put(expectedMilliseconds)
    journal.put(period?.number)
  }

  package init(from journal: inout JournalReader) throws {
    trace = try journal.take()
    part = try journal.take()
    n = try journal.take()
    street = try journal.take()
    from = try journal.take()
    to = try journal.take()
    isUTurn = try journal.take()
    entered = try journal.take()
    left = try journal.take()
    observedMilliseconds = try journal.take()
    expectedMilliseconds = try journal.take()
    period = try journal.take(Int?.self).map { number in
      guard let period = SpeedPeriod(number: number) else { throw JournalReader.Failure() }
      return period
    }
  }
}

extension FixRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(trace)
    journal.put(n)
    journal.put(milliseconds)
    journal.put(point)
    journal.put(accuracyCentimetres)
    journal.put(isKept)
    journal.put(reason)
    journal.put(place)
  }

  package init(from journal: inout JournalReader) throws {
    trace = try journal.take()
    n = try journal.take()
    milliseconds = try journal.take()
    point = try journal.take()
    accuracyCentimetres = try journal.take()
    isKept = try journal.take()
    reason = try journal.take()
    place = try journal.take()
  }
}

extension FixRow.Place: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(part)
    journal.put(street)
    journal.put(offset)
    journal.put(snapDistance)
    journal.put(along)
    journal.put(point)
  }

  package init(from journal: inout JournalReader) throws {
    part = try journal.take()
    street = try journal.take()
    offset = try journal.take()
    snapDistance = try journal.take()
    along = try journal.take()
    point = try journal.take()
  }
}

extension StreetDirection: Journaled {
  package func write(to journal: inout JournalWriter) { journal.put(number) }
  package init(from journal: inout JournalReader) throws { self.init(number: try journal.take()) }
}

extension Moment: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(milliseconds)
    journal.put(secondsFromGMT)
  }

  package init(from journal: inout JournalReader) throws {
    milliseconds = try journal.take()
    secondsFromGMT = try journal.take()
  }
}
