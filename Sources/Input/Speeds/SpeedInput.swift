import Geography
import OpeningHours
import Routing
import Settings
import StreetNetwork

/// A file of observed speeds by OpenStreetMap ids and hours, like an entry of a job's key `speeds`.
///
///     var mornings = SpeedInput(file: "mornings.csv.gz")
///     mornings.hours = try WeekHours("Mo-Fr 07:00-09:00")
public struct SpeedInput: Hashable, Sendable {
  /// The path of the file.
  public var file: String
  /// The format; nil to detect it from the first row.
  public var format: SpeedFormat?
  /// The hours of the speeds, if rows have none; nil for all hours.
  public var hours: WeekHours?
  /// The handling of duplicate rows, and of hours without rows.
  public var use = SpeedUse()

  /// Creates an input whose format is detected from its first row.
  public init(file: String) { self.file = file }
}

/// The format of a speed file.
public enum SpeedFormat: String, CaseIterable, Sendable {
  /// `from,to,speed[,rate…]`: km/h for pairs of nodes, without a header.
  case osrm
  /// `from,to,s0…s2015`: km/h in each five-minute slot from Sunday 00:00.
  case week
  /// With a header of column names.
  case long

  static let weekColumns = 2 + 2016

  /// Detects the format from the first row of a file; nil if it is unknown.
  init?(firstRow rows: DelimitedRows) {
    let isNumber = { (index: Int) in DecimalText.number(rows[index].bytes) != nil }
    // OSRM's rows have few further columns: a longer one is a week with missing or additional speeds.
    if rows.count == SpeedFormat.weekColumns || rows.count > 100 && (0..<2).allSatisfy(isNumber) {
      self = .week
    } else if rows.count >= 3, (0..<3).allSatisfy(isNumber) {
      self = .osrm
    } else if rows.count <= DelimitedRows.maximumFields,
      LongRows.isHeader((0..<rows.count).map { rows[$0].text })
    {
      self = .long
    } else {
      return nil
    }
  }
}

extension SpeedInput {
  package static let expected =
    "a path, an object { file, format, days, from, to, duplicates, fill }, or a list of them"

  /// Returns the files of the key `speeds`: one, or a list.
  package static func all(of setting: Setting) throws(RowProblem) -> [SpeedInput] {
    guard case .list(let items) = setting else { return [try SpeedInput(setting)] }
    guard !items.isEmpty else { throw RowProblem("got an empty list, expected \(expected)") }
    let files = try items.map { item throws(RowProblem) in try SpeedInput(item) }
    if let repeated = files.indices.first(where: { files[..<$0].contains(files[$0]) }) {
      throw RowProblem("got \(RowProblem.excerpt(files[repeated].file)) twice, expected each file once")
    }
    return files
  }

  /// Reads a path, or an object with options.
  private init(_ setting: Setting) throws(RowProblem) {
    switch setting {
    case .text(let path) where !path.isEmpty: self.init(file: path)
    case .object(let values, _): try self.init(values)
    default: throw RowProblem("got \(setting.json5), expected \(SpeedInput.expected)")
    }
  }

  private init(_ values: [String: Setting]) throws(RowProblem) {
    let known = ["file", "format", "days", "from", "to", "duplicates", "fill"]
    var options: [String: String] = [:]
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard known.contains(key) else {
        throw RowProblem("unknown key \(key), expected one of \(known.joined(separator: ", "))")
      }
      guard case .text(let text) = value else { throw RowProblem("\(key) is \(value.json5), expected text") }
      options[key] = text
    }
    guard let file = options["file"], !file.isEmpty else { throw RowProblem("an object has no file") }
    self.init(file: file)
    if let name = options["format"] {
      guard let format = SpeedFormat(rawValue: name) else {
        let names = SpeedFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw RowProblem("format is \"\(name)\", expected one of \(names)")
      }
      self.format = format
    }
    if let duplicates = options["duplicates"] {
      guard duplicates == "mean" else { throw RowProblem("duplicates is \"\(duplicates)\", expected \"mean\"") }
      use.allowsDuplicates = true
    }
    if let fill = options["fill"] {
      guard fill == "ratio" else { throw RowProblem("fill is \"\(fill)\", expected \"ratio\"") }
      use.fillsByRatio = true
    }
    if ["days", "from", "to"].contains(where: { options[$0] != nil }) {
      hours = try WeekHours(days: options["days"] ?? "", from: options["from"] ?? "", to: options["to"] ?? "")
    }
  }
}

