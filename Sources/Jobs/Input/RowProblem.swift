/// Why a row of the input cannot be used: the sentence of table `rejected`.
struct RowProblem: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}
