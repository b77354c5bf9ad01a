import Geography

/// The provenance of results, included in all output.
package struct Provenance: Sendable {
  package var version: String
  /// The map's file name, and the timestamp of its data (ISO 8601; empty if the map does not have one).
  package var map: String
  package var mapDate: String
  package var profile: String

  package init(version: String, map: String, mapDate: String, profile: String) {
    (self.version, self.map, self.mapDate, self.profile) = (version, map, mapDate, profile)
  }

  private var pairs: [(String, String)] {
    [("version", version), ("map", map), ("map_date", mapDate), ("profile", profile)]
  }

  /// The provenance as a JSON object.
  package var json: String {
    var text = TextBuffer()
    text.append("{")
    for (key, value) in pairs { text.member(key, value) }
    text.append("}")
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}

package func lastPathComponent(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
