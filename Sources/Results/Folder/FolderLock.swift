import Foundation

/// A folder of results held by one run: a second one is refused. The system releases it when the process ends, however
/// that happens.
package final class FolderLock {
  private let folder: Int32

  /// *Throws*: `ResultsError` where another process, or another lock of this one, holds the folder.
  init(_ path: String) throws {
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .output) }
    var isHeld = flock(folder, LOCK_EX | LOCK_NB) == 0
    // A process that is being killed releases it within moments.
    for _ in 0..<40 where !isHeld && errno == EWOULDBLOCK {
      usleep(50_000)
      isHeld = flock(folder, LOCK_EX | LOCK_NB) == 0
    }
    // A file system without locks is accepted: SQLite locks its file as well as it can be locked there.
    guard !isHeld, errno == EWOULDBLOCK else { return }
    // `deinit` closes the folder.
    throw ResultsError(
      path: path,
      problem: "another run is writing into this folder; wait for it to end, or use another folder",
      cause: .output)
  }

  deinit { close(folder) }
}
