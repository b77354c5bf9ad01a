import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import Transit

/// Kind `matrix`: from one or two lists of places to every time and distance between them.
struct MatrixJob: PreparedJob {
  typealias Writer = MatrixWriter
  private let context: JobContext
  private let task: MatrixTask
  private let origins: Side
  private let destinations: Side
  let stops: TransitStops?
  private let lazyEngine: Lazy<any MatrixEngine>
  /// For summaries; nil if the job has none.
  private let own: OwnCells?
  private let cells = CellText()
  private let texts = BufferPool { TextBytes() }
  private let floats = BufferPool { [Float]() }

  /// The places of the rows, or of the columns.
  struct Side: Sendable {
    var places: [InputPlace]
    var snapped: SnappedPlaces

    func count(where isCounted: (SnappedPlace) -> Bool) -> Int { snapped.count(where: isCounted) }
  }

  init(
    _ task: MatrixTask, from origins: Side, to destinations: Side, by stops: TransitStops?, in context: JobContext
  ) {
    (self.task, self.origins, self.destinations, self.context) = (task, origins, destinations, context)
    self.stops = stops
    own = task.summary.map { _ in
      OwnCells(
        origins: origins.places.lazy.map { ($0.id, $0.coordinate) },
        destinations: destinations.places.lazy.map { ($0.id, $0.coordinate) })
    }
    lazyEngine = Lazy {
      let (from, to) = (origins.snapped.map(\.usableEnd), destinations.snapped.map(\.usableEnd))
      if let stops {
        return TransitMatrix(stops, from: from, to: to, percentiles: context.job.hours.percentiles, in: context)
      }
      let waits = task.summary?.waiting == true
      if let departures = context.job.departures {
        let timed = context.timed(on: departures.day)
        let hourly = HourlyMatrix(
          timed, from: from, to: to, at: departures.times, distances: task.distances, waits: waits)
        guard let percentiles = context.job.hours.percentiles else { return hourly }
        return PercentileMatrix(hourly, percentiles)
      }
      if let time = context.job.tripTime, waits || context.network.changesWithTime {
        return HourlyMatrix(
          context.timed(on: time.day), from: from, to: to, at: [time], distances: task.distances, waits: waits)
      }
      return TripMatrix(
        context.network, from: from, to: to, distances: task.distances, workers: context.workers)
    }
  }

  /// Created on demand: a merge of shards does not need it.
  private var engine: any MatrixEngine { lazyEngine.value }

  var rows: Int { origins.places.count }
  var unitsPerRow: Int { hours * destinations.places.count }
  var chunks: [Range<Int>] { engine.blocks }
  private var departures: Departures? { context.job.departures }
  var extent: (box: BoundingBox, reach: Double) {
    (BoundingBox(around: [origins.snapped, destinations.snapped].joined()), 0)
  }
  var explanation: String? { "engine: \(engine.explanation)" }

  var inputCost: JobCost { .input(places: rows + destinations.places.count) }

  /// Times from the plan; sizes from a few rows, since the length of cells as text depends on them.
  func cost() throws -> JobCost {
    let numbers = task.distances ? 2 : 1
    let sizes = try sampleSizes()
    let bytes = sizes.text + sizes.floats + sizes.csv
    // Nanoseconds to write a number: as text, as a float, and compressed.
    let time = 2 + (sizes.text > 0 ? 6.0 : 0) + (sizes.floats > 0 ? 2 : 0) + (sizes.csv > 0 ? 60 + 35 * sizes.csv : 0)
    let cells = Double(rows * unitsPerRow * numbers)
    let block = Double((engine.blocks.first?.count ?? 0) * unitsPerRow * numbers)
    let whole = JobCost(
      seconds: engine.seconds + cells * time / 1e9, memory: context.workers * engine.workerMemory + engine.sharedMemory,
      chunkMemory: Int(min(block, cells) * (bytes > 0 ? bytes + 4 : 2)) + hoursBytes / max(1, engine.blocks.count),
      disk: Int(cells * bytes) + hoursBytes + (task.summary == nil ? 0 : rows * hours * 120),
      tables: Int(cells * sizes.text) + hoursBytes,
      places: rows + destinations.places.count)
    return whole.share(context.rows(ofChunks: engine.blocks).count, of: rows)
  }

  /// Bytes per number in each format, from the first, the middle and the last origin.
  private func sampleSizes() throws -> (text: Double, floats: Double, csv: Double) {
    let own = context.rows(ofChunks: engine.blocks)
    guard !own.isEmpty, !destinations.places.isEmpty else { return (0, 0, 0) }
    let compute = makeWorker()
    var (text, floats, csv, count) = (0, 0, 0, 0)
    for row in Set([own.lowerBound, own.lowerBound + own.count / 2, own.upperBound - 1]).sorted() {
      let block = try compute(row..<row + 1)
      // A row's pages are not completely full.
      text += task.formats.contains(.sqlite) ? block.text.count * 26 / 25 : 0
      floats += (block.travelTimes.count + block.distances.count) * MemoryLayout<Float>.size
      csv += block.csv?.bytes.count ?? 0
      count += unitsPerRow * (task.distances ? 2 : 1)
    }
    return (Double(text) / Double(count), Double(floats) / Double(count), Double(csv) / Double(count))
  }

