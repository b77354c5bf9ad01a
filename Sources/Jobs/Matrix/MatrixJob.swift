import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Synchronization
import Tables
import Transit
import TransitNetwork

/// A prepared job of kind `matrix`: computes every time and distance within one list of places, or between two.
///
/// `MatrixTask.read` reads both lists and snaps them, the engine divides the rows into blocks as chunks, `MatrixWorker`
/// computes a block, and `MatrixWriter` writes it.
struct MatrixJob: PreparedJob {
  typealias Writer = MatrixWriter
  private let context: JobContext
  fileprivate let task: MatrixTask
  fileprivate let origins: Side
  fileprivate let destinations: Side
  let stops: TransitStops?
  private let lazyEngine: Lazy<any MatrixEngine>
  fileprivate let ownCells: OwnCells
  fileprivate let cells = CellText()
  private let textPool = BufferPool { TextBytes() }
  fileprivate let floatPool = BufferPool { [Float]() }

  /// The places of the rows, or of the columns.
  typealias Side = (places: [InputPlace], snapped: SnappedPlaces)

  init(
    _ task: MatrixTask, from origins: Side, to destinations: Side, by stops: TransitStops?, in context: JobContext
  ) {
    (self.task, self.origins, self.destinations, self.context) = (task, origins, destinations, context)
    self.stops = stops
    ownCells = OwnCells(
      origins: origins.places.lazy.map { ($0.id, $0.coordinate) },
      destinations: destinations.places.lazy.map { ($0.id, $0.coordinate) })
    lazyEngine = Lazy {
      context.matrix(
        from: origins.snapped.map(\.usableEnd), to: destinations.snapped.map(\.usableEnd), by: stops,
        distances: task.distances, waits: task.summary?.waiting == true, percentiles: context.job.hours.percentiles)
    }
  }

  /// Created on first use, since a merge of shards needs no engine.
  fileprivate var engine: any MatrixEngine { lazyEngine.value }

  var chunks: [Range<Int>] { engine.blocks }

  func makeWorker() -> (Range<Int>) throws -> MatrixWriter.Block {
    let worker = MatrixWorker(self)
    return { [textPool, floatPool] rows in
      var block = try worker.compute(rows, into: textPool.take())
      let (text, numbers) = (block.text, [block.travelTimes, block.distances].filter { !$0.isEmpty })
      block.lease = BufferLease {
        textPool.release(text)
        numbers.forEach(floatPool.release)
      }
      return block
    }
  }

  func makeWriter(_ store: ResultsStore) throws -> MatrixWriter { try MatrixWriter(store, content) }

  var rows: Int { origins.places.count }
  var unitsPerRow: Int { hours * destinations.places.count }
  private var departures: Departures? { context.job.departures }
  fileprivate var axis: RowAxis { context.job.rowAxis }
  var extent: (box: BoundingBox, reach: Double) {
    (BoundingBox(around: [origins.snapped, destinations.snapped].joined()), 0)
  }
  var explanation: String? { "engine: \(engine.explanation)" }

  var inputCost: JobCost { .input(places: rows + destinations.places.count) }

  /// Estimates times from the plan, and sizes from a few rows, since the length of cells as text varies.
  func cost() throws -> JobCost {
    let numbers = task.distances ? 2 : 1
    let sizes = try sampleSizes()
    let bytes = sizes.text + sizes.floats + sizes.csv
    // Nanoseconds to write a number: as text, as a float, and compressed.
    let time = 2 + (sizes.text > 0 ? 6.0 : 0) + (sizes.floats > 0 ? 2 : 0) + (sizes.csv > 0 ? 60 + 35 * sizes.csv : 0)
    let cells = Double(rows * unitsPerRow * numbers)
    let block = Double((engine.blocks.first?.count ?? 0) * unitsPerRow * numbers)
    let total = JobCost(
      seconds: engine.seconds + cells * time / 1e9, memory: engine.sharedMemory, workerMemory: engine.workerMemory,
      chunkMemory: Int(min(block, cells) * (bytes > 0 ? bytes + 4 : 2)) + hoursBytes / max(1, engine.blocks.count),
      disk: Int(cells * bytes) + hoursBytes + (task.summary == nil ? 0 : rows * hours * 120),
      tables: Int(cells * sizes.text) + hoursBytes, places: rows + destinations.places.count)
    return total.share(context.rows(ofChunks: engine.blocks).count, of: rows)
  }

