import Geography
import Tables

/// The destination of a matrix that is the origin itself: with the same id and coordinate.
///
/// Such a cell is not a trip: it is left out of statistics and means and is never the nearest destination. It counts as
/// a cell and as reached, with its weight: a place reaches its own jobs.
package struct OwnCells: Sendable {
  /// Indices of destinations by origin; -1 for none.
  private let columns: [Int32]

  package typealias Place = (id: Identifier, coordinate: FixedCoordinate)

  package init(origins: some Sequence<Place>, destinations: some Sequence<Place>) {
    var indices: [Identifier: (index: Int32, coordinate: FixedCoordinate)] = [:]
    for (index, place) in destinations.enumerated() { indices[place.id] = (Int32(index), place.coordinate) }
    columns = origins.map { origin in
      indices[origin.id].flatMap { $0.coordinate == origin.coordinate ? $0.index : nil } ?? -1
    }
  }

  /// The destination that an origin is itself; nil for none.
  package subscript(origin: Int) -> Int? { columns[origin] < 0 ? nil : Int(columns[origin]) }
}

extension ResultsDatabase {
  /// Of a finished matrix.
  func ownCells() throws -> OwnCells {
    func places(_ role: PlaceRole) throws -> [OwnCells.Place] { try self.places(role).map { ($0.id, $0.point) } }
    return OwnCells(origins: try places(.origin), destinations: try places(.destination))
  }
}
