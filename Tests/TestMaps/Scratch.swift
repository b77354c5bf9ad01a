import Foundation

/// A folder for one test.
public struct Scratch: Sendable {
  public let folder: String

  public init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("odometer-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Creates a folder with a map, other files by name, and job.json5, a job on the map that writes its results to out.
  public init(_ map: TestMap, _ files: [String: String], job keys: String) throws {
    try self.init()
    try write(map.opl, to: "map.opl")
    for (name, text) in files { try write(text, to: name) }
    try writeJob(keys)
  }

  public func writeJob(_ keys: String) throws {
    try write("{ map: 'map.opl', transportType: 'walking', output: 'out', \(keys) }", to: "job.json5")
  }

  public func path(_ name: String) -> String { "\(folder)/\(name)" }

  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  public func bytes(_ name: String) -> Data { FileManager.default.contents(atPath: path(name)) ?? Data() }
  public func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }
  public var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? [] }

  /// Returns the names of the files in a subfolder.
  public func files(in name: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()) ?? []
  }

  public func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
