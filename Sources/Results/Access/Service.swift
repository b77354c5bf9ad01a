/// How much can get to a station, or to a line, within each threshold: by threshold, then by measure.
package struct Service: Sendable {
  package var values: [[Double]]
  package init(thresholds: Int, measures: Int) {
    values = Array(repeating: Array(repeating: 0, count: measures), count: thresholds)
  }

  /// Adds up over the thresholds what was counted at the first one that it is within.
  package mutating func accumulate() {
    for threshold in values.indices.dropFirst() {
      for measure in values[threshold].indices { values[threshold][measure] += values[threshold - 1][measure] }
    }
  }
}

/// What each station serves, and each line by all of its stations together.
package struct AccessServices: Sendable {
  /// In the order of the stations.
  package var stations: [Service]
  /// In the order in which they are written.
  package var lines: [Line]

  package struct Line: Sendable {
    package var name: String
    package var stations: Int
    package var service: Service
  }

  /// - Parameter services: By `AccessPlaces.servingStations`.
  package init(_ services: [Service], of places: AccessPlaces) {
    stations = Array(services.prefix(places.stations.count))
    lines = zip(places.stationsOfLines, services.dropFirst(places.stations.count)).map { line, service in
      Line(name: line.name, stations: line.stations.count, service: service)
    }
  }
}
