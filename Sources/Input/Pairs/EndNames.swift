/// Names that columns of a pair's end have: people write `origin_lon`, `fx`, `start lng`, `o_zone_id`.
///
///     EndNames.plain("O Zone ID")      "ozoneid"
package enum EndNames: String, CaseIterable {
  case origin, destination

  /// What an end is called. Names of earlier words go before those of later ones.
  private var words: [String] {
    switch self {
    case .origin: ["origin", "from", "o", "source", "orig", "start", "pickup", "f", "1"]
    case .destination: ["destination", "to", "d", "dest", "target", "end", "dropoff", "t", "2"]
    }
  }

  /// What stands for the end of a pair in tables of commuters.
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

  /// A name without what people put between its words.
  package static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Names of a coordinate, plain: "originlon", "xfrom".
  func names(_ axis: Axis) -> [String] {
    words.flatMap { word in axis.words.map { word + $0 } } + words.flatMap { word in axis.words.map { $0 + word } }
  }

  /// Names of a coordinate as they are recommended.
  func examples(_ axis: Axis) -> [String] {
    words.prefix(4).flatMap { word in axis.words.prefix(axis == .longitude ? 4 : 3).map { "\(word)_\($0)" } }
  }

  /// Names of an id where the ends have coordinates, too, in a header of these names: words of one letter count only where
  /// both ends have theirs, for a `fid` or `oid` alone is the row's.
  func ids(in header: [String]) -> [String] {
    let other = self == .origin ? EndNames.destination : .origin
    return zip(words, other.words).flatMap { word, opposite in
      EndNames.kinds.filter { word.count > 1 || header.contains(opposite + $0) }.map { word + $0 }
    }
  }

  /// Names of an id where that alone says which place the end is.
  package func references(in header: [String]) -> [String] {
    let (ids, words) = (ids(in: header), words.dropLast())
    let isLong: (String) -> Bool = { name in words.contains { $0.count > 1 && name.hasPrefix($0) } }
    return ids.filter(isLong) + words.filter { $0.count > 1 } + ids.filter { !isLong($0) }
      + words.filter { $0.count == 1 } + codes
  }

  /// Names of a name.
  var names: [String] { words.flatMap { [$0 + "name", $0 + "stationname"] } }

  /// What is left of an id's column without its end: "zoneid", as the file of the zones may have it.
  func kind(of column: String) -> String? {
    let name = EndNames.plain(column)
    return EndNames.kinds.first { kind in words.contains { $0 + kind == name } }
  }

  private static let kinds = ["id", "zoneid", "zone", "taz", "tazid", "nodeid", "node", "stationid", "code", "geoid"]
}
