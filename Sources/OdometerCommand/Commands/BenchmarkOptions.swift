import Bench
import Input
import Jobs

extension Benchmark.Options {
  /// Reads the options of `odometer bench`.
  init(_ arguments: Arguments) throws {
    self.init()
    if let text = arguments.text(BenchCommand.kinds) { kinds = try text.split(separator: ",").map(Self.kind) }
    if let text = arguments.text(BenchCommand.traces) {
      traces = try TraceTable([text], TraceFormat())
      if arguments.text(BenchCommand.kinds) == nil { kinds = [.traces] }
      accuracy = try arguments.value(BenchCommand.accuracy, "metres from 1 to 1000") {
        Double($0).flatMap { (1...1000).contains($0) ? $0 : nil }
      }
    } else if kinds == [.traces] {
      throw UsageError("--kinds: traces needs --traces FILE")
    }
    if let text = arguments.text(BenchCommand.sizes) { sizes = try text.split(separator: ",").map(Self.size) }
    if let text = arguments.text(BenchCommand.nearest) { nearest = try Self.nearest(text) }
    repetitions = try arguments.count(BenchCommand.repetitions) ?? repetitions
    workers = try arguments.count(BenchCommand.workers) ?? 1
    checks = try arguments.count(BenchCommand.check, atMost: 10_000_000) ?? 0
  }

  private static func kind(_ text: Substring) throws -> Benchmark.Kind {
    guard let kind = Benchmark.Kind(rawValue: String(text)) else {
      let kinds = Benchmark.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--kinds: got \(text), expected \(kinds)")
    }
    return kind
  }

  private static func size(_ text: Substring) throws -> Benchmark.Size {
    guard let match = text.wholeMatch(of: /(\d+)x(\d+)/), let rows = Int(match.1), let columns = Int(match.2),
      (1...10_000_000).contains(rows), (1...10_000_000).contains(columns)
    else { throw UsageError("--sizes: got \(text), expected ROWSxCOLUMNS, e.g. 1000x1000") }
    return Benchmark.Size(rows, columns)
  }

  private static func nearest(_ text: String) throws -> (Int, Int) {
    guard let match = text.wholeMatch(of: /(\d+)of(\d+)/), let count = Int(match.1), let targets = Int(match.2),
      (1...100).contains(count), (1...10_000_000).contains(targets)
    else { throw UsageError("--nearest: got \(text), expected KofM, e.g. 3of200") }
    return (count, targets)
  }
}
