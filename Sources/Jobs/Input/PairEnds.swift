import Geography
import Tables

/// The places of a job that its pairs name by their ids.
struct PairEnds {
  let file: String
  private let places: [Identifier: InputPlace]
  let rejected: [RejectedRow]
  let notes: [String]

  /// - Parameter kind: What the pairs call an id, if not only that: "zoneid".
  ///
  /// *Throws*: `InputError`.
  init(path: String, area: BoundingBox, kind: String?, duplicates: DuplicateRule) throws {
    file = path
    let table = try PlaceTable(
      path: path, role: .origin, area: area, keys: .withoutWeights, named: .init(ids: kind), duplicates: duplicates)
    (rejected, notes) = (table.rejected, table.notes)
    places = Dictionary(table.places.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The place with an id. `column` is for the sentence.
  func place(_ id: Identifier?, in column: String) throws(RowProblem) -> InputPlace {
    guard let id else { throw RowProblem("\(column) is empty") }
    guard let place = places[id] else { throw RowProblem("\(column) \"\(id)\" is not the id of a place in \(file)") }
    return place
  }
}
