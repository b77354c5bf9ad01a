import Geography

extension RouteWriter.Chunk: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(rows)
    journal.put(unsigned: UInt64(routes.count))
    for (row, steps) in routes {
      journal.put(row)
      journal.put(steps)
    }
    journal.put(phrases)
    journal.put(features)
  }

  package init(from journal: inout JournalReader) throws {
    rows = try journal.take()
    routes = try (0..<journal.takeCount()).map { _ in (try journal.take(), try journal.take()) }
    phrases = try journal.take()
    features = try journal.take()
    guard routes.allSatisfy({ $0.steps.allSatisfy { phrases.indices.contains($0.phrase) } }) else {
      throw JournalReader.Failure()
    }
  }
}

extension RouteRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(pair)
    journal.put(alternative)
    journal.put(leg)
    journal.put(origin)
    journal.put(destination)
    journal.put(group)
    journal.put(weight)
    journal.put(avoids)
    journal.put(status)
    journal.put(reason)
    journal.put(transportType)
    journal.put(straightLineCentimetres)
    journal.put(found)
    journal.put(departure)
    journal.put(arrival)
    journal.put(arrivalTime)
    journal.put(hour)
    journal.put(link)
  }

  package init(from journal: inout JournalReader) throws {
    pair = try journal.take()
    alternative = try journal.take()
    leg = try journal.take()
    origin = try journal.take()
    destination = try journal.take()
    group = try journal.take()
    weight = try journal.take()
    avoids = try journal.take()
    status = try journal.take()
    reason = try journal.take()
    transportType = try journal.take()
    straightLineCentimetres = try journal.take()
    found = try journal.take()
    departure = try journal.take()
    arrival = try journal.take()
    arrivalTime = try journal.take()
    hour = try journal.take()
    link = try journal.take()
  }
}

extension RouteRow.Found: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(centimetres)
    journal.put(milliseconds)
    journal.put(staticMilliseconds)
    journal.put(waitingMilliseconds)
    journal.put(route)
  }

  package init(from journal: inout JournalReader) throws {
    centimetres = try journal.take()
    milliseconds = try journal.take()
    staticMilliseconds = try journal.take()
    waitingMilliseconds = try journal.take()
    route = try journal.take()
  }
}

extension RouteRow.Details: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(name)
    journal.put(stepCount)
    journal.put(hasTolls)
    journal.put(hasHighways)
    journal.put(advisoryNotices)
    journal.put(ascent)
    journal.put(descent)
    journal.put(heights?.text)
    journal.put(shape)
  }

  package init(from journal: inout JournalReader) throws {
    name = try journal.take()
    stepCount = try journal.take()
    hasTolls = try journal.take()
    hasHighways = try journal.take()
    advisoryNotices = try journal.take()
    ascent = try journal.take()
    descent = try journal.take()
    heights = (try journal.take() as String?).flatMap(RouteHeights.init(text:))
    shape = try journal.take()
  }
}

extension StepRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(pair)
    journal.put(leg)
    journal.put(alternative)
    journal.put(hour)
    journal.put(step)
    journal.put(phrase)
    journal.put(centimetres)
    journal.put(milliseconds)
    journal.put(ascent)
    journal.put(descent)
    journal.put(start)
    journal.put(hasGeometry)
  }

  package init(from journal: inout JournalReader) throws {
    pair = try journal.take()
    leg = try journal.take()
    alternative = try journal.take()
    hour = try journal.take()
    step = try journal.take()
    phrase = try journal.take()
    centimetres = try journal.take()
    milliseconds = try journal.take()
    ascent = try journal.take()
    descent = try journal.take()
    start = try journal.take()
    hasGeometry = try journal.take()
  }
}

extension PhraseRow: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(instructions)
    journal.put(notice)
    journal.put(transportType)
    journal.put(maneuver)
    journal.put(street)
  }

  package init(from journal: inout JournalReader) throws {
    instructions = try journal.take()
    notice = try journal.take()
    transportType = try journal.take()
    maneuver = try journal.take()
    street = try journal.take()
  }
}