extension Directions {
  /// Creates directions that use observed speeds for requests with a date, as a job with the keys `speeds` and
  /// `traffic` does.
  ///
  ///     let speeds = [SpeedInput(file: "speeds.csv.gz")]
  ///     let directions = try Directions(networks: [driving], speeds: speeds, traffic: "porto")
  ///
  /// On first use, the initializer reads the files and stores each network's speeds next to the network. Speed limits
  /// that apply only on certain dates are ignored.
  ///
  /// - Parameters:
  ///   - speeds: The files of speeds.
  ///   - traffic: The table of slowness by road class and hour, for streets without speeds: the path of a file, or the
  ///     name of a stock table ("porto").
  /// - Throws: An error that names the file, and the line or the key.
  public convenience init(
    networks: [StreetNetwork], speeds: [SpeedInput], traffic: String? = nil, options: Options = Options()
  ) throws { try self.init(networks: networks, SpeedInputs(speeds, traffic: traffic), options: options) }

  /// Creates directions from speeds and traffic; free flow if there are none.
  package convenience init(networks: [StreetNetwork], _ inputs: SpeedInputs, options: Options) throws {
    let known = inputs.isEmpty ? [] : try networks.map { try inputs.speeds(on: $0).speeds }
    self.init(networks: networks, options: options) { network in
      guard !inputs.isEmpty else { return nil }
      // Networks with avoidances are opened on demand.
      return try networks.firstIndex { $0 === network }.map { known[$0] } ?? inputs.speeds(on: network).speeds
    }
  }
}

/// The sources of speeds, as in a job's keys `speeds` and `traffic`: files of speeds, and a traffic table.
package struct SpeedInputs: Sendable {
  package let files: [SpeedInput]
  /// A file, or the name of a stock table.
  package let traffic: String?

  package init(_ files: [SpeedInput] = [], traffic: String? = nil) { (self.files, self.traffic) = (files, traffic) }

  package var isEmpty: Bool { files.isEmpty && traffic == nil }
  /// The path of the traffic file; nil for a stock table.
  package var trafficFile: String? { traffic.flatMap { TrafficTable.stockNames.contains($0) ? nil : $0 } }

  /// The digest of all files of speeds with their options. *Throws*: `OdometerError`.
  package var digest: [UInt8] {
    get throws {
      try Digest.of(
        files.reduce(into: [UInt8]()) { bytes, input in
          bytes += try InputFile.digest(of: input.file) ?? []
          bytes += Array("\(input.format?.rawValue ?? "") \(input.hours ?? .all) \(input.use)".utf8)
        })
    }
  }

  /// Returns the speeds of a network's streets: opened if they exist, otherwise read and stored.
  ///
  /// - Parameter week: A time in the week whose speed limits apply; nil for a typical week.
  /// - Throws: `OdometerError`.
  package func speeds(
    on network: StreetNetwork, week: LocalTime? = nil
  ) throws -> (speeds: StreetSpeeds, facts: SpeedFacts) {
    // A missing file is reported before anything is opened.
    for input in files { _ = try InputBlocks(path: input.file) }
    let watched = files.map { WatchedFile(path: $0.file) }
    return try StreetSpeeds.load(
      for: network, digest: try digest, uses: files.map(\.use),
      traffic: try traffic.map { try TrafficTable(named: $0) }, week: week
    ) { join in
      let read = Result { for file in files { try join.read(file) } }
      try watched.check(\.isSame)
      try read.get()
    }
  }
}
