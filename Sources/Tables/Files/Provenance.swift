import Geography

/// Where results come from: part of everything that is written.
package struct Provenance: Sendable {
  package var version: String
  /// The map's file name, and when its data were current (ISO 8601; empty where the map does not say).
  package var map: String
  package var mapDate: String
  package var profile: String

  package init(version: String, map: String, mapDate: String, profile: String) {
    (self.version, self.map, self.mapDate, self.profile) = (version, map, mapDate, profile)
  }

  private var pairs: [(String, String)] {
    [("version", version), ("map", map), ("map_date", mapDate), ("profile", profile)]
  }

  /// As an object of JSON.
  package var json: String {
    var text = TextBuffer()
    text.append("{")
    for (key, value) in pairs { text.member(key, value) }
    text.append("}")
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}

package func lastPathComponent(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
