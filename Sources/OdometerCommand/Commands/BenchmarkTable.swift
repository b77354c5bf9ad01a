import Jobs

/// Figures of a benchmark as a table for people.
enum BenchmarkTable {
  static func head(_ subject: BenchmarkSubject) -> String {
    """
    \(subject.name)\(subject.network.map { " by \($0.profile.transportType.rawValue)" } ?? ""): \
    \(subject.graph.stateCount) states, \(subject.graph.arcCount) arcs, \(subject.hierarchy.arcCount) upward arcs

    \(columns("scene", "median", "min", "max", "CPU", "per second", "peak"))
    """
  }

  static func line(_ result: BenchmarkResult) -> String {
    let row = columns(
      result.scene, seconds(result.median), seconds(result.least), seconds(result.most),
      seconds(result.cpu), "\(rate(result.perSecond)) \(result.unit)",
      "\(Int(result.peakMegabytes)) MB")
    let checked = result.checked.map { "\($0) answers equal to Dijkstra's" }
    let bytes = result.bytesPerCell.map { "\(Int($0)) bytes per cell" }
    let notes = [result.note, bytes ?? "", checked ?? ""].filter { !$0.isEmpty }
    return notes.isEmpty ? row : row + "\n    " + notes.joined(separator: "; ")
  }

  private static func columns(_ cells: String...) -> String {
    zip(cells, [36, 10, 10, 10, 10, 22, 10]).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 0 ? cell.0 + padding : padding + cell.0
    }.joined()
  }

  private static func seconds(_ value: Double) -> String {
    value < 1 ? "\(RouteText.decimal(value * 1000, 2)) ms" : "\(RouteText.decimal(value, 2)) s"
  }

  private static func rate(_ value: Double) -> String {
    value >= 1e6
      ? "\(RouteText.decimal(value / 1e6, 1)) M"
      : value >= 1e4 ? "\(RouteText.decimal(value / 1e3, 1)) k" : RouteText.decimal(value, 1)
  }
}
