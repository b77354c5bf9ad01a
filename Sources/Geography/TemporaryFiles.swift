import Foundation
import Synchronization

/// Files and folders under names of their own, of which nobody has any use once the process has ended: whatever ends it before
/// they are removed, or have their final names, removes them.
package enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  package static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Forgets a file that has been removed, or has its final name.
  package static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all that are there.
  package static func removeAll() {
    for path in paths.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
  }
}
