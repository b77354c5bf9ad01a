import Foundation
import Geography
import Settings

/// A `traffic` file: the slowness of road classes by hour, for streets without speeds.
///
///     { periods: "60min", classes: { primary: { "Mo-Fr 07:30-09:00": 1.36 }, … } }
///
/// Slowness is travel time / free-flow time; at all other hours it is 1.
package struct TrafficTable: Sendable {
  /// The period in slots of five minutes; nil if it is derived from the hours.
  let period: Int?
  /// The hours of each class, with their slowness.
  let hours: [RoadClass: [(hours: WeekHours, slowness: Double)]]
  /// The SHA-256 of the file.
  package let digest: [UInt8]

  /// The stock tables. Each file names the trips used for its calibration.
  package static let stockNames = ["porto"]

  /// Reads the stock table called `name`, otherwise the table in the file at that path. *Throws*: `OdometerError`.
  package init(named name: String) throws {
    if TrafficTable.stockNames.contains(name) {
      try self.init(SettingsFile(embedded: "data/traffic/\(name).json5"))
    } else {
      guard FileManager.default.fileExists(atPath: name) else {
        let stock = TrafficTable.stockNames.joined(separator: ", ")
        throw .settings(file: name, problem: "traffic: no such file; expected a file or a stock table: \(stock)")
      }
      try self.init(path: name)
    }
  }

  /// *Throws*: `OdometerError`.
  package init(path: String) throws { try self.init(SettingsFile(path: path)) }

  package init(_ file: SettingsFile) throws {
    let root = file.root
    root.expect(["periods", "classes", "terminalSeconds"])
    // Written by earlier calibrations; ignored.
    if root.has("terminalSeconds") { _ = try root.number("terminalSeconds", atLeast: 0, unit: "a number of seconds") }
    let periods: KeyValuePairs = ["5min": 1, "15min": 3, "30min": 6, "60min": 12]
    let name = root.has("periods") ? try root.choice("periods", of: periods.map(\.key)) : nil
    period = periods.first { $0.key == name }?.value
    var read: [String: WeekHours] = [:]
    hours = try TrafficTable.classes(root.object("classes"), period) { text, classes in
      if let known = read[text] { return known }
      do throws(OdometerError) {
        let hours = try WeekHours(text)
        read[text] = hours
        return hours
      } catch {
        throw classes.error(text, error.description)
      }
    }
    try root.finish()
    digest = Digest.of(file.bytes)
  }

  private static func classes(
    _ classes: SettingsObject, _ period: Int?, _ read: (String, SettingsObject) throws -> WeekHours
  ) throws -> [RoadClass: [(hours: WeekHours, slowness: Double)]] {
    var table: [RoadClass: [(hours: WeekHours, slowness: Double)]] = [:]
    for name in classes.keys {
      guard let roadClass = RoadClass(named: name) else {
        throw classes.error(
          name,
          "not a road class; expected a value of highway=*, or one of "
            + RoadClass.allCases.map(\.name).joined(separator: ", "))
      }
      guard table[roadClass] == nil else { throw classes.error(name, "class \(roadClass.name) occurs twice") }
      let entry = try classes.object(name)
      var hours: [(hours: WeekHours, slowness: Double)] = []
      for text in entry.keys {
        let slowness = try entry.number(text, atLeast: 0.125, unit: "a slowness (travel time / free-flow time)")
        guard slowness <= 64 else { throw entry.error(text, "got \(slowness), expected a slowness of at most 64") }
        hours.append((try read(text, entry), slowness))
        if let period, hours[hours.count - 1].hours.period % period != 0 {
          throw entry.error(text, "expected start and end at multiples of \(period * 5) minutes, as periods requires")
        }
      }
      try checkOverlap(of: hours, entry)
      table[roadClass] = hours
    }
    return table
  }

  private static func checkOverlap(
    of hours: [(hours: WeekHours, slowness: Double)], _ entry: SettingsObject
  ) throws {
    var owner = [Int?](repeating: nil, count: WeekHours.slotCount)
    for (index, hours) in hours.enumerated() {
      for slot in hours.hours.slots.joined() {
        if let other = owner[slot] {
          throw entry.error(entry.keys[index], "its hours overlap with those of \"\(entry.keys[other])\"")
        }
        owner[slot] = index
      }
    }
  }

  var longestPeriod: Int { hours.values.joined().map(\.hours.period).reduce(period ?? 12, min) }

  /// Returns the slownesses of a class, one for each period of `period` slots.
  package func slowness(of roadClass: RoadClass, period: Int) -> [Double] {
    var slowness = [Double](repeating: 1, count: WeekHours.slotCount / period)
    for (hours, value) in hours[roadClass] ?? [] {
      for slots in hours.slots {
        for index in slots.lowerBound / period..<slots.upperBound / period { slowness[index] = value }
      }
    }
    return slowness
  }
}
