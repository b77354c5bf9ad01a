import Foundation

/// A file written sequentially, from its start or from where an earlier run ended. All result files except the database
/// are written through this class.
package final class OutputFile {
  private let file: Int32
  private let path: String
  /// The length in bytes.
  package private(set) var count = 0
  /// The length at the last synchronization.
  private var synchronizedCount = 0

  /// Creates the file, or empties an existing one. *Throws*: `ResultsError`.
  package init(path: String) throws {
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { throw failure() }
  }

  /// Resumes after the first `end` bytes of a file, which is truncated there. *Throws*: `ResultsError`.
  package init(path: String, resumingAt end: Int) throws {
    self.path = path
    file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw failure() }
    let length = lseek(file, 0, SEEK_END)
    guard length >= end else {
      throw ResultsError(
        path: path, problem: "the file has \(length) bytes, but the unfinished run wrote \(end); restart with --fresh",
        cause: .changed)
    }
    guard ftruncate(file, off_t(end)) == 0, lseek(file, off_t(end), SEEK_SET) == end else { throw failure() }
    (count, synchronizedCount) = (end, end)
  }

  deinit { close(file) }

  package func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes(write) }

  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let written = Foundation.write(file, bytes.baseAddress! + done, bytes.count - done)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw failure() }
      done += written
    }
    count += bytes.count
  }

  /// Flushes everything to disk.
  package func synchronize() throws {
    guard fdatasync(file) == 0 else { throw failure() }
    PageCache.release(file, synchronizedCount..<count)
    synchronizedCount = count
  }

  private func failure() -> ResultsError {
    ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .output)
  }
}

extension FileManager {
  /// Returns the size of a file in bytes; nil if it is missing.
  package static func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
  }
}

/// Hints to the system's page cache.
package enum PageCache {
  /// The minimum size in bytes of a file that is worth a system call; smaller files stay cached for the next reader.
  private static let minimumCount = 32 << 20

  /// Evicts a range of a large file that is already on disk: on a virtual machine, fresh pages cost ten times as much
  /// as reused ones, and cached pages count toward a container's limit.
  package static func release(_ file: Int32, _ part: Range<Int>) {
    guard part.upperBound > minimumCount else { return }
    _ = posix_fadvise(file, off_t(part.lowerBound), off_t(part.count), POSIX_FADV_DONTNEED)
  }
}
