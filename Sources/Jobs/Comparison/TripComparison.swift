import Tables

/// Trips side by side with the times that another program found for their ends, or their pairs.
struct TripComparison {
  private let times: TravelTimes
  private let query: String

  init(_ times: TravelTimes, _ query: String) { (self.times, self.query) = (times, query) }

  /// Trips in their order; then times that belong to none.
  ///
  /// - Parameter database: The new results are attached to it.
  func forEachRow(_ database: SQLite, _ body: (ComparedRow) throws -> Void) throws {
    var isUsed = [Bool](repeating: false, count: times.count)
    let row = try database.prepare(query)
    while try row.next() {
      let (origin, destination): (String, String?) = (try row["origin"], try row["destination"])
      let hour: Int = try row["departure"]
      let number = times.origins[origin].flatMap { first in
        times.destinations[times.areOfPairs ? "" : destination ?? ""].flatMap {
          times.number(ofRow: first * times.hours + hour - 1, column: $0)
        }
      }
      if let number { isUsed[number] = true }
      let time = number.map { times.time($0) }
      try body(
        ComparedRow(
          item: try row["item"], origin: times.areOfPairs ? nil : origin, destination: destination,
          zone: try row["zone"] ?? origin, oldStatus: time.map { $0 < 0 ? .directionsNotFound : .ok },
          newStatus: try row["status"], oldValue: time.flatMap(TripComparison.seconds), newValue: try row["value"]))
    }
    for (index, origin) in times.origins.names.enumerated() {
      for hour in 0..<times.hours {
        for number in times.numbers(ofRow: index * times.hours + hour) where !isUsed[number] {
          try body(unused(number, of: origin))
        }
      }
    }
  }

  /// A time that belongs to no trip.
  private func unused(_ number: Int, of origin: String) -> ComparedRow {
    let destination = times.destinations.names[times.column(of: number)]
    let time = times.time(number)
    return ComparedRow(
      item: times.areOfPairs ? origin : "\(origin), \(destination)", origin: times.areOfPairs ? nil : origin,
      destination: times.areOfPairs ? nil : destination, zone: origin,
      oldStatus: time < 0 ? .directionsNotFound : .ok, newStatus: nil, oldValue: TripComparison.seconds(time),
      newValue: nil)
  }

  private static func seconds(_ time: Int64) -> Double? { time < 0 ? nil : Double(time) / 1000 }
}
