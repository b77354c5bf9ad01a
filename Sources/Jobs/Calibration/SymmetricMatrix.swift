/// A symmetric matrix with a positive diagonal: its lower half.
struct SymmetricMatrix {
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
