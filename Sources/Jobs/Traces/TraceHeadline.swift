import Tables

extension Headline {
  func traces() throws -> String {
    let counts = try results.statusCounts()
    let start = "\(Format.count(counts.ok)) of \(Format.count(counts.total, "trace")) followed \(try travelling)"
    guard let ratio = try results.typical(.timeRatio) else {
      let length = try results.traceTotals().map { ", along \(Format.length($0.distance)) of streets" } ?? ""
      return "\(start)\(length)."
    }
    let hours = try results.statistics().filter { $0.measure == .timeRatio && $0.scope.hasPrefix("hour:") }
    let slowest = hours.filter { $0.count >= Headline.minimumTraces }.max { $0.quantiles[3] < $1.quantiles[3] }
    let hour = slowest.map { ", \(Format.decimal($0.quantiles[3], 2)) at \($0.scope.dropFirst("hour:".count)):00" }
    let times =
      "\(counts.ok == 1 ? "it" : "they") took \(Format.decimal(ratio.quantiles[3], 2)) times the expected time"
    return "\(start); \(times)\(hours.count > 1 ? hour ?? "" : "")."
  }

  /// The minimum number of traces in an hour that the sentence may name.
  private static let minimumTraces = 5
}
