import Foundation
import Geography
import Hierarchy
import Results
import Routing
import StreetNetwork

extension TraceTask {
  /// Traces, matched again from the fixes that were kept, by the textbook's algorithms.
  static func verify(_ results: ResultsToVerify) throws -> Verification.Rows {
    let traces = try results.indices(of: results.database.verifiableTraceCount()).compactMap {
      try results.database.trace($0 + 1)
    }
    let (network, options, rules) = (results.network, results.options, results.matchOptions)
    return try results.differences(of: traces) {
      let matcher = TraceMatcher(Router(network, options), rules, isOracle: true)
      return { trace in
        let pieces = matcher.match(trace.fixes.map { Fix($0) }).parts.flatMap(\.pieces)
        let weight = pieces.reduce(Weight.zero) { $0 + $1.weight }
        return ResultsToVerify.differences(trace.item, trace.found, pieces.isEmpty ? nil : weight)
      }
    }
  }
}

extension ResultsToVerify {
  /// How traces were matched; what was dropped before is not there to be dropped again.
  fileprivate var matchOptions: MatchOptions {
    var options = MatchOptions()
    let identity = database.record.identity
    options.breadcrumb.unfilteredFirst = .max
    options.accuracy = identity.number(.accuracy)
    options.maximumGap = identity.number(.maximumGap) ?? options.maximumGap
    options.comparesWithFastest = false
    return options
  }
}

extension Fix {
  fileprivate init(_ kept: TraceToVerify.KeptFix) {
    self.init(
      coordinate: kept.point.coordinate,
      timestamp: kept.milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) },
      horizontalAccuracy: kept.accuracyCentimetres.map { Double($0) / 100 })
  }
}

extension RecordedTrace {
  /// With fixes as precise as results have them, so that the same are matched when results are verified: places to 1e-7
  /// degrees, as the map has them, times to milliseconds.
  var rounded: RecordedTrace {
    var trace = self
    for index in trace.fixes.indices {
      let fix = trace.fixes[index]
      if fix.coordinate.isValid { trace.fixes[index].coordinate = FixedCoordinate(fix.coordinate).coordinate }
      trace.fixes[index].timestamp = Moment.milliseconds(fix.timestamp).map {
        Date(timeIntervalSince1970: Double($0) / 1000)
      }
      trace.fixes[index].horizontalAccuracy = fix.horizontalAccuracy.map { ($0 * 100).rounded() / 100 }
    }
    return trace
  }
}
