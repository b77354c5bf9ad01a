import Foundation
import Geography
import Input
import Tables
import TransitNetwork

extension AccessTask {
  func read(for job: Job, in context: JobContext?) throws -> JobInput {
    let (area, hours) = (context.area, job.hours.count)
    var origins = try PlaceTable(
      path: self.origins, role: .origin, area: area, keys: columns, duplicates: job.duplicates)
    var stations = try StationTable(
      self.stations, map: job.map, types: routeTypes, area: area, joining: joinStops, boarding: wheelchairBoarding,
      unserved: unservedStops, duplicates: job.duplicates)
    if !(origins.places.allSatisfy(\.id.isNumber) && stations.idsAreNumbers) {
      origins.useTextIDs()
      stations.useTextIDs()
    }
    guard !origins.weights.contains(where: { $0.name == AccessPlaces.originsMeasure }) else {
      throw .input(
        self.origins,
        "the column \(AccessPlaces.originsMeasure) cannot be a weight, since the origins themselves are counted "
          + "under that name; rename it, or list the other columns to count in the key weights")
    }
    let rejected = origins.rejected + stations.rejected
    let joined = stations.joinedStops == 0 ? "" : ", \(stations.joinedStops) stops joined to others with the same name"
    let entrances = stations.entrances.count { $0.place.role == .entrance }
    return JobInput(
      rejected: rejected, notes: try origins.notes + stations.notes + unitNotes(job, origins),
      weightColumns: [.origin: origins.weightColumn],
      summary: """
        \(self.origins): \(origins.places.count.counted("origin")) (\(origins.columns))
        \(self.stations): \(stations.stations.count.counted("station")), \(entrances.counted("entrance")), \
        \(Set(stations.lines.joined()).count.counted("line"))\(joined)
        the \(nearest) nearest for each origin\(hours > 1 ? " at each of \(hours) hours" : ""), \
        \(rejected.count.counted("row")) to be rejected
        """
    ) { [origins, stations] in try prepare(origins, stations, in: $0) }
  }

  /// Returns notes about columns in the key `unit` that are not measures.
  private func unitNotes(_ job: Job, _ origins: PlaceTable) throws -> [String] {
    let measures = [AccessPlaces.originsMeasure] + origins.weights.map(\.name)
    return try job.identity.units.map(\.column).filter { !measures.contains($0) }.map { column in
      "\(self.origins): unit: got \(RowProblem.excerpt(column)), expected one of \(RowProblem.list(measures))"
    }
  }

  private func prepare(_ origins: PlaceTable, _ stations: StationTable, in context: JobContext) throws -> AccessJob {
    let ends = (
      origins: try context.snap("origins", origins.places), stations: try context.snap("stations", stations.stations),
      entrances: try context.snap("entrances", stations.entrances.map(\.place))
    )
    let separateEntrances = zip(stations.entrances, ends.entrances).filter { $0.0.place.role == .entrance }
    let places = AccessPlaces(
      origins: PlaceRows(origins.places, ends.origins, on: context.network).all,
      stations: PlaceRows(stations.stations, ends.stations, on: context.network).all,
      entrances: PlaceRows(separateEntrances.map(\.0.place), separateEntrances.map(\.1), on: context.network).all,
      weights: origins.weights.map { ($0.name, $0.values) }, lines: stations.lines)
    let areas = origins.areas.backdrop(of: origins.places, class: PlaceRole.origin.rawValue)
    let stops = try context.transit.map { try TransitStops($0, in: context) }
    return try AccessJob(self, places, ends, stations.entrances, areas: areas, by: stops, in: context)
  }
}

