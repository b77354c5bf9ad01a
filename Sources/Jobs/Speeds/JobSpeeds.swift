import Geography
import Input
import OpeningHours
import Settings
import StreetNetwork
import Tables

/// The speeds of a job on its network.
struct JobSpeeds: Sendable {
  let speeds: StreetSpeeds
  let facts: SpeedFacts

  /// *Throws*: errors from `SpeedInputs.speeds`.
  init(_ inputs: SpeedInputs, on network: StreetNetwork, week: LocalTime?) throws {
    (speeds, facts) = try inputs.speeds(on: network, week: week)
  }

  /// Returns the rows of the tables about speeds.
  func tables(on network: StreetNetwork) -> SpeedTables {
    let classes = RoadClass.allCases.indices
    return SpeedTables(
      sources: facts.sources,
      classes: classes.filter { facts.kilometres[$0] > 0 }.map { index in
        (
          RoadClass.allCases[index].name, (facts.kilometres[index] * 1000).rounded(),
          (facts.kilometresWithData[index] * 1000).rounded()
        )
      },
      hours: zip(RoadClass.allCases, speeds.slownessByHour(on: network)).flatMap { roadClass, hours in
        hours.enumerated().compactMap { hour, slowness in
          slowness.map { (roadClass.name, hour, ($0 * 10_000).rounded() / 10_000) }
        }
      })
  }
}

extension SpeedFacts {
  /// Notes for the user, without full stops.
  package var notes: [String] {
    sources.flatMap { source in
      var notes = [source.summary]
      if source.unmatched * 2 > source.rows {
        notes.append(
          "\(RunOptions.warningPrefix)\(source.file): over half of its rows are not on the map; its ids may "
            + "be from a map of another date")
      }
      return notes
    } + limitNotes
  }

  private var limitNotes: [String] {
    var notes: [String] = []
    if limitedInexactly > 0 {
      notes.append(
        "\(limitedInexactly) of \(limited) streets with conditional speed limits have hours that do not "
          + "align with the periods of speeds: the harmonic mean is used there")
    }
    if datedLimits > 0 {
      notes.append("\(datedLimits) speed limits apply on certain dates only and are ignored in a typical week")
    }
    return notes
  }
}

extension SpeedSource {
  fileprivate var summary: String {
    let counts = [
      (malformed, "malformed"), (partlyMatched, "partly on the map"), (unmatched, "not on the map"),
      (notOpen, "closed in that direction"), (duplicate, "duplicate"), (implausible, "implausible"),
      (withUnused, "with rates, which are ignored"),
    ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }
    return "\(file): \(rows.counted("row")), \(matched) on the map\(counts.joined())"
  }
}

/// The keys about speeds.
extension SpeedInputs {
  init(_ keys: inout KeyReader) throws {
    let setting = try keys.value(
      "speeds", .any("file or list of files", expected: SpeedInput.expected), otherwise: "none: free flow",
      "speed files by OpenStreetMap ids and hour, or objects with format, days, from, to, duplicates, fill",
      example: ["speeds.csv.gz"])
    let traffic = try keys.value(
      "traffic", .path, otherwise: "none",
      "slowness by road class and hour, for streets without speeds: a file, or porto (Porto taxis, weekday mornings)",
      example: "city.traffic.json5")
    do throws(RowProblem) {
      self.init(try setting.map(SpeedInput.all) ?? [], traffic: traffic)
    } catch {
      throw keys.error("speeds", error.reason)
    }
  }

  var paths: [String] { files.map(\.file) + [trafficFile].compactMap(\.self) }

  /// Adds these inputs to the job's identity; nothing without speeds and traffic. *Throws*: `OdometerError`.
  func enter(in identity: inout Entries<IdentityKey>) throws {
    if !files.isEmpty {
      identity.set(.speeds, files.map(\.file))
      identity[.speedsSHA256] = try digest.hexadecimal
    }
    if let trafficFile { return try identity.setFile("traffic", trafficFile) }
    if let traffic {
      identity[.traffic] = traffic
      identity[.trafficSHA256] = try TrafficTable(named: traffic).digest.hexadecimal
    }
  }
}
