import Foundation

/// How long trips take: a slowness for what takes time on the way, by hours and groups of roads.
///
///     time = fixed + slowness[common] · slowness[hours] · Σ slowness[group] · time[group]
///
/// Parameters are logarithms, so that no slowness is negative. A model has nothing that a job with the table does not add
/// to a trip, or its errors would not be the job's.
struct SlownessModel: Sendable {
  let shape: Shape
  let bandCount: Int

  /// From the least to the most; each has what those before it have, but for the last.
  enum Shape: CaseIterable, Sendable {
    case common, hours, groups, groupsByHour, delays

    var name: String {
      switch self {
      case .common: "one slowness"
      case .hours: "a slowness by hours"
      case .groups: "+ groups of roads"
      case .groupsByHour: "+ groups by hours"
      case .delays: "groups, turns apart"
      }
    }

    /// Whether a traffic table can hold it: streets there have one slowness, together with the turns into them.
    var isWritable: Bool { self != .delays }
    fileprivate var hasHours: Bool { self != .common }
    fileprivate var hasGroups: Bool { self != .common && self != .hours }
  }

  private static let groupCount = RoadGroup.allCases.count
  private var firstGroup: Int { 1 + (shape.hasHours ? bandCount : 0) }
  private var firstGroupOfBands: Int { firstGroup + (shape.hasGroups ? SlownessModel.groupCount : 0) }
  private var delays: Int? { shape == .delays ? firstGroupOfBands : nil }

  var parameterCount: Int {
    firstGroupOfBands + (shape == .groupsByHour ? bandCount * SlownessModel.groupCount : 0)
      + (shape == .delays ? 1 : 0)
  }

  /// Where a fit starts: free flow.
  private var start: [Double] { Array(repeating: 0, count: parameterCount) }

  /// Towards one common slowness, as much as two trips would say so; weakly towards 1.
  private var ridge: [Double] {
    var ridge = [Double](repeating: 2, count: parameterCount)
    ridge[0] = 0.2
    return ridge
  }

  /// The parameters that fit observations best: the least squares of the logarithm of predicted over observed, in which
  /// outliers of more than a third count by their size.
  ///
  /// - Parameter rows: Indices of the observations that count.
  func fit(_ observations: [Observation], _ rows: [Int], from start: [Double]? = nil) -> [Double] {
    LeastSquares(scale: 0.3, ridge: ridge)
      .minimize(from: start ?? self.start, rows: rows) { row, parameters, derivatives in
        let observation = observations[row]
        let seconds = predict(observation, parameters, &derivatives)
        for index in derivatives.indices { derivatives[index].value /= seconds }
        return log(seconds / observation.observed)
      }
  }

  /// Seconds.
  func seconds(_ observation: Observation, _ parameters: [Double]) -> Double {
    var derivatives: [LeastSquares.Derivative] = []
    return predict(observation, parameters, &derivatives)
  }

  /// The slowness of a group in a band.
  func slowness(_ group: RoadGroup, _ band: Int, _ parameters: [Double]) -> Double {
    var sum = parameters[0]
    if shape.hasHours { sum += parameters[1 + band] }
    if shape.hasGroups { sum += parameters[firstGroup + group.rawValue] }
    if shape == .groupsByHour { sum += parameters[groupOfBand(group.rawValue, band)] }
    return exp(sum)
  }

  private func groupOfBand(_ group: Int, _ band: Int) -> Int {
    firstGroupOfBands + band * SlownessModel.groupCount + group
  }

  /// Seconds, and the derivatives by the parameters on which they depend.
  private func predict(
    _ observation: Observation, _ parameters: [Double], _ derivatives: inout [LeastSquares.Derivative]
  ) -> Double {
    let band = observation.band
    var slowed = 0.0
    for group in RoadGroup.allCases {
      let index = group.rawValue
      let seconds = observation.streets[index] + (delays == nil ? observation.delays[index] : 0)
      let part = seconds * slowness(group, band, parameters)
      slowed += part
      if shape.hasGroups { derivatives.append((firstGroup + index, part)) }
      if shape == .groupsByHour { derivatives.append((groupOfBand(index, band), part)) }
    }
    if let delays {
      let part = observation.delays.reduce(0, +) * exp(parameters[0] + parameters[1 + band] + parameters[delays])
      slowed += part
      derivatives.append((delays, part))
    }
    derivatives.append((0, slowed))
    if shape.hasHours { derivatives.append((1 + band, slowed)) }
    return observation.fixed + slowed
  }
}
