import Foundation

/// The paths of the project's files during tests.
public enum Project {
  /// The folder that contains Package.swift.
  public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  public static func path(_ name: String) -> String { "\(root)/\(name)" }

  /// The sample map, if it has been downloaded.
  public static let helsinki = path("data/helsinki.osm.pbf")
  public static let hasHelsinki = FileManager.default.fileExists(atPath: helsinki)

  /// The release binary, if it was built, or the one named by `ODOMETER_BINARY`.
  public static let binary =
    ProcessInfo.processInfo.environment["ODOMETER_BINARY"] ?? path(".build/release/odometer")
  public static let hasBinary = FileManager.default.isExecutableFile(atPath: binary)
}

/// Runs a program and waits for it.
public struct Run: Sendable {
  /// The exit code, or the signal that ended the program.
  public let status: Int32
  /// Whether a signal ended the program.
  public let isKilled: Bool
  public let output: String
  public let error: String

  @discardableResult
  public init(
    _ program: String, _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let scratch = try Scratch()
    defer { scratch.remove() }
    // Files instead of pipes: a full pipe would block a program with much output.
    for name in ["output", "error"] { try scratch.write("", to: name) }
    process.standardOutput = FileHandle(forWritingAtPath: scratch.path("output"))
    process.standardError = FileHandle(forWritingAtPath: scratch.path("error"))
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    isKilled = process.terminationReason == .uncaughtSignal
    output = scratch.text("output")
    error = scratch.text("error")
  }

  /// Runs the release binary.
  @discardableResult
  public init(odometer arguments: String..., in folder: String) throws {
    try self.init(Project.binary, arguments, in: folder)
  }
}
