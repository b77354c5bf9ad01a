import Foundation
import Geography
import Jobs
import Tables

/// A results database as one page for people: a map, curves, tables, and where all of it comes from.
///
///     try Report(of: "reports/helsinki/results.sqlite").write(to: "reports/helsinki/report.html")
///
/// One file that loads nothing from a network; the same for the same results. When a job ran, and how fast, is in its
/// table `job` alone.
package struct Report {
  /// Where the map loads tiles from: "https://tiles.example.org/{z}/{x}/{y}.png"; nil for none.
  package var tiles: String?
  let database: ResultsDatabase
  /// What maps are drawn upon.
  let backdrop: [BackdropRow]
  let identity: Entries<IdentityKey>

  /// *Throws*: `ResultsError` where this is not a finished results database.
  package init(of path: String) throws {
    database = try ResultsDatabase(path: path)
    identity = database.record.identity
    backdrop = try database.backdrop()
  }

  /// Writes the page under its name when it is whole. *Throws*: `ResultsError`.
  package func write(to path: String) throws { try Page.write(html(), to: path) }

  /// The page.
  package func html() throws -> String {
    var content =
      switch database.kind {
      case .routes, .etas: try trips()
      case .matrix: try matrix()
      case .access: try access()
      case .isochrones: try isochrones()
      case .traces: try traces()
      }
    if content.data != nil { content.data?.add(backdrop) }
    content.data?.tiles = tiles
    let parts =
      try missingLines() + mapHTML(content) + HTML.section("Distributions", charts(content))
      + HTML.section("In numbers", statistics())
      + HTML.section("Speeds", speeds()) + content.tables + HTML.section("Places", missingTable() + placeTable())
      + HTML.section("Rejected rows", rejected()) + provenance()
    return Page(
      title: "\(content.title): \(mapName)", heading: content.title, subtitle: content.subtitle + mapDetails,
      figures: try keyFigures(content), content: parts, version: identity[.version] ?? "", data: content.data
    ).html
  }

  /// What a kind of job shows.
  struct Content {
    var title: String
    var subtitle: String
    /// Large numbers at the top: what they are, and the numbers.
    var figures: [(value: String, text: String)] = []
    var map = ""
    /// What the script draws in the place of the map's picture; nil where it stays.
    var data: PageData?
    /// Charts before the histograms.
    var charts: [String] = []
    var tables = ""
    /// What histograms count.
    var rows: String
  }

  /// The picture, and the place that the script's map takes.
  func mapHTML(_ content: Content) -> String {
    content.data == nil ? content.map : "<div class=\"explorer\" hidden></div>\n" + content.map
  }

  // MARK: What all kinds have

  var mapName: String { ((identity[.map] ?? "") as NSString).lastPathComponent }
  /// How one travels, by the stock profile, else by what one's own is for: "in a wheelchair at 3 km/h, hills counted".
  var travelling: String {
    let ways = [
      "automobile": "by car", "van": "by van", "truck": "by lorry", "cycling": "by bicycle", "walking": "on foot",
      "wheelchair": "in a wheelchair", "pram": "with a pram",
    ]
    let way = ways[identity[.profile] ?? ""] ?? ways[identity[.transportType] ?? ""] ?? ""
    let pace = identity.number(.pace).map { " at \(Format.decimal($0, $0 == $0.rounded() ? 0 : 1)) km/h" } ?? ""
    // Motors do not feel them.
    let feelsHills = identity[.elevationSHA256] != nil && identity[.transportType] != "automobile"
    return way + pace + (feelsHills ? ", hills counted" : "")
  }
  /// How much the map says of what stops a wheelchair.
  private var mapDetails: String { identity.text(.accessibility).map { "; the map has \($0)" } ?? "" }
  var snapLimit: String { identity.number(.snapLimit).map { Format.decimal($0) } ?? "" }
  /// Seconds, ascending.
  var thresholds: [Int] { identity.integers(.thresholds) }
  var lastThreshold: Int { thresholds.last ?? 0 }

  func file(_ key: IdentityKey) -> String {
    let path = identity[key] ?? ""
    return path.hasPrefix("osm:") ? "the map's \(path.dropFirst(4))" : (path as NSString).lastPathComponent
  }

  private func keyFigures(_ content: Content) throws -> [(value: String, text: String)] {
    let counts = try database.statusCounts()
    let all = counts.reduce(0) { $0 + $1.count }
    let ok = counts.first { $0.status == .ok }?.count ?? 0
    let waits = database.record.figures.integer(.longWaits) ?? 0
    let waiting =
      waits > 0 ? [(Format.decimal(Double(waits)), "wait longer than \(LongWait.seconds / 60) minutes")] : []
    return [(Format.decimal(Double(ok)), "of \(Format.decimal(Double(all))) \(content.rows) ok")] + content.figures
      + waiting
  }

  /// "the first 100 of 2,345; all in table route".
  func of(_ shown: Int, _ count: Int, _ table: String) -> String {
    shown < count ? "\(Format.decimal(Double(shown))) of \(Format.decimal(Double(count))), all in \(table)" : table
  }

  /// What the results were computed from; not when and how fast they were computed, which would make equal results differ.
  private func provenance() -> String {
    let run = database.record.run.entries.filter { $0.key == RunKey.jobFile.rawValue }
    let shown = (database.record.identity.entries + database.record.figures.entries + run).sorted { $0.key < $1.key }
    return HTML.section("Provenance", HTML.list(shown))
  }

  func cell(_ place: NamedPlace?) -> ReportTable.Cell {
    guard let place else { return .text("–") }
    return .link(place.label, place.point.map(HTML.link))
  }
}
