import Foundation
import StreetNetwork

/// A model of trip durations: slownesses by hour and road group.
///
///     time = fixed + slowness[common] · slowness[hours] · Σ slowness[group] · time[group]
///
/// Parameters are logarithms, so that no slowness is negative. A model contains only effects that a job with the table
/// also has, so that its errors equal the job's.
struct SlownessModel: Sendable {
  let shape: Shape
  let bandCount: Int

  /// From the simplest to the most complex: each includes the previous one.
  enum Shape: CaseIterable, Sendable {
    case hours, groups, groupsByHour

    var name: String {
      switch self {
      case .hours: "by hour"
      case .groups: "+ road groups"
      case .groupsByHour: "+ road groups by hour"
      }
    }
  }

  private static let groupCount = RoadGroup.allCases.count
  private var firstGroup: Int { 1 + bandCount }
  private var firstGroupOfBands: Int { firstGroup + (shape == .hours ? 0 : SlownessModel.groupCount) }
  private var parameterCount: Int {
    firstGroupOfBands + (shape == .groupsByHour ? bandCount * SlownessModel.groupCount : 0)
  }

  /// A prior that draws all groups towards a common slowness with the weight of two trips, and the common slowness
  /// weakly towards 1.
  private var ridge: [Double] {
    var ridge = [Double](repeating: 2, count: parameterCount)
    ridge[0] = 0.2
    return ridge
  }

  /// Returns the parameters that best fit observations, starting from free flow: least squares of the logarithm of
  /// predicted / observed, where outliers beyond a third count linearly.
  ///
  /// - Parameter rows: Indices of the observations to fit.
  func fit(_ observations: [Observation], _ rows: [Int]) -> [Double] {
    LeastSquares(scale: 0.3, ridge: ridge).minimize(rows: rows) { row, parameters, derivatives in
      let observation = observations[row]
      let seconds = predict(observation, parameters, &derivatives)
      for index in derivatives.indices { derivatives[index].value /= seconds }
      return log(seconds / observation.observed)
    }
  }

  func seconds(_ observation: Observation, _ parameters: [Double]) -> Double {
    var derivatives: [LeastSquares.Derivative] = []
    return predict(observation, parameters, &derivatives)
  }

  func slowness(_ group: RoadGroup, _ band: Int, _ parameters: [Double]) -> Double {
    var sum = parameters[0] + parameters[1 + band]
    if shape != .hours { sum += parameters[firstGroup + group.rawValue] }
    if shape == .groupsByHour { sum += parameters[groupOfBand(group.rawValue, band)] }
    return exp(sum)
  }

  private func groupOfBand(_ group: Int, _ band: Int) -> Int {
    firstGroupOfBands + band * SlownessModel.groupCount + group
  }

  /// Returns the predicted seconds, and appends the derivatives with respect to the relevant parameters.
  private func predict(
    _ observation: Observation, _ parameters: [Double], _ derivatives: inout [LeastSquares.Derivative]
  ) -> Double {
    let band = observation.band
    var slowed = 0.0
    for group in RoadGroup.allCases {
      let index = group.rawValue
      let part = observation.streets[index] * slowness(group, band, parameters)
      slowed += part
      if shape != .hours { derivatives.append((firstGroup + index, part)) }
      if shape == .groupsByHour { derivatives.append((groupOfBand(index, band), part)) }
    }
    derivatives.append((0, slowed))
    derivatives.append((1 + band, slowed))
    return observation.fixed + slowed
  }
}

/// A trip as an observation for the model.
struct Observation: Sendable {
  /// An index into the bands of `HourBands`.
  var band: Int
  /// In days since 1970, in the map's time zone.
  var day: Int
  /// Free-flow seconds on the streets of each group, including the turns into them; by `RoadGroup`'s raw value.
  var streets: [Double]
  /// Seconds that are independent of slowness.
  var fixed: Double
  /// The observed travel time in seconds.
  var observed: Double
  /// Seconds predicted with the previous table.
  var before: Double

  init(_ times: TripTimes, band: Int, day: Int, observed: Double, before: Double) {
    streets = RoadGroup.allCases.map { group in group.classes.reduce(0) { $0 + times.streets[Int($1.rawValue)] } }
    fixed = times.fixed
    (self.band, self.day, self.observed, self.before) = (band, day, observed, before)
  }
}

/// Groups of road classes with a common slowness: single classes have too few kilometres in most trips.
enum RoadGroup: Int, CaseIterable, Sendable {
  case fast, main, street, minor

  /// Ferries and trains, which are `other`, are not slowed.
  var classes: [RoadClass] {
    switch self {
    case .fast: [.motorway, .trunk]
    case .main: [.primary, .secondary]
    case .street: [.tertiary, .street]
    case .minor: [.livingStreet, .service, .track, .path]
    }
  }
}

/// A model fitted to all trips: a slowness for each group of roads in each band.
struct CalibratedSpeeds: Sendable {
  let bands: [HourBand]
  private let model: SlownessModel
  private let parameters: [Double]

  init(_ model: SlownessModel, _ observations: [Observation], _ bands: HourBands) {
    (self.model, self.bands) = (model, bands.bands)
    parameters = model.fit(observations, Array(observations.indices))
  }

