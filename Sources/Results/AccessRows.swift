import Geography

/// The places of a job of kind `access`, in the order in which they are written.
package struct AccessPlaces: Sendable {
  package var origins: [PlaceRow]
  package var stations: [PlaceRow]
  /// Doors of stations that are places of their own.
  package var entrances: [PlaceRow]
  /// What origins weigh: a value each, NaN for none.
  package var weights: [(name: String, values: [Double])]
  /// The lines that call at each station.
  package var lines: [[String]]

  package init(
    origins: [PlaceRow], stations: [PlaceRow], entrances: [PlaceRow], weights: [(name: String, values: [Double])],
    lines: [[String]]
  ) {
    self.origins = origins
    self.stations = stations
    self.entrances = entrances
    self.weights = weights
    self.lines = lines
  }

  /// What is counted: the origins themselves, then their weights.
  package static let origins = "origins"
  package var measures: [String] { [AccessPlaces.origins] + weights.map(\.name) }

  /// What each origin counts: a value for every measure, by origin and then measure; nothing outside of the coverage.
  package func counts() -> [Double] {
    var counts: [Double] = []
    counts.reserveCapacity(origins.count * (weights.count + 1))
    for (number, origin) in origins.enumerated() {
      let counted = origin.status == .outsideCoverage ? 0.0 : 1
      counts.append(counted)
      for weight in weights { counts.append(weight.values[number].isNaN ? 0 : weight.values[number] * counted) }
    }
    return counts
  }
}

/// A row of table `access_row`: an origin and one of its nearest stations, or why there is none.
package struct AccessRow: Sendable {
  /// Its number.
  package var origin: UInt32
  /// 1 for the nearest; 0 where there is none.
  package var rank: UInt8
  package var status: RowStatus
  package var found: Found?

  package struct Found: Sendable {
    /// Numbers of the station, and of the entrance, where that is a place of its own.
    package var station: UInt32
    package var entrance: UInt32?
    package var milliseconds: UInt32
    package var centimetres: UInt32
    package init(station: UInt32, entrance: UInt32?, milliseconds: UInt32, centimetres: UInt32) {
      (self.station, self.entrance) = (station, entrance)
      (self.milliseconds, self.centimetres) = (milliseconds, centimetres)
    }
  }

  package init(origin: UInt32, rank: UInt8, status: RowStatus, found: Found?) {
    (self.origin, self.rank, self.status, self.found) = (origin, rank, status, found)
  }
}

/// How much can walk to a station, or to a line, within each threshold: by threshold, then by measure.
package struct Service: Sendable {
  package var values: [[Double]]
  package init(thresholds: Int, measures: Int) {
    values = Array(repeating: Array(repeating: 0, count: measures), count: thresholds)
  }
}

/// What a line serves by all of its stations together.
package struct LineService: Sendable {
  package var name: String
  package var stations: Int
  package var service: Service
  package init(name: String, stations: Int, service: Service) {
    (self.name, self.stations, self.service) = (name, stations, service)
  }
}

/// What the trips to nearest stations add up to.
struct NearestTrips {
  /// By measure: the sum of all origins.
  private(set) var totals: [Double]
  /// By half minutes, then by measure: what has its nearest station within so many of them and not fewer.
  private(set) var walks: [[Double]]
  /// By threshold and measure.
  private(set) var served: [[Double]]
  /// By station, threshold and measure: those to whom it is the nearest.
  private(set) var nearest: [Int: [[Double]]] = [:]
  private(set) var measures = Measures(scope: "job")

  /// From the rows of the nearest stations in a database.
  init(_ database: SQLite, _ places: AccessPlaces, _ thresholds: [Int]) throws {
    let counts = places.counts()
    let width = places.measures.count
    let none = Service(thresholds: thresholds.count, measures: width).values
    let entrances = places.origins.count + places.stations.count
    totals = Array(repeating: 0, count: width)
    walks = Array(repeating: totals, count: thresholds.last! / 30 * 2 + 1)
    served = none
    for origin in places.origins.indices {
      for measure in 0..<width { totals[measure] += counts[origin * width + measure] }
    }
    let rows = try database.prepare(Schema.nearestTrips)
    while try rows.next() {
      let (origin, station) = (rows.integer(0) - 1, rows.integer(1) - places.origins.count - 1)
      let door = rows.isNull(2) ? places.stations[station] : places.entrances[rows.integer(2) - entrances - 1]
      let (milliseconds, metres) = (rows.integer(3), rows.double(4) / 100)
      measures.add(metres, to: .distance)
      measures.add(Double(milliseconds) / 1000, to: .expectedTravelTime)
      if milliseconds > 0 { measures.add(metres / Double(milliseconds) * 1000, to: .speed) }
      let crowFly = places.origins[origin].coordinate.distance(to: door.coordinate)
      if crowFly > 0 { measures.add(metres / crowFly, to: .detour) }
      let halfMinutes = (milliseconds + 29_999) / 30_000
      if halfMinutes < walks.count { add(counts, origin, to: &walks[halfMinutes]) }
      guard let first = thresholds.firstIndex(where: { milliseconds <= $0 * 1000 }) else { continue }
      for threshold in first..<thresholds.count {
        add(counts, origin, to: &served[threshold])
        add(counts, origin, to: &nearest[station, default: none][threshold])
      }
    }
  }

  private func add(_ counts: [Double], _ origin: Int, to sums: inout [Double]) {
    for measure in sums.indices { sums[measure] += counts[origin * sums.count + measure] }
  }
}
