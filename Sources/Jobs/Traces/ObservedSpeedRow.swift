import Tables

/// A row of table `observed_speed`: the speeds of traces on a street in one direction, during an hour on a kind of day.
struct ObservedSpeedRow {
  let street: StreetDirection
  let period: SpeedPeriod
  let passes: Int
  let centimetres: Int
  let observedMilliseconds: Int
  let expectedMilliseconds: Int
  /// Quartiles of the passes' speeds, in metres per second.
  let lowerQuartileSpeed: Double
  let upperQuartileSpeed: Double

  /// Metres per second.
  var speed: Double { Double(centimetres) * 10 / Double(observedMilliseconds) }
  /// Observed over expected time.
  var slowness: Double { Double(observedMilliseconds) / Double(expectedMilliseconds) }

  static let table = Table<ObservedSpeedRow>(
    "observed_speed", "street, direction and hour in which traces passed at least half of the street",
    [
      .rowNumber("fid"),
      .integer("street_fid", "`fid` of the street in `street_used`") { $0.street.fid },
      .integer("is_reversed", "1 against the direction of the street's shape") { $0.street.isReversed ? 1 : 0 },
      .text("weekday", "`Mo-Fr`, `Sa` or `Su`: day on which the street was entered, in `timeZone`") {
        $0.period.weekday
      },
      .integer("hour", "0 to 23: hour in which the street was entered") { $0.period.hour },
      .lineBreak,
      .integer("passes", "number of passes") { $0.passes },
      .real("distance", "metres of all passes") { Units.metres($0.centimetres) },
      .real("observed_time", "seconds of all passes, without stops") { Units.seconds($0.observedMilliseconds) },
      .real("expected_travel_time", "seconds of all passes, by the profile") { Units.seconds($0.expectedMilliseconds) },
      .lineBreak,
      .real("speed", "metres per second: distance / observed time") { $0.speed },
      .real("speed_p25", "metres per second: 25th percentile of the passes") { $0.lowerQuartileSpeed },
      .real("speed_p75", "75th percentile") { $0.upperQuartileSpeed },
      .real("slowness", "observed / expected time") { $0.slowness },
    ])
}

/// The passes of one street in one direction and hour.
struct ObservedPasses {
  let street: StreetDirection
  let period: SpeedPeriod
  private var centimetres = 0
  private var observedMilliseconds = 0
  private var expectedMilliseconds = 0
  private var speeds: [Double] = []

  init(_ street: StreetDirection, _ period: SpeedPeriod) { (self.street, self.period) = (street, period) }

  mutating func add(centimetres: Int, observed: Int, expected: Int) {
    self.centimetres += centimetres
    observedMilliseconds += observed
    expectedMilliseconds += expected
    speeds.append(Double(centimetres) * 10 / Double(observed))
  }

  /// The row of these passes, of which there must be at least one.
  var row: ObservedSpeedRow {
    let distribution = Statistic(scope: "", measure: .speed, sorted: speeds.sorted())
    return ObservedSpeedRow(
      street: street, period: period, passes: speeds.count, centimetres: centimetres,
      observedMilliseconds: observedMilliseconds, expectedMilliseconds: expectedMilliseconds,
      lowerQuartileSpeed: distribution.quantiles[2], upperQuartileSpeed: distribution.quantiles[4])
  }
}
