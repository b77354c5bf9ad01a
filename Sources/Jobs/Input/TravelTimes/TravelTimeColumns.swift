import Tables

/// Which columns of another program's table say where a trip leads and how long it takes.
struct TravelTimeColumns {
  /// Ends; or the pair's id, without a destination.
  var origin: Int
  var destination: Int?
  var time: Int
  /// What the time's column is in, by its name.
  var unit: TimeUnit
  /// The hour: its number, or its date.
  var hour: Int?

  /// What a time is called, where nothing else is said, in the order in which they are chosen: in seconds.
  private static let words = [
    "expectedtraveltime", "traveltime", "duration", "totalduration", "totaltime", "durations", "traveltimes", "time",
  ]
  private static let pairs = ["pairid", "id", "pair", "tripid", "routeid"]
  static let examples = [
    "travel_time", "duration", "duration_s", "travel_time_min", "travel_time_p50 (minutes)",
  ]

  /// Nil where the header has neither ends nor times: its columns may be destinations. *Throws*: `InputError`.
  init?(_ header: [String], file: String) throws {
    let names = header.map(EndNames.plain)
    func first(_ words: [String]) -> Int? { words.lazy.compactMap { names.firstIndex(of: $0) }.first }
    let (origin, destination) = (
      first(EndNames.origin.references(in: names)), first(EndNames.destination.references(in: names))
    )
    let time = try TravelTimeColumns.time(names, header, file: file)
    let pair = origin == nil && destination == nil ? first(TravelTimeColumns.pairs) : nil
    hour = first(["departure", "departuredate", "departuretime"])
    switch (origin ?? pair, destination, time) {
    case (let origin?, let destination?, let time?):
      (self.origin, self.destination, self.time, unit) = (origin, destination, time.column, time.unit)
    case (let origin?, nil, let time?) where pair != nil:
      (self.origin, self.destination, self.time, unit) = (origin, nil, time.column, time.unit)
    case (_, _, nil) where origin != nil && destination != nil:
      throw InputError(
        file: file, noColumnFor: "travel time", in: header, of: TravelTimeColumns.examples)
    case (_, _, _?) where header.count < 4 || origin != nil || destination != nil:
      let isOrigin = origin == nil
      throw InputError(
        file: file, noColumnFor: isOrigin ? "origin" : "destination", in: header,
        of: isOrigin ? ["from_id", "origin_id", "pair_id"] : ["to_id", "destination_id"])
    default: return nil
    }
  }

  /// The column of times and its unit: in seconds if there is such a one, else r5r's median. *Throws*: `InputError` where
  /// there are several of which none is the one.
  private static func time(
    _ names: [String], _ header: [String], file: String
  ) throws -> (column: Int, unit: TimeUnit)? {
    for word in words {
      if let column = names.firstIndex(of: word) {
        // As r5r's itineraries have it.
        return (column, word == "totalduration" ? .minutes : .seconds)
      }
      for unit in TimeUnit.allCases {
        let column = unit.endings.lazy.compactMap { names.firstIndex(of: word + $0) }.first
        if let column { return (column, unit) }
      }
    }
    let percentiles = names.indices.filter { names[$0].wholeMatch(of: /traveltimep\d+/) != nil }
    if let median = names.firstIndex(of: "traveltimep50") { return (median, .minutes) }
    guard percentiles.count <= 1 else {
      throw InputError(
        file: file, line: 1,
        problem:
          "got \(percentiles.map { header[$0] }.joined(separator: ", ")), expected travel_time_p50 or one of them")
    }
    if let percentile = percentiles.first { return (percentile, .minutes) }
    let bare = TimeUnit.allCases.lazy.compactMap { unit in
      unit.endings.filter { $0.count > 2 }.lazy.compactMap { names.firstIndex(of: $0) }.first.map { ($0, unit) }
    }
    return bare.first.map { (column: $0.0, unit: $0.1) }
  }

  /// Those that are read.
  var indices: [Int] { [origin, time] + [destination, hour].compactMap(\.self) }
}
