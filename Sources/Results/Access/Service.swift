/// How much can get to a station, or to a line, within each threshold: by threshold, then by measure.
package struct Service: Sendable {
  package var values: [[Double]]
  package init(thresholds: Int, measures: Int) {
    values = Array(repeating: Array(repeating: 0, count: measures), count: thresholds)
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
    package init(name: String, stations: Int, service: Service) {
      (self.name, self.stations, self.service) = (name, stations, service)
    }
  }

  package init(stations: [Service], lines: [Line]) { (self.stations, self.lines) = (stations, lines) }
}