/// The places of a job of kind `access`, in the order of table `place`.
package struct AccessPlaces: Sendable {
  package let origins: [PlaceRow]
  package let stations: [PlaceRow]
  /// Entrances that are separate from their stations.
  package let entrances: [PlaceRow]
  /// The weights of origins, by measure; NaN for a missing value.
  package let weights: [(name: String, values: [Double])]
  /// The lines that serve each station.
  package let lines: [[String]]
  /// The number of counting units per unit of each weight.
  private let unitsOfWeights: [Double]

  package init(
    origins: [PlaceRow], stations: [PlaceRow], entrances: [PlaceRow], weights: [(name: String, values: [Double])],
    lines: [[String]]
  ) {
    (self.origins, self.stations, self.entrances) = (origins, stations, entrances)
    (self.weights, self.lines) = (weights, lines)
    unitsOfWeights = weights.map { AccessPlaces.units(of: $0.values) }
  }

  /// The stations of each line, in the order of the lines' names.
  var stationsOfLines: [(name: String, stations: [Int])] {
    var stationsOfLines: [String: [Int]] = [:]
    for (station, lines) in lines.enumerated() {
      for line in lines { stationsOfLines[line, default: []].append(station) }
    }
    return stationsOfLines.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The stations of each service: the single stations, then the lines.
  var servingStations: [[Int]] { stations.indices.map { [$0] } + stationsOfLines.map(\.stations) }

  package var count: Int { origins.count + stations.count + entrances.count }
  var all: [PlaceRow] { origins + stations + entrances }

  /// The row numbers of each list in table `place`, from 1.
  var rows: Rows { Rows(origins: origins.count, stations: stations.count) }

  struct Rows: Sendable {
    fileprivate let origins: Int
    fileprivate let stations: Int

    func ofOrigin(_ index: Int) -> Int { index + 1 }
    func ofStation(_ index: Int) -> Int { origins + index + 1 }
    func ofEntrance(_ index: Int) -> Int { origins + stations + index + 1 }
    func origin(of row: Int) -> Int { row - 1 }
    func station(of row: Int) -> Int { row - 1 - origins }
    func entrance(of row: Int) -> Int { row - 1 - origins - stations }
  }

  /// The name of the measure that counts origins: the first of `measures`, before the weights.
  package static let originsMeasure = "origins"
  package var measures: [String] { [AccessPlaces.originsMeasure] + weights.map(\.name) }

  /// Returns the amount of each origin as a whole number of counting units for every measure, ordered by origin, then
  /// measure; zero outside the coverage.
  package func counts() -> [Int64] {
    var counts: [Int64] = []
    counts.reserveCapacity(origins.count * (weights.count + 1))
    for (index, origin) in origins.enumerated() {
      let isCounted = origin.status != .outsideCoverage
      counts.append(isCounted ? 1 : 0)
      for (weight, units) in zip(weights, unitsOfWeights) {
        let value = weight.values[index]
        counts.append(isCounted && !value.isNaN ? Int64((value * units).rounded()) : 0)
      }
    }
    return counts
  }

  /// Converts sums in counting units to values, by measure.
  func values(_ sums: some Sequence<Int64>) -> [Double] { zip(sums, [1] + unitsOfWeights).map { Double($0) / $1 } }

  /// Returns the number of counting units per unit: the largest power of ten for which sums are exact, so that the total
  /// has about fifteen digits. Sums then do not depend on the order of additions, and 0.1 plus 0.2 is 0.3.
  private static func units(of weights: [Double]) -> Double {
    let total = weights.reduce(0) { $1.isNaN ? $0 : $0 + abs($1) }
    guard total > 0 else { return 1 }
    // Neither an infinite total nor a tiny one, whose power of ten would be infinite, must trap.
    let digits = total.isFinite ? log10(total) : 309 + log10(Double(weights.count))
    return pow(10, min(300, (log10(0x1p53) - digits).rounded(.down) - 1))
  }

  /// The rows of table `place_weight`.
  var weightRows: [(place: Int, measure: String, value: Double)] {
    origins.indices.flatMap { origin in
      weights.filter { !$0.values[origin].isNaN }.map { (rows.ofOrigin(origin), $0.name, $0.values[origin]) }
    }
  }
}
