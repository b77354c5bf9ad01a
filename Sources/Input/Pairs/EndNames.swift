/// Recognized column names for the ends of pairs, such as `origin_lon`, `fx`, `start lng` and `o_zone_id`.
///
///     EndNames.plain("O Zone ID")      "ozoneid"
package enum EndNames: String, CaseIterable {
  case origin, destination

  /// Words for an end. Names with earlier words take precedence.
  private var words: [String] {
    switch self {
    case .origin: ["origin", "from", "o", "source", "orig", "start", "pickup", "f", "1"]
    case .destination: ["destination", "to", "d", "dest", "target", "end", "dropoff", "t", "2"]
    }
  }

  /// Prefixes of ends in commuting tables.
  private var codes: [String] {
    switch self {
    case .origin: ["hgeocode"]
    case .destination: ["wgeocode"]
    }
  }

  enum Axis: String, CaseIterable {
    case longitude, latitude

    var words: [String] {
      switch self {
      case .longitude: ["lon", "lng", "longitude", "x", "long", "xcoord"]
      case .latitude: ["lat", "latitude", "y", "ycoord"]
      }
    }
  }

  /// A name without separators between its words.
  package static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Names of a coordinate, plain: "originlon", "xfrom".
  func names(_ axis: Axis) -> [String] {
    words.flatMap { word in axis.words.map { word + $0 } } + words.flatMap { word in axis.words.map { $0 + word } }
  }

  /// The recommended names of a coordinate.
  func examples(_ axis: Axis) -> [String] {
    words.prefix(4).flatMap { word in axis.words.prefix(axis == .longitude ? 4 : 3).map { "\(word)_\($0)" } }
  }

  /// Names of an id in tables with coordinates: single-letter words need both ends to have theirs, since `fid` or `oid`
  /// alone is the id of the row.
  func ids(in header: [String]) -> [String] {
    let other = self == .origin ? EndNames.destination : .origin
    return zip(words, other.words).flatMap { word, opposite in
      EndNames.kinds.filter { word.count > 1 || header.contains(opposite + $0) }.map { word + $0 }
    }
  }

  /// Names of an id column that identifies a listed place without coordinates.
  package func references(in header: [String]) -> [String] {
    let (ids, words) = (ids(in: header), words.dropLast())
    let isLong: (String) -> Bool = { name in words.contains { $0.count > 1 && name.hasPrefix($0) } }
    return ids.filter(isLong) + words.filter { $0.count > 1 } + ids.filter { !isLong($0) }
      + words.filter { $0.count == 1 } + codes
  }

  /// Column names for the name of an end.
  var names: [String] { words.flatMap { [$0 + "name", $0 + "stationname"] } }

  /// An id column's name without the end's word: "zoneid", which the file of the zones may use.
  func kind(of column: String) -> String? {
    let name = EndNames.plain(column)
    return EndNames.kinds.first { kind in words.contains { $0 + kind == name } }
  }

  private static let kinds = ["id", "zoneid", "zone", "taz", "tazid", "nodeid", "node", "stationid", "code", "geoid"]
}
