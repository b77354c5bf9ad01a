import Jobs
import Tables

/// The cells of a matrix that are included in a page: all cells, or those of an even sample of origins and hours.
struct ShownCells {
  /// The maximum number of cells of a matrix that is shown completely, and the maximum size of the sample of a larger
  /// matrix. They limit the job's running time.
  private static let (mostOfAll, most) = (1_500_000, 400_000)

  /// The indices of the shown origins and hours; no hours for a matrix without hours.
  private(set) var rows: [Int] = []
  private(set) var hours: [Int] = []
  /// The cells of each origin, hour by hour, in the format of `MinuteText`.
  private(set) var texts: [String] = []
  /// The mean and the shortest time from each origin to other places, by hour, in seconds.
  private(set) var summaries: [[(mean: Double?, nearest: Double?)]] = [[]]
  /// The index of the hour that the page shows at first among the shown hours.
  private(set) var initial = 0
  /// Whether the database has the cells; otherwise they are in a file.
  private(set) var areInTable = false
  /// A note about omitted cells; nil if there are none.
  private(set) var note: String?

  /// Reads the cells.
  ///
  /// - Parameter heat: Receives the cells of the hour that the page shows at first.
  ///
  /// *Throws*: `ResultsError`.
  init(
    of database: ResultsDatabase, origins: Int, destinations: Int, _ axis: RowAxis, _ heat: inout HeatTable
  ) throws {
    let count = axis.count
    // Without cells, summaries of one hour are shown.
    hours = axis.evenlySpacedIndices(atMost: 1)
    guard origins > 0, destinations > 0, let cells = try database.shownMatrixCells() else {
      note = "This page does not show individual cells: the job kept only summaries, or wrote cells as CSV."
      return
    }
    areInTable = cells.name == "matrix_row"
    let hasAll =
      destinations.multipliedReportingOverflow(by: origins * max(1, count)).partialValue <= ShownCells.mostOfAll
    let most = hasAll ? ShownCells.mostOfAll : ShownCells.most
    hours = axis.evenlySpacedIndices(atMost: hasAll ? count : max(1, min(24, most / 20 / destinations)))
    let mostRows = max(1, most / (destinations * max(1, hours.count)))
    rows = stride(from: 0, to: origins, by: (origins + mostRows - 1) / mostRows).map(\.self)
    guard destinations * max(1, hours.count) <= most else {
      (rows, hours) = ([], axis.evenlySpacedIndices(atMost: 1))
      note = "This page does not show individual cells: each origin has too many."
      return
    }
    var row = CellRow()
    summaries = Array(repeating: [], count: max(1, hours.count))
    initial = hours.firstIndex(of: axis.initialIndex) ?? 0
    for origin in rows {
      let own = heat.own[origin]
      var bytes: [UInt8] = []
      bytes.reserveCapacity(destinations * max(1, hours.count))
      for (index, hour) in (count == 0 ? [0] : hours).enumerated() {
        try cells.read(origin * max(1, count) + hour, into: &row)
        MinuteText.append(row.times, to: &bytes)
        var (sum, reached, least) = (Int64(0), 0, Int64.max)
        for (destination, time) in row.times.enumerated() where time >= 0 && destination != own {
          (sum, reached, least) = (sum + time, reached + 1, min(least, time))
        }
        summaries[index].append(
          reached > 0 ? (Double(sum) / Double(reached) / 1000, Double(least) / 1000) : (nil, nil))
        if hour == axis.initialIndex { heat.add(row.times, from: origin) }
      }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    var notes: [String] = []
    if rows.count < origins {
      notes.append("\(Format.count(rows.count, of: origins)) origins, an even sample, can be selected")
    }
    if hours.count < count { notes.append("\(hours.count) of \(count) \(axis.unit) are shown") }
    if !notes.isEmpty { note = notes.joined(separator: "; ") + ". All cells are in the results." }
  }

  /// Removes the cells and all hours except the one that the page shows at first.
  mutating func removeCells(_ axis: RowAxis) {
    (rows, texts, hours, note) = ([], [], axis.evenlySpacedIndices(atMost: 1), nil)
  }
}

extension PageData {
  /// Adds a matrix: its places, summaries of its origins, and the cells of as many origins as a page can hold.
  ///
  /// - Parameters:
  ///   - areOfRows: Whether the summaries are those of the origins with cells, by hour.
  ///   - areInTable: Whether the database has the summaries.
  ///   - shown: The index of each of the origins among all origins of the job.
  mutating func add(
    _ cells: ShownCells, origins: [ReportedPlace], destinations: [ReportedPlace],
    _ summaries: [[(mean: Double?, nearest: Double?)]], areOfRows: Bool, areInTable: Bool, hours: [String],
    _ reached: (shares: ReachedShares, unit: String?)?, of shown: [Int]
  ) {
    // If there are too many summaries, the script computes them from the cells.
    let columns = areOfRows && summaries.reduce(0) { $0 + $1.count } > PageData.maximumShares ? [] : summaries
    var members: [(String, String)] = [
      ("origins", PageData.places(origins)), ("destinations", PageData.places(destinations)),
      ("counted", String(destinations.count { $0.status != .outsideCoverage })),
      PageData.column("mean", columns) { PageData.list($0) { PageData.json($0.mean, places: 3) } },
      PageData.column("nearest", columns) { PageData.list($0) { PageData.json($0.nearest, places: 3) } },
      PageData.column("hours", cells.hours) { PageData.json(hours[$0]) },
      PageData.column("rows", cells.rows) { String($0) },
      ("cells", "[\(cells.texts.map { "\"\($0)\"" }.joined(separator: ",\n"))]"),
    ]
    if areOfRows { members.append(("usesCells", "true")) }
    if areInTable { members.append(("hasSummaries", "true")) }
    if cells.areInTable { members.append(("areInTable", "true")) }
    if let note = cells.note {
      let isBare = reached == nil && summaries.allSatisfy(\.isEmpty)
      let more = isBare ? " It has no summaries of origins either, so the map shows only places." : ""
      members.append(("leftOut", PageData.json(note + more)))
    }
    if let reached, reached.shares.shares.count <= PageData.maximumShares {
      members.append(("within", PageData.json(reached, cells, hours.count, of: shown)))
    }
    add("matrix", PageData.object(members))
  }

  /// The maximum number of shares, and of mean times; more are omitted.
  private static let maximumShares = 300_000

  /// Returns the shares within each threshold, in thousandths, by shown hour and origin.
  private static func json(
    _ reached: (shares: ReachedShares, unit: String?), _ cells: ShownCells, _ hours: Int, of origins: [Int]
  ) -> String {
    let (shares, thresholds) = (reached.shares.shares, reached.shares.thresholds)
    let all = max(1, hours)
    let values = list(thresholds.indices) { threshold in
      list(hours == 0 ? [0] : cells.hours) { hour in
        list(origins) { json(shares[($0 * all + hour) * thresholds.count + threshold] * 1000, places: 0) }
      }
    }
    return object([
      column("thresholds", thresholds) { String($0) }, ("unit", json(reached.unit ?? "destinations")),
      ("shares", values),
    ])
  }
}

