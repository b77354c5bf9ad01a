import Geography
import Routing
import Settings
import StreetNetwork
import Tables

/// The story of a row: as its tables have it, what its places are near to, and what closes the way.
package struct RowDiagnosis {
  /// In lines for a person.
  package let text: String

  private static let mostRows = 8
  private static let mostTrips = 4

  /// - Parameters:
  ///   - id: Of a pair, a place or a trace.
  ///   - path: The results database, finished or not.
  /// - Throws: `ResultsError` where the results cannot be read, or nothing in them is called so.
  package init(
    of id: String, in path: String, at files: LocatedFiles, cache: String?, workers: Int,
    report: (NetworkEvent) -> Void
  ) throws {
    let database = try ResultsDatabase(path: path, mayBeUnfinished: true)
    let found = try database.rows(called: id, atMost: RowDiagnosis.mostRows)
    let rejected = try database.rejected(naming: id, atMost: RowDiagnosis.mostRows)
    guard !found.isEmpty || !rejected.isEmpty else { throw try RowDiagnosis.unknown(id, in: database) }
    var sections: [String] = []
    if !database.isFinished {
      sections.append("the run has not finished: this is what is written so far")
    }
    sections += found.map(RowDiagnosis.text)
    if !rejected.isEmpty {
      sections.append(
        rejected.map { "rejected: \($0.file), line \($0.line): \($0.reason)\n  \(printable($0.text, atMost: 200))" }
          .joined(separator: "\n"))
    }
    let rows = found.flatMap(\.rows)
    if rows.contains(where: { $0.table == "route" || $0.table == "place" }) {
      do {
        let map = try DiagnosisMap(
          of: database.record, in: path, at: files, cache: cache, workers: workers, report: report)
        let text = DiagnosisText(map: map)
        sections += try RowDiagnosis.stories(of: rows, in: database, text)
        if text.map.streets == nil {
          sections.append("the map is a network file: name its extract with --map to see which tags close the way")
        }
      } catch  where RowDiagnosis.isAboutMap(error) {
        sections.append("more cannot be told: \(error)")
      }
    }
    text = sections.joined(separator: "\n\n")
  }

  /// Whether the tables tell their part of the story all the same.
  private static func isAboutMap(_ error: any Error) -> Bool {
    error is MapError || error is CacheError || error is SettingsError || error is ResultsError
  }

  private static func unknown(_ id: String, in database: ResultsDatabase) throws -> ResultsError {
    let ids = try database.someIDs(atMost: 10_000)
    let most = 5
    let some = ids.prefix(most).joined(separator: ", ") + (ids.count > most ? ", …" : "")
    let state = database.isFinished ? "" : "; the run has not finished, and it may not have been its turn yet"
    return ResultsError(
      path: database.path,
      problem: "no pair, place, trace or rejected row is called \(id)\(Suggestion.question(id, of: ids))"
        + (some.isEmpty ? "" : "; there are \(some)") + state, cause: .input)
  }

  private static func text(_ found: (rows: [FoundRow], count: Int)) -> String {
    let lines = found.rows.map { row in
      "\(row.table): " + row.facts.map { "\($0.column) \(printable($0.value, atMost: 200))" }.joined(separator: ", ")
    }
    let rest = found.count - found.rows.count
    return (lines + (rest > 0 ? ["… and \(rest) more rows of \(found.rows[0].table)"] : [])).joined(separator: "\n")
  }

  // MARK: Stories

  private static func stories(
    of rows: [FoundRow], in database: ResultsDatabase, _ text: DiagnosisText
  ) throws -> [String] {
    var sections: [String] = []
    var told: Set<FixedCoordinate> = []
    func tell(_ title: String, _ point: FixedCoordinate) {
      if told.insert(point).inserted { sections.append(text.place(title, at: point)) }
    }
    var trips = 0
    for row in rows where row.table == "route" && row["alternative"] == "0" {
      guard let from = row["origin_id"], let to = row["destination_id"], trips < mostTrips else { continue }
      for origin in try database.points(of: .origin, called: from) {
        for destination in try database.points(of: .destination, called: to) where trips < mostTrips {
          trips += 1
          tell("origin \(printable(from))", origin)
          tell("destination \(printable(to))", destination)
          if let way = way(of: row, from: origin, to: destination, text), !sections.contains(way) {
            sections.append(way)
          }
        }
      }
    }
    for row in rows where row.table == "place" {
      guard let role = row["role"], let id = row["place_id"], let point = row.point, !told.contains(point) else {
        continue
      }
      tell("\(role) \(printable(id))", point)
      if row["status"] == RowStatus.placemarkNotFound.rawValue || row["passed_component_size"] != nil {
        let isOnIsland = row["passed_component_size"] != nil && row["snap_distance"] != nil
        sections += text.ways(of: point, isOnIsland: isOnIsland)
      }
    }
    return sections
  }

  /// What closes the way of a pair; nil where there is a route, or where that is not what is the matter.
  private static func way(
    of row: FoundRow, from origin: FixedCoordinate, to destination: FixedCoordinate, _ text: DiagnosisText
  ) -> String? {
    switch row["status"].flatMap(RowStatus.init(rawValue:)) {
    case .ok, nil: return nil
    case .outsideCoverage:
      return "the coverage keeps the row from being computed: \(row["reason"] ?? "an end lies outside")"
    default: return text.way(from: origin, to: destination)
    }
  }
}

extension FoundRow {
  fileprivate var point: FixedCoordinate? {
    guard let latitude = self["latitude"].flatMap({ Double($0) }),
      let longitude = self["longitude"].flatMap({ Double($0) })
    else { return nil }
    let point = Coordinate(latitude: latitude, longitude: longitude)
    return point.isValid ? FixedCoordinate(point) : nil
  }
}
