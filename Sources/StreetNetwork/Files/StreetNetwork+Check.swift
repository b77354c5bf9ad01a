import Foundation

/// Complete checks of network files.
extension StreetNetwork {
  /// Reads the whole network file at `path`, regardless of notes, and records that it is intact. *Throws*: `MapError`.
  ///
  /// - Returns: The file name of its map, its profile, and the SHA-256 of its content.
  package static func check(
    networkFile path: String, cache: String? = nil
  ) throws -> (map: String, profile: Profile, digest: String) {
    try NetworkFile.reading(path) {
      let file = try NetworkFile(path: path, check: .wholeAndNoted(DigestNote(of: path, in: cache)))
      return (try file.mapName(), try file.profile(), file.contentDigest.hexadecimal)
    }
  }
}