  func slowness(_ group: RoadGroup, _ band: Int) -> Double { model.slowness(group, band, parameters) }

  var slownessByBand: [ClassSlowness] {
    bands.indices.map { band in
      var slowness = ClassSlowness()
      for group in RoadGroup.allCases {
        for roadClass in group.classes { slowness[roadClass] = self.slowness(group, band) }
      }
      return slowness
    }
  }
}

/// Nonlinear least squares, robust against outliers: Levenberg-Marquardt (damped Gauss-Newton) steps on the soft-L1
/// loss of residuals, with a ridge penalty.
///
/// Sources: K. Levenberg 1944, D. Marquardt 1963; soft L1 as in B. Triggs et al. 2000. Deterministic.
struct LeastSquares {
  /// The residual beyond which the loss is linear rather than quadratic.
  var scale: Double
  /// The penalty on the square of each parameter.
  var ridge: [Double]

  /// A parameter's index, and the derivative of a residual with respect to it.
  typealias Derivative = (index: Int, value: Double)

  private static let maximumSteps = 100

  /// Returns the parameters of minimum cost, starting from 0. `residual` appends the nonzero derivatives.
  func minimize(
    rows: [Int], residual: (_ row: Int, _ parameters: [Double], _ derivatives: inout [Derivative]) -> Double
  ) -> [Double] {
    var parameters = [Double](repeating: 0, count: ridge.count)
    var derivatives: [Derivative] = []
    func cost(_ parameters: [Double]) -> Double {
      var cost = zip(ridge, parameters).reduce(0) { $0 + $1.0 * $1.1 * $1.1 }
      for row in rows {
        derivatives.removeAll(keepingCapacity: true)
        let ratio = residual(row, parameters, &derivatives) / scale
        cost += scale * scale * 2 * ((1 + ratio * ratio).squareRoot() - 1)
      }
      return cost
    }
    var current = cost(parameters)
    var damping = 1e-3
    for _ in 0..<LeastSquares.maximumSteps {
      // Half the gradient, and the Gauss-Newton matrix.
      var gradient = zip(ridge, parameters).map { $0 * $1 }
      var matrix = SymmetricMatrix(diagonal: ridge)
      for row in rows {
        derivatives.removeAll(keepingCapacity: true)
        let value = residual(row, parameters, &derivatives)
        let weight = 1 / (1 + (value / scale) * (value / scale)).squareRoot()
        for (position, a) in derivatives.enumerated() {
          gradient[a.index] += weight * value * a.value
          for b in derivatives[...position] { matrix[a.index, b.index] += weight * a.value * b.value }
        }
      }
      var isBetter = false
      while !isBetter, damping < 1e12 {
        let next = step(from: parameters, matrix, gradient, damping)
        let nextCost = cost(next)
        isBetter = nextCost < current
        damping = isBetter ? max(1e-12, damping / 10) : damping * 10
        guard isBetter else { continue }
        let gain = current - nextCost
        (parameters, current) = (next, nextCost)
        if gain <= 1e-10 * current { return parameters }
      }
      if !isBetter { return parameters }
    }
    return parameters
  }

  private func step(
    from parameters: [Double], _ matrix: SymmetricMatrix, _ gradient: [Double], _ damping: Double
  ) -> [Double] {
    var matrix = matrix
    for index in gradient.indices { matrix[index, index] *= 1 + damping }
    return zip(parameters, matrix.solution(of: gradient)).map { $0 - $1 }
  }
}

/// A symmetric matrix with a positive diagonal, stored as its lower half.
private struct SymmetricMatrix {
  private let size: Int
  private var values: [Double]

  init(diagonal: [Double]) {
    size = diagonal.count
    values = Array(repeating: 0, count: size * (size + 1) / 2)
    for index in diagonal.indices { self[index, index] = diagonal[index] }
  }

  /// The element at a row and a column, given in either order.
  subscript(row: Int, column: Int) -> Double {
    get { values[SymmetricMatrix.index(row, column)] }
    set { values[SymmetricMatrix.index(row, column)] = newValue }
  }

  private static func index(_ row: Int, _ column: Int) -> Int {
    row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row
  }

  /// Solves the system with the right-hand side `right` by Cholesky factorization (A.-L. Cholesky, about 1910). An
  /// undetermined unknown is 0.
  func solution(of right: [Double]) -> [Double] {
    var lower = self
    var solution = right
    for row in 0..<size {
      for column in 0...row {
        var sum = lower[row, column]
        for k in 0..<column { sum -= lower[row, k] * lower[column, k] }
        if row == column {
          lower[row, row] = sum > 1e-12 ? sum.squareRoot() : .infinity
        } else {
          lower[row, column] = sum / lower[column, column]
        }
      }
      for k in 0..<row { solution[row] -= lower[row, k] * solution[k] }
      solution[row] /= lower[row, row]
    }
    for row in (0..<size).reversed() {
      for k in row + 1..<size { solution[row] -= lower[k, row] * solution[k] }
      solution[row] /= lower[row, row]
    }
    return solution
  }
}
