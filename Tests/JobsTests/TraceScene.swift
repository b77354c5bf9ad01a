import Foundation
import Geography
import Input
import Jobs
import Routing
import TestMaps

/// Files of traces in a scratch folder, read as a job reads them.
struct TraceScene {
  let table: TraceTable
  let traces: [RecordedTrace]
  let chunks: [Int]

  /// - Parameter names: The files named by the job; all if nil.
  init(
    _ files: [String: String], reading names: [String]? = nil, _ change: (inout TraceFormat) -> Void = { _ in }
  ) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    for (name, text) in files { try scratch.write(text, to: name) }
    try self.init(scratch, names ?? files.keys.sorted(), change)
  }

  init(_ text: String, as name: String = "t.csv", _ change: (inout TraceFormat) -> Void = { _ in }) throws {
    try self.init([name: text], change)
  }

  /// Reads files that already exist in a folder.
  init(_ scratch: Scratch, _ names: [String], _ change: (inout TraceFormat) -> Void = { _ in }) throws {
    var format = TraceFormat()
    change(&format)
    table = try TraceTable(names.map(scratch.path), format)
    let chunks = Array(table.chunks)
    if let failure = chunks.lazy.compactMap(\.failure).first { throw failure }
    traces = chunks.flatMap(\.traces)
    self.chunks = chunks.map(\.traces.count)
    precondition(chunks.count == table.chunkCount, "got \(chunks.count) chunks, expected \(table.chunkCount)")
  }

  var ids: [String] { traces.map(\.id.description) }
  var reasons: [String] { table.rejected.map(\.reason) }
  /// The times of each trace's fixes in seconds since 1970; -1 if missing.
  var times: [[Double]] { traces.map { $0.fixes.map { $0.timestamp?.timeIntervalSince1970 ?? -1 } } }
  /// The positions of each trace's fixes as "longitude latitude".
  var places: [[String]] {
    traces.map { $0.fixes.map { "\($0.coordinate.longitude) \($0.coordinate.latitude)" } }
  }

  /// Returns the message about unreadable input, without the folder's name.
  static func refusal(_ files: [String: String], reading names: [String]? = nil) -> String? {
    do {
      _ = try TraceScene(files, reading: names)
      return nil
    } catch let error as OdometerError {
      var error = error
      error.file = error.file?.split(separator: "/").last.map(String.init) ?? ""
      return error.description
    } catch {
      return "\(error)"
    }
  }
}
