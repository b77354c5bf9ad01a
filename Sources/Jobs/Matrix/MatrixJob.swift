import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import Transit
import TransitNetwork

/// A prepared job of kind `matrix`: computes every time and distance between one or two lists of places.
struct MatrixJob: PreparedJob {
  typealias Writer = MatrixWriter
  private let context: JobContext
  private let task: MatrixTask
  private let origins: Side
  private let destinations: Side
  let stops: TransitStops?
  private let lazyEngine: Lazy<any MatrixEngine>
  private let ownCells: OwnCells
  private let cells = CellText()
  private let textPool = BufferPool { TextBytes() }
  private let floatPool = BufferPool { [Float]() }

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
    ownCells = OwnCells(
      origins: origins.places.lazy.map { ($0.id, $0.coordinate) },
      destinations: destinations.places.lazy.map { ($0.id, $0.coordinate) })
    lazyEngine = Lazy {
      let (from, to) = (origins.snapped.map(\.usableEnd), destinations.snapped.map(\.usableEnd))
      if let stops {
        return TransitMatrix(
          stops, from: from, to: to, percentiles: context.job.hours.percentiles, on: context.network,
          workers: context.workers)
      }
      let waits = task.summary?.waiting == true
      let times = context.job.departures.map {
        MatrixTimes($0.times, on: context.timed(on: $0.day), percentiles: context.job.hours.percentiles)
      }
      let time = waits || context.network.changesWithTime ? context.job.tripTime : nil
      return context.network.matrixEngine(
        from: from, to: to, at: times ?? time.map { MatrixTimes([$0], on: context.timed(on: $0.day)) },
        distances: task.distances, waits: waits, workers: context.workers)
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
      seconds: engine.seconds + cells * time / 1e9, memory: context.workers * engine.workerMemory + engine.sharedMemory,
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
      hasWaits: task.summary?.waiting == true, unusable: unusableCells)
  }

  /// Cells without a route because a place has no street or is outside the coverage.
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
    return ResultsHead(
      rejected: rejected, backdrop: backdrop, places: PlaceRows(sides.map { context.rows(of: $0.places, $0.snapped) }),
      idsAreNumbers: sides.allSatisfy { $0.places.allSatisfy(\.id.isNumber) },
      longestRow: shape.formats.contains(.sqlite) ? shape.columns * 9 : 0, departures: shape.departures,
      tables: { [shape] in MatrixResults.creation($0, shape) })
  }

  /// The check of the order of an origin's times; nil if they need not be ordered.
  private var order: DepartureOrder? {
    guard let departures, let clock = engine.clock else { return nil }
    return DepartureOrder(departures, on: clock)
  }

  func makeWorker() -> (Range<Int>) throws -> MatrixWriter.Block {
    let worker = MatrixWorker(
      task, engine.makeFill(), from: origins.places, to: destinations.places, context.job.rowAxis,
      at: departures, order, ownCells, cells, floatPool)
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

  func makeWriter(_ store: ResultsStore) throws -> MatrixWriter { try MatrixWriter(store, shape) }
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
