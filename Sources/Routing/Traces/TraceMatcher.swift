import Geography
import Hierarchy
import StreetNetwork

/// Matches traces to streets, with working memory for searches: one object per thread.
package final class TraceMatcher {
  private let network: StreetNetwork
  private let options: MatchOptions

  package init(_ network: StreetNetwork, _ options: MatchOptions) {
    (self.network, self.options) = (network, options)
  }

  /// The streets that a trace followed.
  package func match(_ fixes: [Fix]) -> Match {
    Match(
      status: .notMatched, sigma: options.accuracy ?? 10,
      fixes: fixes.map { _ in
        MatchedFix(reason: .offRoad, isKept: true)
      }, parts: [], stops: [], offRoadLength: 0)
  }
}
