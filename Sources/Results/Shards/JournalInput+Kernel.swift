import Foundation

/// A journal opened to be read. Shared by threads.
final class JournalInput: Sendable {
  let path: String
  let count: Int
  private let file: Int32

  init(path: String) throws {
    self.path = path
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .input) }
    count = Int(lseek(file, 0, SEEK_END))
  }

  deinit { close(file) }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    var done = 0
    var problem: String?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      while done < range.count {
        let got = pread(
          file, UnsafeMutableRawBufferPointer(buffer).baseAddress! + done, range.count - done,
          off_t(range.lowerBound + done))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else {
          problem = got == 0 ? "the file ends at byte \(range.lowerBound + done)" : String(cString: strerror(errno))
          break
        }
        done += got
      }
      initialized = done
    }
    if let problem { throw ResultsError(path: path, problem: problem, cause: .input) }
    return bytes
  }
}
