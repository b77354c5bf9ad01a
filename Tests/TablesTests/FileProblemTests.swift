import Foundation
import Tables
import TestMaps
import Testing

struct FileProblemTests {
  private func reason(writing path: String) -> String? {
    do {
      try Data("x".utf8).write(to: URL(fileURLWithPath: path))
      return nil
    } catch {
      return FileProblem.reason(of: error, writing: path)
    }
  }

  @Test func namesObstacles() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    #expect(reason(writing: scratch.folder) == "this is a folder")
    #expect(reason(writing: scratch.path("none/file")) == "no such folder \(scratch.path("none"))")
    try scratch.write("", to: "file")
    #expect(reason(writing: scratch.path("file/inside")) == "\(scratch.path("file")) is not a folder")
    #expect(reason(writing: scratch.path("other")) == nil)
  }

  @Test func usesTheSystemsMessages() {
    let errors: [any Error] = [
      CocoaError(.fileWriteVolumeReadOnly), CocoaError(.fileReadNoSuchFile), CocoaError(.fileReadCorruptFile),
      NSError(domain: NSPOSIXErrorDomain, code: Int(EFBIG)),
    ]
    #expect(
      errors.map { FileProblem.reason(of: $0, writing: "file") } == [
        "Read-only file system", "No such file or directory", "Input/output error", "File too large",
      ])
  }

  @Test func givesTheSystemsReasonOfAFailedRead() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try FileManager.default.createSymbolicLink(atPath: scratch.path("loop"), withDestinationPath: "loop")
    let error = try #require(throws: (any Error).self) {
      try Data(contentsOf: URL(fileURLWithPath: scratch.path("loop")))
    }
    #expect(POSIXError.reason(for: error) == "Too many levels of symbolic links")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))) func reportsAFullDisk() {
    #expect(FileProblem.reason(of: POSIXError(.ENOSPC), writing: "/dev/full") == "No space left on device")
  }
}
