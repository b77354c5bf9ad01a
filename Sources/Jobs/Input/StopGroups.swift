import Tables

/// Stops that no feed puts together, joined by name: those of one name within some metres of the first of them are one
/// station. A station that has the name takes them in.
///
///     Rossio (north)   \\
///     Rossio (south)    one station, the first; both are its platforms
///
struct StopGroups {
  /// Of each place the index of the station or stop that it belongs to; nil where it is by itself.
  private(set) var leaders: [Int?]

  /// How many stops belong to another.
  var count: Int { leaders.count { $0 != nil } }

  /// - Parameter metres: How far a stop may be; nil joins none.
  init(_ places: [InputPlace], within metres: Double?) {
    leaders = [Int?](repeating: nil, count: places.count)
    guard let metres else { return }
    let stops = places.indices.filter { places[$0].part == .stop && places[$0].parent == nil }
    var known: [String: [Int]] = [:]
    for index in places.indices.filter({ places[$0].part == .station }) + stops {
      let name = StopGroups.plain(places[index].name ?? "")
      guard !name.isEmpty else { continue }
      let near = known[name, default: []].map { ($0, places[$0].coordinate.distance(to: places[index].coordinate)) }
        .filter { $0.1 <= metres }
      // Of equally near ones the first.
      if places[index].part == .stop, let nearest = near.min(by: { $0.1 < $1.1 }) {
        leaders[index] = nearest.0
      } else {
        known[name, default: []].append(index)
      }
    }
  }

  /// A name without what differs between feeds: capitals and spaces.
  private static func plain(_ name: String) -> String { name.lowercased().split(separator: " ").joined(separator: " ") }
}
