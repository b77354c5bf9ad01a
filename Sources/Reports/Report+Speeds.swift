import Foundation
import Jobs
import Tables

extension Report {
  /// What a job with speeds or traffic knows of the streets; nothing for others.
  func speeds() throws -> String {
    guard let tables = try database.speedTables() else { return "" }
    return SlownessPicture(tables.hours).html + classTable(tables.classes) + sourceTable(tables.sources)
  }

  private func classTable(_ classes: [SpeedClassRow]) -> String {
    let (all, known) = (
      classes.reduce(0) { $0 + $1.distance }, classes.reduce(0) { $0 + $1.distanceWithData }
    )
    return ReportTable(
      "Streets with speeds of their own: \(Format.percent(all > 0 ? known / all : 0)) of all kilometres",
      note: "table speed_class; the others are as slow as their class",
      heads: ["class", "#km in each direction", "#with speeds, km", "#share"],
      rows: classes.map { row in
        [
          .text(row.roadClass), .number(row.distance / 1000) { Format.decimal($0, 1) },
          .number(row.distanceWithData / 1000) { Format.decimal($0, 1) },
          .number(row.distance > 0 ? row.distanceWithData / row.distance : nil) { Format.percent($0) },
        ]
      }
    ).html
  }

  private func sourceTable(_ sources: [SpeedSourceRow]) -> String {
    ReportTable(
      "Files of speeds", note: "table speed_source",
      heads: [
        "file", "format", "#rows", "#malformed", "#on the map", "#in part", "#not on the map", "#not open",
        "#duplicate", "#implausible", "for example",
      ],
      rows: sources.map { source in
        let counts = source.counts
        let numbers = [
          counts.rows, counts.malformed, counts.matched, counts.partlyMatched, counts.unmatched, counts.notOpen,
          counts.duplicate, counts.implausible,
        ]
        let examples = [source.firstMalformed, source.firstUnmatched, source.firstImplausible].compactMap {
          $0.split(separator: "\n").first.map(String.init)
        }
        return [.text((source.file as NSString).lastPathComponent), .text(source.format)]
          + numbers.map { .number(Double($0)) { Format.decimal($0) } } + [.text(examples.joined(separator: "; "))]
      }
    ).html
  }
}