  private var hours: Int { max(1, context.job.rowAxis.count) }

  /// Bytes of table `matrix_hours`.
  private var hoursBytes: Int {
    guard let words = task.hours?.words, let departures else { return 0 }
    return rows * destinations.places.count * departures.days.count * (20 + 9 * words.count)
  }

  private var shape: MatrixWriter.Shape {
    MatrixWriter.Shape(
      rows: rows, columns: destinations.places.count, hasDistances: task.distances, formats: Set(task.formats),
      axis: context.job.rowAxis, departures: departures?.rows ?? [], hours: task.hours?.words ?? [],
      hasWaits: task.summary?.waiting == true,
      unusable: unusableCells)
  }

  /// Cells without a route because of a missing street or the coverage.
  private var unusableCells: [StatusCount] {
    func cells(_ isCounted: (SnappedPlace) -> Bool) -> Int {
      origins.count(where: isCounted) * destinations.count(where: isCounted) * hours
    }
    let inside = cells { !$0.isOutside }
    return [
      StatusCount(status: .placemarkNotFound, count: inside - cells { $0.usableEnd != nil }),
      StatusCount(status: .outsideCoverage, count: rows * unitsPerRow - inside),
    ]
  }

  func head(rejected: [RejectedRow], backdrop: [BackdropRow]) -> ResultsHead {
    let sides = [origins, destinations]
    return MatrixWriter.head(
      rejected: rejected, backdrop: backdrop,
      places: PlaceRows(sides.map { context.rows(of: $0.places, $0.snapped) }),
      idsAreNumbers: sides.allSatisfy { $0.places.allSatisfy(\.id.isNumber) }, shape)
  }

  /// Nil if times of an origin need not be ordered.
  private var order: DepartureOrder? {
    guard let departures, let clock = engine.clock else { return nil }
    return DepartureOrder(departures, on: clock)
  }

  func makeWorker() -> (Range<Int>) throws -> MatrixWriter.Block {
    let worker = MatrixWorker(
      task, engine.makeFill(), from: origins.places, to: destinations.places, context.job.rowAxis,
      at: departures, order, own: own, cells, floats)
    return { [texts, floats] rows in
      var block = try worker.compute(rows, into: texts.take())
      let (text, numbers) = (block.text, [block.travelTimes, block.distances].filter { !$0.isEmpty })
      block.loan = Loan {
        texts.release(text)
        numbers.forEach(floats.release)
      }
      return block
    }
  }

  func makeWriter(_ store: ResultsStore) throws -> MatrixWriter { try MatrixWriter(store, shape) }
}

/// Computes the rows of a matrix, block by block. Shared by all threads.
protocol MatrixEngine: Sendable {
  /// Ranges of origins, in order.
  var blocks: [Range<Int>] { get }
  /// The method, and the reason for it.
  var explanation: String { get }
  /// Seconds of all rows on one core.
  var seconds: Double { get }
  /// Bytes per thread.
  var workerMemory: Int { get }
  /// Bytes shared by all threads.
  var sharedMemory: Int { get }
  /// The clock of time-dependent trips; nil without hours.
  var clock: StreetClock? { get }
  /// Fills blocks on one thread: for some origins a block with one row each, or one per hour.
  func makeFill() -> (Range<Int>) -> MatrixBlock
}

extension TripMatrix: MatrixEngine {
  var blocks: [Range<Int>] { matrix.blocks }
  var explanation: String { "\(matrix.plan)" }
  var seconds: Double { matrix.plan.costs[matrix.plan.engine] ?? 0 }
  var sharedMemory: Int { 0 }
  var clock: StreetClock? { nil }
  var workerMemory: Int { matrix.plan.sweptStates * 64 * (matrix.hasLengths ? 2 : 1) }
}

/// One row per percentile of the times at all hours of an engine.
struct PercentileMatrix: MatrixEngine {
  private let hourly: HourlyMatrix
  private let network: PercentileNetwork

  init(_ hourly: HourlyMatrix, _ percentiles: [Int]) {
    self.hourly = hourly
    network = PercentileNetwork(count: hourly.times.count, percentiles: percentiles)
  }

  var blocks: [Range<Int>] { hourly.blocks }
  var explanation: String { "\(hourly.explanation); percentiles by \(network.comparators.count) comparisons a cell" }
  var seconds: Double { hourly.seconds }
  var workerMemory: Int { hourly.workerMemory }
  var sharedMemory: Int { hourly.sharedMemory }
  var clock: StreetClock? { nil }

  func makeFill() -> (Range<Int>) -> MatrixBlock {
    let fill = hourly.makeFill()
    var block: MatrixBlock?
    return { [network] origins in
      let times = fill(origins)
      let percentiles = block ?? MatrixBlock(columns: times.columns, hasLengths: false)
      block = percentiles
      network.fill(percentiles, from: times)
      return percentiles
    }
  }
}

extension HourlyMatrix: MatrixEngine {
  var clock: StreetClock? { timed.graph.clock }
  var workerMemory: Int { memory }
}
