import Geography
import Tables

/// A summary of all places for a page, from one pass over their table: SQLite would read and sort it once per query.
package struct PlaceSurvey {
  /// The counts by role, in the order of each role's first place.
  package private(set) var roles: [PlaceCounts] = []
  /// The bounding boxes of the snapped places, west and east of Greenwich.
  private var (west, east) = (BoundingBox.empty, BoundingBox.empty)
  /// The corners of the bounding boxes of the snapped places.
  package var corners: [FixedCoordinate] { [west, east].filter { !$0.isEmpty }.flatMap(\.ring) }
  /// The positions of the places that were not snapped.
  package private(set) var missing: [FixedCoordinate] = []
  /// The rows of places with a reason, by descending weight, up to the limit of a page: places that were not snapped,
  /// and places far from their street.
  private var streetless = SmallestRows<Double>(PlaceSurvey.maximumListed)
  private var far = SmallestRows<Double>(PlaceSurvey.maximumListed)

  private static let maximumListed = 300

  fileprivate init(of database: SQLite) throws {
    let places = try database.prepare(
      "SELECT fid, role, status = 'ok', reason, snap_distance, weight, latitude, longitude FROM place ORDER BY fid")
    var current = 0
    while try places.next() {
      let role: PlaceRole = try places.value(at: 1)
      if current >= roles.count || roles[current].role != role {
        current = roles.firstIndex { $0.role == role } ?? roles.count
        if current == roles.count { roles.append(PlaceCounts(role: role)) }
      }
      let reason: PlaceReason? = try places.value(at: 3)
      let weight: Double? = try places.value(at: 5)
      let isOK: Int = try places.value(at: 2)
      roles[current].add(isOK: isOK == 1, reason, weight: weight, snapDistance: try places.value(at: 4))
      let coordinate = Coordinate(latitude: try places.value(at: 6), longitude: try places.value(at: 7))
      guard coordinate.isValid else {
        throw ResultsError(path: database.path, problem: "table place: a coordinate is out of range", cause: .input)
      }
      let point = FixedCoordinate(coordinate)
      if isOK != 1 {
        missing.append(point)
      } else if point.longitude < 0 {
        west.extend(to: point)
      } else {
        east.extend(to: point)
      }
      switch reason {
      case nil: break
      case .far: far.offer(-(weight ?? 0), try places.value(at: 0))
      default: streetless.offer(-(weight ?? 0), try places.value(at: 0))
      }
    }
  }

  /// The number of places with a reason.
  package var problemCount: Int { roles.reduce(0) { $0 + $1.problems.values.reduce(0) { $0 + $1.count } } }

  /// Rows of the places listed on a page.
  fileprivate var problemRows: some Sequence<Int> { (streetless.rows + far.rows).prefix(PlaceSurvey.maximumListed) }
}

/// Counts of the places of a role.
package struct PlaceCounts: Sendable {
  package let role: PlaceRole
  package private(set) var count = 0
  package private(set) var ok = 0
  package private(set) var weight = 0.0
  /// The number of places with each reason, and their total weight.
  package private(set) var problems: [PlaceReason: (count: Int, weight: Double)] = [:]
  package private(set) var maxSnapDistance: Double?
  private var snapDistances = (count: 0, sum: 0.0)

  package var meanSnapDistance: Double? {
    snapDistances.count > 0 ? snapDistances.sum / Double(snapDistances.count) : nil
  }

  fileprivate init(role: PlaceRole) { self.role = role }

  fileprivate mutating func add(isOK: Bool, _ reason: PlaceReason?, weight: Double?, snapDistance: Double?) {
    count += 1
    if isOK { ok += 1 }
    self.weight += weight ?? 0
    if let reason {
      problems[reason, default: (0, 0)].count += 1
      problems[reason, default: (0, 0)].weight += weight ?? 0
    }
    if let snapDistance {
      snapDistances = (snapDistances.count + 1, snapDistances.sum + snapDistance)
      maxSnapDistance = max(maxSnapDistance ?? 0, snapDistance)
    }
  }
}

