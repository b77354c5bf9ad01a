import Foundation
import StreetNetwork

/// How long trips take: a slowness for what takes time on the way, by hours and groups of roads.
///
///     time = fixed + slowness[common] · slowness[hours] · Σ slowness[group] · time[group]
///
/// Parameters are logarithms, so that no slowness is negative. A model has nothing that a job with the table does not add
/// to a trip, or its errors would not be the job's.
struct SlownessModel: Sendable {
  let shape: Shape
  let bandCount: Int

  /// From the least to the most: each has what those before it have.
  enum Shape: CaseIterable, Sendable {
    case hours, groups, groupsByHour

    var name: String {
      switch self {
      case .hours: "by hours"
      case .groups: "+ groups of roads"
      case .groupsByHour: "+ groups of roads by hours"
      }
    }
  }

  private static let groupCount = RoadGroup.allCases.count
  private var firstGroup: Int { 1 + bandCount }
  private var firstGroupOfBands: Int { firstGroup + (shape == .hours ? 0 : SlownessModel.groupCount) }
  private var parameterCount: Int {
    firstGroupOfBands + (shape == .groupsByHour ? bandCount * SlownessModel.groupCount : 0)
  }

  /// Towards one common slowness, as much as two trips would say so; weakly towards 1.
  private var ridge: [Double] {
    var ridge = [Double](repeating: 2, count: parameterCount)
    ridge[0] = 0.2
    return ridge
  }

  /// The parameters that fit observations best, from free flow on: the least squares of the logarithm of predicted over
  /// observed, in which outliers of more than a third count by their size.
  ///
  /// - Parameter rows: Indices of the observations that count.
  func fit(_ observations: [Observation], _ rows: [Int]) -> [Double] {
    LeastSquares(scale: 0.3, ridge: ridge).minimize(rows: rows) { row, parameters, derivatives in
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
    var sum = parameters[0] + parameters[1 + band]
    if shape != .hours { sum += parameters[firstGroup + group.rawValue] }
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

/// A trip as a model of slowness sees it.
struct Observation: Sendable {
  /// Of `HourBands`.
  var band: Int
  /// On the clocks of the map, since 1970.
  var day: Int
  /// Seconds in free flow on the streets of each group, with the turns into them; by `RoadGroup`'s raw value.
  var streets: [Double]
  /// Seconds that no slowness changes.
  var fixed: Double
  /// Seconds that it took.
  var observed: Double
  /// Seconds as they are predicted so far.
  var before: Double

  init(_ times: TripTimes, band: Int, day: Int, observed: Double, before: Double) {
    streets = RoadGroup.allCases.map { group in
      group.classes.reduce(0) { $0 + times.streets[Int($1.rawValue)] }
    }
    fixed = times.fixed
    (self.band, self.day, self.observed, self.before) = (band, day, observed, before)
  }
}

/// Classes of road that share a slowness when it is calibrated: single classes have too few kilometres in most trips.
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

  /// By class, for each band.
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

/// Nonlinear least squares that single outliers cannot bend: Levenberg and Marquardt's damped Gauss-Newton steps on the
/// soft-L1 loss of residuals, with a ridge.
///
/// Sources: K. Levenberg 1944, D. Marquardt 1963; soft L1 as B. Triggs et al. 2000 have it. The same steps in the same
/// order on every run.
struct LeastSquares {
  /// Residuals beyond this count by their size, not by its square.
  var scale: Double
  /// What a parameter's square costs.
  var ridge: [Double]

  /// A parameter's index, and the derivative of a residual by it.
  typealias Derivative = (index: Int, value: Double)

  private static let mostSteps = 100

  /// The parameters of least cost, from all 0 on. `residual` fills in the derivatives that are not 0.
  func minimize(
    rows: [Int],
    residual: (_ row: Int, _ parameters: [Double], _ derivatives: inout [Derivative]) -> Double
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
    for _ in 0..<LeastSquares.mostSteps {
      // Half the gradient, and the matrix of Gauss and Newton.
      var gradient = zip(ridge, parameters).map { $0 * $1 }
      var matrix = SymmetricMatrix(diagonal: ridge)
      for row in rows {
        derivatives.removeAll(keepingCapacity: true)
        let value = residual(row, parameters, &derivatives)
        let weight = 1 / (1 + (value / scale) * (value / scale)).squareRoot()
        for (place, a) in derivatives.enumerated() {
          gradient[a.index] += weight * value * a.value
          for b in derivatives[...place] { matrix[a.index, b.index] += weight * a.value * b.value }
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

/// A symmetric matrix with a positive diagonal: its lower half.
private struct SymmetricMatrix {
  private let size: Int
  private var values: [Double]

  init(diagonal: [Double]) {
    size = diagonal.count
    values = Array(repeating: 0, count: size * (size + 1) / 2)
    for index in diagonal.indices { self[index, index] = diagonal[index] }
  }

  /// In either order of the two.
  subscript(row: Int, column: Int) -> Double {
    get { values[SymmetricMatrix.place(row, column)] }
    set { values[SymmetricMatrix.place(row, column)] = newValue }
  }

  private static func place(_ row: Int, _ column: Int) -> Int {
    row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row
  }

  /// What the matrix takes to `right`, by Cholesky's factors (A.-L. Cholesky, about 1910). An unknown of which nothing
  /// is known is 0.
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
