import Foundation

/// A failure injected into one of the program's system calls, by the library in Tests/Faults.
///
///     let run = try Run(odometer: "run", "job.json5", in: scratch.folder, with: Fault(.kill, at: 7, "out"))
///     #expect(run.status == SIGKILL)
public struct Fault: Sendable {
  public enum Kind: String, CaseIterable, Sendable { case enospc, eio, kill, torn, power, lost, interrupt, change }

  /// The change to a file: append to it, modify a byte in the middle, or truncate it to half its size.
  public enum Change: String, CaseIterable, Sendable { case append, overwrite, truncate }

  private var kind: Kind?
  private var call = 0
  private var counted: String?
  private let path: String
  private let changed: String?
  private var change = Change.append

  /// - Parameters:
  ///   - call: The number of the call among those that change a file, starting at 1.
  ///   - counted: If given, only calls with this name, such as "sync", are counted.
  ///   - path: The file, or the folder of the files, for which calls are counted, relative to the folder of the run.
  ///   - changed: For kind `change`, the file to write to, in the same folder.
  public init(
    _ kind: Kind, at call: Int, of counted: String? = nil, _ path: String, changing changed: String? = nil,
    by change: Change = .append
  ) {
    (self.kind, self.call, self.counted, self.path, self.changed) = (kind, call, counted, path, changed)
    self.change = change
  }

  private init(counting path: String) { (self.path, changed) = (path, nil) }

  /// Runs the binary and returns its calls that change a file below `path`: "write results.sqlite.part".
  public static func calls(below path: String, of arguments: [String], in folder: String) throws -> [String] {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let fault = Fault(counting: path)
    let log = ["FAULT_LOG": scratch.path("calls")]
    let run = try Run(
      Project.binary, arguments, in: folder, environment: fault.environment(in: folder).merging(log) { $1 })
    guard run.status == 0 else { throw Failure(description: run.error) }
    return scratch.text("calls").split(separator: "\n").map(String.init)
  }

  /// Returns the environment that causes the fault in a program run in `folder`.
  public func environment(in folder: String) throws -> [String: String] {
    var variables = [
      "FAULT_PATH": "\(folder)/\(path)", "FAULT_KIND": kind?.rawValue ?? "none", "FAULT_AT": "\(call)",
      "FAULT_SEED": "\(call)", "LD_PRELOAD": try Fault.library.get(),
    ]
    variables["FAULT_CALL"] = counted
    variables["FAULT_CHANGE"] = change.rawValue
    variables["FAULT_CHANGED"] = changed.map { "\(folder)/\($0)" }
    return variables
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  /// The library with the faults, compiled once per test run.
  private static let library = Result {
    let (path, fresh) = (Project.path(".build/faults.so"), Project.path(".build/faults-\(getpid()).so"))
    let compiler = try Run(
      "/usr/bin/env",
      ["clang", "-shared", "-fPIC", "-O1", "-o", fresh, Project.path("Tests/Faults/faults.c"), "-ldl"],
      in: Project.root)
    guard compiler.status == 0 else { throw Failure(description: compiler.error) }
    // Another test run may be using the old library.
    guard rename(fresh, path) == 0 else { throw Failure(description: "\(path): cannot be replaced") }
    return path
  }
}

extension Run {
  /// Runs the release binary with a fault.
  @discardableResult
  public init(odometer arguments: String..., in folder: String, with fault: Fault) throws {
    try self.init(Project.binary, arguments, in: folder, environment: fault.environment(in: folder))
  }
}