/// A problem place, for reports, with the metres to its street, if it has one.
package typealias ProblemPlace = (
  place: NamedPlace, role: PlaceRole, reason: PlaceReason, snapDistance: Double?, weight: Double?
)

extension ResultsDatabase {
  package func placeSurvey() throws -> PlaceSurvey { try PlaceSurvey(of: database) }

  /// Returns the listed places with a reason: places without a street, then places far from their street, by descending
  /// weight.
  package func problemPlaces(of survey: PlaceSurvey) throws -> [ProblemPlace] {
    let rows = try database.prepare(
      "SELECT \(SQLite.Statement.namedPlaceColumns("place")), role, reason, snap_distance, weight FROM place WHERE fid = ?"
    )
    return try survey.problemRows.flatMap { fid in
      try rows.rows([fid]) { row in
        try row.namedPlace("place").map {
          ($0, try row["role"], try row["reason"], try row["snap_distance"], try row["weight"]) as ProblemPlace
        }
      }.compactMap(\.self)
    }
  }
}

/// The rows with the smallest keys. Rows are offered in ascending order; among equal keys, the earliest rows are kept.
/// A heap with the largest key at its root (J. W. J. Williams, 1964).
struct SmallestRows<Key: Comparable & Sendable>: Sendable {
  private let limit: Int
  private var heap: [(key: Key, row: Int)] = []

  init(_ limit: Int) { self.limit = limit }

  /// The rows in ascending order of keys.
  var rows: [Int] { heap.sorted { ($0.key, $0.row) < ($1.key, $1.row) }.map(\.row) }

  /// Offers the rows of a later part.
  mutating func add(_ later: SmallestRows) {
    for (key, row) in later.heap.sorted(by: { $0.row < $1.row }) { offer(key, row) }
  }

  /// Offers a row. *Returns* whether it is now among the smallest.
  @discardableResult
  mutating func offer(_ key: Key, _ row: Int) -> Bool {
    guard heap.count == limit else {
      heap.append((key, row))
      siftUp()
      return true
    }
    guard let largest = heap.first, key < largest.key else { return false }
    replaceRoot((key, row))
    return true
  }

  /// Moves the last entry up to its place.
  private mutating func siftUp() {
    var index = heap.count - 1
    while index > 0, heap[(index - 1) / 2] < heap[index] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Replaces the largest entry.
  private mutating func replaceRoot(_ entry: (key: Key, row: Int)) {
    var index = 0
    while 2 * index + 1 < heap.count {
      var child = 2 * index + 1
      if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
      guard entry < heap[child] else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }
}

/// A place with its name, for tables.
package struct NamedPlace: Sendable {
  package var id: Identifier
  package var name: String?
  package var point: FixedCoordinate?

  package var label: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(id)" }
}

extension SQLite.Statement {
  /// Returns a place from consecutive columns, the first of which is `origin_id` if the prefix is `origin`; nil if it
  /// has no id.
  package func namedPlace(_ prefix: String) throws -> NamedPlace? {
    let first = try index(of: "\(prefix)_id")
    guard let id: Identifier = try value(at: first) else { return nil }
    let latitude: Double? = try value(at: first + 2)
    return NamedPlace(
      id: id, name: try value(at: first + 1),
      point: try latitude.map { try point(latitude: $0, longitude: value(at: first + 3)) })
  }

  /// Returns the columns for `namedPlace`, in its order, from table `place` under an alias equal to the prefix.
  static func namedPlaceColumns(_ prefix: String) -> String {
    [
      "place_id AS \(prefix)_id", "name AS \(prefix)_name", "latitude AS \(prefix)_latitude",
      "longitude AS \(prefix)_longitude",
    ]
    .map { "\(prefix).\($0)" }.joined(separator: ", ")
  }
}
