import Foundation

/// Hints to the system's page cache.
package enum PageCache {
  /// The minimum size of a file that is worth a system call; smaller ones stay cached for the next reader.
  private static let minimumCount = 32 << 20

  /// Evicts a range of a large file that is already on disk: on a virtual machine, fresh pages cost ten times as much
  /// as reused ones, and cached pages count toward a container's limit.
  package static func release(_ file: Int32, _ part: Range<Int>) {
    guard part.upperBound > minimumCount else { return }
    _ = posix_fadvise(file, off_t(part.lowerBound), off_t(part.count), POSIX_FADV_DONTNEED)
  }
}
