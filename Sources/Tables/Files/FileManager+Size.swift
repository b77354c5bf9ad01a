import Foundation

extension FileManager {
  /// Returns the size of a file in bytes; nil if it is missing.
  package static func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
  }
}
