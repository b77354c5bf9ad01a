import StreetNetwork

/// A model fitted to all trips: a slowness for each group of roads in each band.
struct CalibratedSpeeds: Sendable {
  let model: SlownessModel
  let bands: HourBands
  private let parameters: [Double]

  init(_ model: SlownessModel, _ observations: [Observation], _ bands: HourBands) {
    (self.model, self.bands) = (model, bands)
    parameters = model.fit(observations, Array(observations.indices))
  }

  func slowness(_ group: RoadGroup, _ band: Int) -> Double { model.slowness(group, band, parameters) }

  /// By class, for each band.
  var slownessByBand: [ClassSlowness] {
    bands.bands.indices.map { band in
      var slowness = ClassSlowness()
      for group in RoadGroup.allCases {
        for roadClass in group.classes { slowness[roadClass] = self.slowness(group, band) }
      }
      return slowness
    }
  }

  /// Ranges that nine in ten such samples of trips lead to.
  struct Intervals: Sendable {
    /// By group, then by band.
    fileprivate(set) var slowness: [[ClosedRange<Double>]]
  }

  func intervals(_ observations: [Observation], workers: Int) throws -> Intervals {
    let (model, bands) = (model, bands.bands.indices)
    let ranges = try Bootstrap.intervals(model, observations, around: parameters, workers: workers) { parameters in
      RoadGroup.allCases.flatMap { group in bands.map { model.slowness(group, $0, parameters) } }
    }
    return Intervals(
      slowness: RoadGroup.allCases.map { group in bands.map { ranges[group.rawValue * bands.count + $0] } })
  }
}
