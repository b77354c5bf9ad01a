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
    case .doubtful: "faster than anybody travels"
    case .notMatched: "no two fixes on streets that are joined"
    case .tooShort: "fewer than two places"
    }
  }
}
