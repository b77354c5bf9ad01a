import Foundation

/// A file being written from its start to its end. All bytes of results but the database's leave through here.
final class OutputFile {
  private let file: Int32
  private let path: String
  private(set) var count = 0

  /// Creates the file, or empties the one that is there. *Throws*: `ResultsError`.
  init(path: String) throws {
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure() }
  }

  deinit { close(file) }

  func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes(write) }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let written = Foundation.write(file, bytes.baseAddress! + done, bytes.count - done)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw failure() }
      done += written
    }
    count += bytes.count
  }

  func synchronize() throws {
    guard fsync(file) == 0 else { throw failure() }
  }

  private func failure() -> ResultsError { ResultsError(path: path, problem: String(cString: strerror(errno))) }
}