/// Travel times of a matrix as text: half minutes, rounded up, in one or two characters each. Half of them, rounded down,
/// are the nearest whole minutes, and a time is within whole minutes exactly if its half minutes are.
///
/// The ASCII characters from "#" onward, except "<" and "\", are the digits 0 to 89. Digits up to 79 are half minutes. 80
/// to 88 begin a pair: 80 + 90 × (first − 80) + second. 89 begins a triple: 890 + 90 × second + third. "!" means no
/// route. Longer times are written as 8,989 half minutes.
enum MinuteText {
  static let digits: [UInt8] = (UInt8(ascii: "#")...UInt8(ascii: "~")).filter {
    $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "\\")
  }

  /// - Parameter milliseconds: Travel times; negative if there is no route.
  static func append(_ milliseconds: some Sequence<Int64>, to bytes: inout [UInt8]) {
    digits.withUnsafeBufferPointer { digits in
      for time in milliseconds {
        guard time >= 0 else {
          bytes.append(UInt8(ascii: "!"))
          continue
        }
        let halves = Int((time + 29_999) / 30_000)
        switch halves {
        case ..<80: bytes.append(digits[halves])
        case ..<890:
          bytes.append(digits[80 + (halves - 80) / 90])
          bytes.append(digits[(halves - 80) % 90])
        default:
          let rest = min(halves - 890, 90 * 90 - 1)
          bytes.append(digits[89])
          bytes.append(digits[rest / 90])
          bytes.append(digits[rest % 90])
        }
      }
    }
  }
}
