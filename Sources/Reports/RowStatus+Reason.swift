import Results

extension RowStatus {
  /// Why a row has no answer, for a reader.
  func reason(snapLimit: String) -> String {
    switch self {
    case .ok: "reached"
    case .directionsNotFound: "no route"
    case .placemarkNotFound: "no street within \(snapLimit) m"
    case .outsideCoverage: "outside the coverage"
    case .beyondLimit: "farther than the limit"
    }
  }
}