  /// Returns the bytes per number in each format, from the first, the middle and the last origin.
  private func sampleSizes() throws -> (text: Double, floats: Double, csv: Double) {
    let ownRows = context.rows(ofChunks: engine.blocks)
    guard !ownRows.isEmpty, !destinations.places.isEmpty else { return (0, 0, 0) }
    let compute = makeWorker()
    var (text, floats, csv, count) = (0, 0, 0, 0)
    for row in Set([ownRows.lowerBound, ownRows.lowerBound + ownRows.count / 2, ownRows.upperBound - 1]).sorted() {
      let block = try compute(row..<row + 1)
      // The database pages of a row are not completely full.
      text += task.formats.contains(.sqlite) ? block.text.count * 26 / 25 : 0
      floats += (block.travelTimes.count + block.distances.count) * MemoryLayout<Float>.size
      csv += block.csv?.bytes.count ?? 0
      count += unitsPerRow * (task.distances ? 2 : 1)
    }
    return (Double(text) / Double(count), Double(floats) / Double(count), Double(csv) / Double(count))
  }

  private var hours: Int { max(1, axis.count) }

  /// Bytes of table `matrix_hours`.
  private var hoursBytes: Int {
    guard let words = task.hours?.words, let departures else { return 0 }
    return rows * destinations.places.count * departures.days.count * (20 + 9 * words.count)
  }

  private var content: MatrixWriter.Content {
    MatrixWriter.Content(
      rows: rows, columns: destinations.places.count, hasDistances: task.distances, formats: Set(task.formats),
      axis: axis, departures: departures?.rows ?? [], hours: task.hours?.words ?? [],
      hasWaits: task.summary?.waiting == true, unusable: unusableCells)
  }

  /// Cells without a route because a place has no street or is outside the coverage.
  private var unusableCells: [StatusCount] {
    func cells(_ isCounted: (SnappedPlace) -> Bool) -> Int {
      origins.snapped.count(where: isCounted) * destinations.snapped.count(where: isCounted) * hours
    }
    let inside = cells { !$0.isOutside }
    return [
      StatusCount(status: .placemarkNotFound, count: inside - cells { $0.usableEnd != nil }),
      StatusCount(status: .outsideCoverage, count: rows * unitsPerRow - inside),
    ]
  }

  var placeRows: PlaceRows {
    PlaceRows([origins, destinations].map { PlaceRows($0.places, $0.snapped, on: context.network) })
  }

  var idsAreNumbers: Bool { [origins, destinations].allSatisfy { $0.places.allSatisfy(\.id.isNumber) } }
  var longestRow: Int { task.formats.contains(.sqlite) ? destinations.places.count * 9 : 0 }
  func tables(_ types: SQLTypes) -> String { MatrixResults.creation(types, content) }

  /// The departures of an origin's rows; nil for rows of percentiles, or for one row without a departure.
  fileprivate var departuresOfRows: Departures? { axis.column == .departure ? departures : nil }

  /// The check of the order of an origin's times; nil if they need not be ordered.
  fileprivate var order: DepartureOrder? {
    guard let departures, let clock = engine.clock else { return nil }
    return DepartureOrder(departures, on: clock)
  }
}

/// The cells of a matrix from an origin to itself: to a destination with the same id and coordinate.
///
/// Such a cell is not a trip: it is excluded from statistics and means and is never the nearest destination. It still
/// counts as a cell and as reached, with its weight: a place reaches its own jobs.
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

  /// Returns the destination that is the origin itself; nil if there is none.
  package subscript(origin: Int) -> Int? { columns[origin] < 0 ? nil : Int(columns[origin]) }
}

extension ResultsDatabase {
  /// Returns the cells of a finished matrix from origins to themselves.
  func ownCells() throws -> OwnCells {
    func places(_ role: PlaceRole) throws -> [OwnCells.Place] { try self.places(role).map { ($0.id, $0.point) } }
    return OwnCells(origins: try places(.origin), destinations: try places(.destination))
  }
}

