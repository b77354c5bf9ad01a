import Foundation
import Geography

/// A journal opened for reading. It is reopened for each read, since there may be more shards than file descriptors.
package struct JournalInput: Sendable {
  package let path: String
  /// The file's size when it was first opened.
  package let count: Int

  package init(path: String) throws {
    self.path = path
    let file = try JournalInput.open(path)
    defer { close(file) }
    count = Int(lseek(file, 0, SEEK_END))
  }

  private static func open(_ path: String) throws -> Int32 {
    if let problem = FileManager.irregularity(of: path, expecting: "a journal") {
      throw ResultsError(path: path, problem: problem, cause: .input)
    }
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .input) }
    return file
  }

  package func read(_ range: Range<Int>) throws -> [UInt8] {
    let file = try JournalInput.open(path)
    defer { close(file) }
    var failure: PositionedRead.Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      failure = PositionedRead.fill(UnsafeMutableRawBufferPointer(buffer), from: file, at: range.lowerBound)
      initialized = failure == nil ? range.count : 0
    }
    switch failure {
    case nil: return bytes
    case .ended(let size): throw ResultsError(path: path, problem: "the file ends at byte \(size)", cause: .input)
    case .failed(let problem): throw ResultsError(path: path, problem: problem, cause: .input)
    }
  }
}
