import Foundation
import Geography
import StreetNetwork
import Tables

/// The expected cost of a job, from a sample and the cost so far. Usually accurate to within 25 %, but less so if the
/// sample is not representative.
struct Forecast: Sendable {
  /// CPU seconds of the whole run, with an existing network.
  let seconds: Double
  /// Wall-clock seconds, on as many cores as there are workers.
  private let wallSeconds: Double
  /// Bytes held from the beginning to the end.
  let fixedMemory: Int
  /// The bytes of each worker's searches, which `fixedMemory` includes.
  let workerMemory: Int
  /// Bytes of a chunk in progress.
  let chunkMemory: Int
  /// Bytes of the results.
  let disk: Int

  /// Bytes of the program, and the maximum for writing the database.
  private static let (program, cache) = (44 << 20, 32 << 20)
  /// The size of the tables divided by the disk space for sorting the largest index and for the rows on the page.
  private static let sortedPart = 16
  /// Bytes on disk: of a place with its indices, of the initial database and the report, and of a basemap street; and
  /// the maximum number of basemap streets.
  private static let (placeDisk, startDisk, streetDisk, maximumStreets) = (176, 900_000, 183, 5000)
  /// Seconds to write and index a place; to write a byte; to begin and to end.
  private static let (placeSeconds, byteSeconds, startSeconds) = (8e-6, 6e-9, 0.2)

  /// Forecasts a job; `context` has the costs so far: reading, snapping and sampling.
  init(_ cost: JobCost, in context: JobContext) {
    let (network, workers, spent) = (context.network, context.workers, context.spent)
    // The network file is memory-mapped; verification stores distances and other values per state.
    let file = FileManager.size(of: network.path) ?? 0
    let states = network.states.arcs.stateCount * 24
    workerMemory = cost.workerMemory
    let streets = min(Forecast.maximumStreets, network.streetCount) * Forecast.streetDisk
    let places = cost.places * Forecast.placeDisk
    let tables = places + (cost.tables ?? cost.disk)
    disk = Forecast.startDisk + streets + places + cost.disk + tables / Forecast.sortedPart
    let written = min(Forecast.cache, tables)
    fixedMemory =
      Forecast.program + file + states + workers * workerMemory + cost.places * cost.placeMemory + cost.memory
      + context.keptMemory + written
    chunkMemory = cost.chunkMemory
    let writing =
      Forecast.startSeconds + Double(cost.places) * Forecast.placeSeconds + Double(disk) * Forecast.byteSeconds
    seconds = spent.cpuSeconds + cost.seconds + writing
    wallSeconds = spent.seconds + cost.seconds / Double(workers) + writing
  }

  /// Returns the bytes of memory that the job uses if they are available.
  func memory(workers: Int) -> Int { fixedMemory + 2 * workers * chunkMemory }

  /// The minimum number of bytes of memory that the job needs.
  var minimumMemory: Int { fixedMemory + chunkMemory }

  /// *Throws*: `OdometerError` if the job would not fit in memory, or on the disk of the folder.
  func checkFit(_ limit: MemoryLimit, free: Int, in folder: String) throws {
    guard minimumMemory <= limit.bytes else {
      let source = limit.origin.map { "\($0) allows" } ?? "the machine has"
      throw OdometerError(
        "the job needs about \(MemoryLimit.text(minimumMemory)) of memory, but \(source) "
          + "\(MemoryLimit.text(limit.bytes)); \(limit.origin == nil ? "" : "allow more, ")split its input, or use fewer workers",
        cause: .output)
    }
    guard disk <= free else {
      throw OdometerError(
        "the results need about \(MemoryLimit.text(disk)) of disk space, but only \(MemoryLimit.text(free: free)) is free in "
          + "\(folder); name another folder with --output, or write less (docs/results.md, \"Size of results\")",
        cause: .output)
    }
  }

  /// Returns the maximum number of chunks in progress at once, for a job that fits.
  func window(workers: Int, limit: MemoryLimit) -> Int {
    max(1, min(2 * workers, (limit.bytes - fixedMemory) / max(1, chunkMemory)))
  }

  func description(workers: Int) -> String {
    let time =
      wallSeconds < 1
      ? "less than 1 s"
      : wallSeconds < 120
        ? "about \(Int(wallSeconds.rounded(.up))) s" : "about \(Int((wallSeconds / 60).rounded(.up))) min"
    return """
      time: \(time) of wall time on \(workers.counted("worker")), \(Int(seconds.rounded(.up))) s of CPU time
      memory: about \(MemoryLimit.text(memory(workers: workers))), \
      at least \(MemoryLimit.text(minimumMemory)), of which \(MemoryLimit.text(workerMemory)) per worker
      disk: about \(MemoryLimit.text(disk))
      """
  }
}
