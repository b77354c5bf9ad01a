import Foundation
import Synchronization

/// A file written under a temporary name and renamed when complete. Removed if unfinished.
package final class StagedFile {
  package static let suffix = ".part"
  private let path: String
  private let temporary: String
  private let file: Int32
  private var end = 0
  private var isFinished = false

  /// Creates the temporary file. *Throws*: `POSIXError`.
  package init(_ path: String) throws {
    self.path = path
    // Random: processes in containers that share a folder may have the same process ID.
    temporary = "\(path).\(String(UInt32.random(in: .min ... .max), radix: 36))\(StagedFile.suffix)"
    let temporary = temporary
    file = try TemporaryFiles.make(temporary) {
      let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw POSIXError.last }
      return file
    }
  }

  deinit {
    close(file)
    if !isFinished { unlink(temporary) }
    TemporaryFiles.forget(temporary)
  }

  /// Writes at the end, or at an offset. *Throws*: `POSIXError`.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int? = nil) throws {
    let start = offset ?? end
    var done = 0
    while done < bytes.count {
      let count = pwrite(file, bytes.baseAddress! + done, bytes.count - done, off_t(start + done))
      guard count > 0 else {
        if count < 0 && errno == EINTR { continue }
        throw POSIXError.last
      }
      done += count
    }
    end = max(end, start + done)
  }

  /// Flushes the file, calls `check` with its temporary path, and renames it.
  ///
  /// - Parameter isReadOnly: Whether to make the file read-only.
  /// - Throws: `POSIXError`, and errors of `check`.
  package func finish(isReadOnly: Bool = false, _ check: (_ temporary: String) throws -> Void = { _ in }) throws {
    guard fsync(file) == 0 else { throw POSIXError.last }
    try check(temporary)
    if isReadOnly { guard fchmod(file, 0o444) == 0 else { throw POSIXError.last } }
    guard rename(temporary, path) == 0 else { throw POSIXError.last }
    isFinished = true
  }
}

/// Temporary files and folders, which are removed if the process ends before they are renamed.
package enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Creates and registers a file or folder. Blocks once `removeAll` has begun. *Throws*: errors of `body`.
  package static func make<R>(_ path: String, _ body: () throws -> R) rethrows -> R {
    try paths.withLock { paths in
      let result = try body()
      paths.insert(path)
      return result
    }
  }

  /// Unregisters a file that has been removed or renamed.
  package static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all registered files and folders, and ends the process before another one can be created.
  package static func removeAll(thenEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { try? FileManager.default.removeItem(atPath: path) }
      end()
    }
  }
}
