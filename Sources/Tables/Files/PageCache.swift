import Foundation

/// What the system keeps in memory of files that are on the disk.
package enum PageCache {
  /// Bytes that a file must have for it to be worth a call; smaller ones stay for whoever reads them next.
  private static let leastCount = 32 << 20

  /// Lets go of a part of a large file, all of which has been synchronised: pages that nobody has used yet cost a virtual machine
  /// ten times as much as those that are used again, and a container pays for those that are kept.
  package static func release(_ file: Int32, _ part: Range<Int>) {
    guard part.upperBound > leastCount else { return }
    _ = posix_fadvise(file, off_t(part.lowerBound), off_t(part.count), POSIX_FADV_DONTNEED)
  }
}
