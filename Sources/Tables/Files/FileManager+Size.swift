import Foundation

extension FileManager {
  /// Bytes of a file; nil where there is none.
  package static func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
  }
}
