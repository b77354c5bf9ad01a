import Foundation

/// A lock on a results folder that prevents a second run. The system releases it when the process ends for any reason.
package final class FolderLock {
  private let folder: Int32
  private let path: String

  /// Locks the folder. *Throws*: `ResultsError` if another process, or another lock of this process, holds it.
  package init(_ path: String) throws {
    self.path = path
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .output) }
    var isHeld = flock(folder, LOCK_EX | LOCK_NB) == 0
    // The lock of a killed process is released within moments.
    for _ in 0..<40 where !isHeld && errno == EWOULDBLOCK {
      usleep(50_000)
      isHeld = flock(folder, LOCK_EX | LOCK_NB) == 0
    }
    // A file system without locks is accepted; only SQLite's own lock then protects the database.
    guard !isHeld, errno == EWOULDBLOCK else { return }
    // `deinit` closes the folder.
    throw ResultsError(
      path: path, problem: "another run is writing into this folder; wait for it to end, or use another folder",
      cause: .output)
  }

  /// Returns whether a run holds the lock of a folder.
  package static func isHeld(_ path: String) -> Bool {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    return flock(folder, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Whether the folder is no longer at its path: removed, or replaced by another one. Files written to it are lost.
  package var isLost: Bool {
    var (held, found) = (stat(), stat())
    return fstat(folder, &held) == 0
      && (stat(path, &found) != 0 || (held.st_dev, held.st_ino) != (found.st_dev, found.st_ino))
  }

  /// The error for a lost folder.
  package var lostError: ResultsError {
    ResultsError(
      path: path, problem: "the output folder was removed or replaced during the run; run the job again",
      cause: .output)
  }

  /// Checks that the folder is still at its path. *Throws*: `ResultsError` if it is lost.
  package func check() throws { if isLost { throw lostError } }

  deinit { close(folder) }
}
