import Foundation

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
