import Jobs
import Tables

/// Nobody disappears: places that are off the map, far from a street or cannot be reached, in the head and one by one.
extension Report {
  private static let listedProblems = 300

  /// Sentences for the head: how many places, and what shares are of all and of those on the map; nothing where all is well.
  func missingLines() throws -> String {
    let lines = try PlaceProblems(database).lines
    guard !lines.isEmpty else { return "" }
    let items = lines.map { "<li>\(HTML.escaped($0))</li>" }
    return """
      <section class="missing"><ul>\(items.joined())</ul>
      <p><a href="#missing">Which places these are</a></p></section>

      """
  }

  /// The input's columns that are weights of places, as tables name them.
  var weightName: String {
    let columns = [WeightOwner.origin, .destination].compactMap { database.record.figures.text(.weight(of: $0)) }
    return Set(columns).count == 1 ? columns[0] : "weight"
  }

  func missingTable() throws -> String {
    let (places, count) = try database.problemPlaces(atMost: Report.listedProblems)
    let hasWeights = places.contains { $0.weight != nil }
    let table = ReportTable(
      "Places off the map, far from a street or out of reach", note: of(places.count, count, "table place"),
      heads: ["place", "role", "why", "#to its street, m"] + (hasWeights ? ["#\(weightName)"] : []),
      rows: places.map { problem in
        [
          cell(problem.place), .text(problem.role.rawValue), .text(problem.reason.words(snapLimit: snapLimit)),
          .number(problem.snapDistance) { Format.decimal($0) },
        ] + (hasWeights ? [.number(problem.weight) { Format.decimal($0) }] : [])
      }
    ).html
    return table.isEmpty ? "" : "<div id=\"missing\">\(table)</div>\n"
  }
}
