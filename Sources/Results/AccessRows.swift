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

  /// What an origin counts in each measure; nothing outside of the coverage.
  package func values(of origin: Int) -> [Double] {
    guard origins[origin].status != .outsideCoverage else { return measures.map { _ in 0 } }
    return [1] + weights.map { $0.values[origin].isNaN ? 0 : $0.values[origin] }
  }

  /// The sum of all origins in each measure.
  package var totals: [Double] {
    origins.indices.reduce(into: measures.map { _ in 0 }) { totals, origin in
      for (measure, value) in values(of: origin).enumerated() { totals[measure] += value }
    }
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
  /// By measure.
  var totals: [Double]
  /// By threshold and measure.
  var served: [[Double]]
  /// By station, threshold and measure: those to whom it is the nearest.
  var nearest: [Int: [[Double]]] = [:]
  var measures = Measures(scope: "job")
}

extension SQLite {
  /// Adds up the rows of the nearest stations.
  func nearestTrips(_ places: AccessPlaces, _ thresholds: [Int]) throws -> NearestTrips {
    let none = Service(thresholds: thresholds.count, measures: places.measures.count).values
    var trips = NearestTrips(totals: places.totals, served: none)
    let entrances = places.origins.count + places.stations.count
    let rows = try prepare(Schema.nearestTrips)
    while try rows.next() {
      let (origin, station) = (rows.integer(0) - 1, rows.integer(1) - places.origins.count - 1)
      let door = rows.isNull(2) ? places.stations[station] : places.entrances[rows.integer(2) - entrances - 1]
      let (milliseconds, metres) = (rows.integer(3), rows.double(4) / 100)
      trips.measures.add(metres, to: .distance)
      trips.measures.add(Double(milliseconds) / 1000, to: .expectedTravelTime)
      if milliseconds > 0 { trips.measures.add(metres / Double(milliseconds) * 1000, to: .speed) }
      let crowFly = places.origins[origin].coordinate.distance(to: door.coordinate)
      if crowFly > 0 { trips.measures.add(metres / crowFly, to: .detour) }
      guard let first = thresholds.firstIndex(where: { milliseconds <= $0 * 1000 }) else { continue }
      for (measure, value) in places.values(of: origin).enumerated() {
        for threshold in first..<thresholds.count {
          trips.served[threshold][measure] += value
          trips.nearest[station, default: none][threshold][measure] += value
        }
      }
    }
    return trips
  }
}