/// A worker that computes blocks of a matrix and encodes their rows in the requested formats; one per thread.
final class MatrixWorker {
  private let task: MatrixTask
  private let origins: [InputPlace]
  private let destinations: [InputPlace]
  private let fill: (Range<Int>) -> MatrixBlock
  private let departures: Departures?
  private let order: DepartureOrder?
  /// The numbers of an origin's rows, and their names for CSV; empty for a single row.
  private let (numbers, labels): ([Int], [String])
  private let ownCells: OwnCells
  private let cells: CellText
  private let floats: BufferPool<[Float]>
  private let deflater: Deflater?
  private let lines: CellLines?
  private let lineText = TextBytes()
  /// The destinations' weights; nil without weights.
  private let weights: [Double]?
  private let missing = MatrixBlock.unreachable

  init(_ job: MatrixJob) {
    (task, origins, destinations) = (job.task, job.origins.places, job.destinations.places)
    (ownCells, cells, floats, fill) = (job.ownCells, job.cells, job.floatPool, job.engine.makeFill())
    (numbers, labels, departures, order) = (job.axis.numbers, job.axis.labels, job.departuresOfRows, job.order)
    let writesCSV = task.formats.contains(.csv)
    deflater = writesCSV ? Deflater() : nil
    lines = writesCSV ? CellLines(cells, fields: destinations.map(\.id.csvField)) : nil
    weights = destinations.contains { $0.weight != nil } ? destinations.map { $0.weight ?? 0 } : nil
  }

  func compute(_ rows: Range<Int>, into text: TextBytes) throws -> MatrixWriter.Block {
    let block = fill(rows)
    text.removeAll()
    var answer = MatrixWriter.Block(rows: rows.count, text: text)
    let hours = max(1, labels.count)
    if task.formats.contains(.sqlite) {
      cells.reserve(rows: rows.count * hours * (task.distances ? 2 : 1), columns: destinations.count, in: text)
    }
    for row in 0..<rows.count * hours {
      let (origin, hour) = (rows.lowerBound + row / hours, row % hours)
      answer.keys.append(.init(origin: origins[origin].id, departure: numbers.isEmpty ? nil : numbers[hour]))
      let times = block.times(row: row)
      let lengths = task.distances ? block.lengths(row: row) : times
      let ownColumn = ownCells[origin]
      answer.times.add(times, times: times, missing: missing, except: ownColumn)
      if task.distances { answer.lengths.add(lengths, times: times, missing: missing, except: ownColumn) }
      if let ownColumn, times[ownColumn] < missing { answer.ownTimes.add(times[ownColumn]) }
      if task.formats.contains(.sqlite) {
        cells.append(seconds: times, missing: missing, to: answer.text)
        answer.ends.append(answer.text.count)
        if task.distances {
          cells.append(metres: lengths, times: times, missing: missing, to: answer.text)
          answer.ends.append(answer.text.count)
        }
      }
      if let deflater, let lines {
        lineText.removeAll()
        lines.append(
          from: origins[origin].id.csvField, at: labels.isEmpty ? nil : labels[hour], times: times,
          lengths: task.distances ? lengths : nil, missing: missing, to: lineText)
        deflater.append(lineText)
      }
      if let summary = task.summary {
        var originSummary = self.summary(of: origin, answer.keys[row].departure, times, lengths, summary)
        if summary.waiting { originSummary.waiting = waiting(times, block.waits(row: row), except: ownColumn) }
        answer.summaries.append(originSummary)
      }
    }
    if task.formats.contains(.npy) {
      answer.travelTimes = floats.take()
      MatrixFloats.seconds(of: block, into: &answer.travelTimes)
      if task.distances {
        answer.distances = floats.take()
        MatrixFloats.metres(of: block, into: &answer.distances)
      }
    }
    for origin in rows {
      try summarizeHours(origin, rowsFrom: (origin - rows.lowerBound) * hours, of: block, to: &answer)
    }
    answer.csv = deflater?.finishBlock()
    return answer
  }

