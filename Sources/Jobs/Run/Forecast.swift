import Foundation
import Geography
import StreetNetwork
import Tables

/// What a job is expected to take, from its cost and what it has taken so far. About: a quarter off at most, and more where
/// the rows that were tried are not like the rest.
struct Forecast: Sendable {
  /// Seconds of the whole run on one core, its network built.
  let seconds: Double
  /// The same by the clock, on as many cores as there are workers.
  private let wall: Double
  /// Bytes held from the beginning to the end.
  let fixedMemory: Int
  /// Bytes of a chunk under way.
  let chunkMemory: Int
  /// Bytes of the results.
  let disk: Int

  /// Bytes of the program, and of the database's cache at most: half of it is full when the input is let go.
  private static let (program, cache) = (44 << 20, 32 << 20)
  /// Bytes of a place on disk, with its indices; of the database before the first row, and the report; of a street to draw
  /// upon, of which there are at most so many.
  private static let (placeDisk, startDisk, streetDisk, mostStreets) = (176, 900_000, 183, 5000)
  /// Seconds to write a place and to index it; to hand a byte to the system; to begin and to end.
  private static let (placeSeconds, byteSeconds, startSeconds) = (8e-6, 6e-9, 0.2)

  /// Of a job in its context: that knows what reading, snapping and trying some rows took.
  init(_ cost: JobCost, in context: JobContext) {
    let (network, workers, spent) = (context.network, context.workers, context.spent)
    // The network file is mapped; each worker has a distance per state and more.
    let file = FileManager.size(of: network.path) ?? 0
    let states = network.states.arcs.stateCount * 24
    let streets = min(Forecast.mostStreets, network.streetCount) * Forecast.streetDisk
    disk = Forecast.startDisk + streets + cost.places * Forecast.placeDisk + cost.disk
    let written = min(Forecast.cache, cost.places * Forecast.placeDisk + (cost.tables ?? cost.disk))
    fixedMemory =
      Forecast.program + file + workers * states + cost.places * cost.placeMemory + cost.memory + context.keptMemory
      + written
    chunkMemory = cost.chunkMemory
    let writing =
      Forecast.startSeconds + Double(cost.places) * Forecast.placeSeconds + Double(disk) * Forecast.byteSeconds
    seconds = spent.cpuSeconds + cost.seconds + writing
    wall = spent.seconds + cost.seconds / Double(workers) + writing
  }

  /// The most that it will hold, where there is enough.
  func memory(workers: Int) -> Int { fixedMemory + 2 * workers * chunkMemory }

  /// The least memory that the job can run in.
  var leastMemory: Int { fixedMemory + chunkMemory }

  /// How many chunks may be under way at once. *Throws*: `OdometerError` where the job would not fit.
  func window(workers: Int, limit: MemoryLimit, free: Int, in folder: String) throws -> Int {
    guard leastMemory <= limit.bytes else {
      let whose = limit.isChosen ? "the key memory allows" : "the machine has"
      throw OdometerError(
        "the job needs about \(MemoryLimit.text(leastMemory)) of memory, \(whose) \(MemoryLimit.text(limit.bytes)); "
          + "\(limit.isChosen ? "allow more, or " : "")split its input, or use fewer workers", cause: .output)
    }
    guard disk <= free else {
      throw OdometerError(
        "the results need about \(MemoryLimit.text(disk)) of disk, \(MemoryLimit.text(free)) are free in "
          + "\(folder); name another folder with --output, or write less (docs/results.md, \"How much is written\")",
        cause: .output)
    }
    return max(1, min(2 * workers, (limit.bytes - fixedMemory) / max(1, chunkMemory)))
  }

  func description(workers: Int) -> String {
    let time =
      wall < 1
      ? "less than 1 s"
      : wall < 120 ? "about \(Int(wall.rounded(.up))) s" : "about \(Int((wall / 60).rounded(.up))) min"
    return """
      time: \(time) on \(workers) \(workers == 1 ? "worker" : "workers"), \(Int(seconds.rounded(.up))) s on one core
      memory: about \(MemoryLimit.text(memory(workers: workers))), \
      at least \(MemoryLimit.text(leastMemory))
      disk: about \(MemoryLimit.text(disk))
      """
  }
}
