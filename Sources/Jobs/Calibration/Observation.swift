/// A trip as a model of slowness sees it.
struct Observation: Sendable {
  /// Of `HourBands`.
  var band: Int
  /// On the clocks of the map, since 1970.
  var day: Int
  /// Seconds in free flow on the streets of each group, and of the turns into them; by `RoadGroup`'s raw value.
  var streets: [Double]
  var delays: [Double]
  /// Seconds that no slowness changes.
  var fixed: Double
  /// Seconds that it took.
  var observed: Double
  /// Seconds as they are predicted so far.
  var before: Double

  init(_ times: TripTimes, band: Int, day: Int, observed: Double, before: Double) {
    func sums(_ seconds: [Double]) -> [Double] {
      RoadGroup.allCases.map { group in group.classes.reduce(0) { $0 + seconds[Int($1.rawValue)] } }
    }
    streets = sums(times.streets)
    delays = sums(times.delays)
    fixed = times.fixed
    (self.band, self.day, self.observed, self.before) = (band, day, observed, before)
  }
}