  /// Adds the summaries of an origin's cells over each day, and checks the arrival order of a sample of origins.
  private func summarizeHours(
    _ origin: Int, rowsFrom first: Int, of block: MatrixBlock, to answer: inout MatrixWriter.Block
  ) throws {
    let isChecked = order != nil && origin % DepartureOrder.interval == 0
    guard let departures, task.hours != nil || isChecked else { return }
    let hours = departures.hours
    for (column, destination) in destinations.enumerated() {
      let times = hours.indices.map { block.times(row: first + $0)[column] }
      if isChecked { try order?.check(times, missing: missing, from: origins[origin].id, to: destination.id) }
      guard let summary = task.hours else { continue }
      for day in departures.days {
        answer.hours.append(
          CellHours(
            origin: origins[origin].id, destination: destination.id, weekday: hours[day.lowerBound].weekday.rawValue,
            times: Array(times[day]), numbers: day.lowerBound + 1..<day.upperBound + 1, missing: missing,
            percentiles: summary.percentiles))
      }
    }
  }

  /// Summarizes the waits of a row's trips to reachable destinations other than the origin itself.
  private func waiting(
    _ times: UnsafeBufferPointer<UInt32>, _ waits: UnsafeBufferPointer<UInt32>, except ownColumn: Int?
  ) -> OriginSummary.Waiting {
    let reached = times.indices.lazy.filter { times[$0] < self.missing && $0 != ownColumn }.map { waits[$0] }
    let sum = reached.reduce(0) { $0 + UInt64($1) }
    let count = reached.count { _ in true }
    return .init(
      destinations: reached.count { $0 > LongWait.seconds * 1000 },
      mean: count > 0 ? Double(sum) / Double(count) / 1000 : nil)
  }

  /// Returns the summary of an origin's row. Destinations are ranked by time, then distance, then index. An origin's cell
  /// to itself counts neither as nearest nor in a mean.
  private func summary(
    of origin: Int, _ departure: Int?, _ times: UnsafeBufferPointer<UInt32>, _ lengths: UnsafeBufferPointer<UInt32>,
    _ requested: SummaryTask
  ) -> OriginSummary {
    var summary = OriginSummary()
    (summary.origin, summary.departure) = (origins[origin].id, departure)
    let ownColumn = ownCells[origin]
    var (nearest, others) = (-1, 0)
    var (timeSum, lengthSum): (UInt64, UInt64) = (0, 0)
    for (column, time) in times.enumerated() where time < missing {
      summary.reachable += 1
      guard column != ownColumn else { continue }
      others += 1
      timeSum += UInt64(time)
      lengthSum += UInt64(lengths[column])
      if nearest < 0 || (time, lengths[column]) < (times[nearest], lengths[nearest]) { nearest = column }
    }
    if requested.nearest && nearest >= 0 {
      summary.nearest = .init(
        destination: destinations[nearest].id, milliseconds: times[nearest],
        centimetres: task.distances ? lengths[nearest] : nil)
    }
    if requested.mean && others > 0 {
      summary.meanTravelTime = Double(timeSum) / Double(others) / 1000
      if task.distances { summary.meanDistance = Double(lengthSum) / Double(others) / 100 }
    }
    summary.within = requested.within.map { threshold in
      let limit = UInt32(threshold) * 1000
      let columns = times.indices.lazy.filter { times[$0] < self.missing && times[$0] <= limit }
      return .init(
        threshold: threshold, destinations: columns.count,
        weight: weights.map { weights in columns.reduce(0) { $0 + weights[$1] } })
    }
    return summary
  }
}

/// A pool of reusable buffers, which are taken for filling and released after writing (by a `BufferLease`), so that
/// large ones are not allocated for every chunk.
final class BufferPool<Buffer: Sendable>: Sendable {
  private let idle = Mutex<[Buffer]>([])
  private let make: @Sendable () -> Buffer

  init(_ make: @escaping @Sendable () -> Buffer) { self.make = make }

  func take() -> Buffer { idle.withLock { $0.popLast() } ?? make() }
  func release(_ buffer: Buffer) { idle.withLock { $0.append(buffer) } }
}

/// A lease of buffers, which are returned to the pool when the last holder releases it.
final class BufferLease: Sendable {
  private let returnBuffers: @Sendable () -> Void

  init(_ returnBuffers: @escaping @Sendable () -> Void) { self.returnBuffers = returnBuffers }
  deinit { returnBuffers() }
}
