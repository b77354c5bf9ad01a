import Foundation
import Results
import StreetNetwork

/// What a job is expected to take, from its cost. About: a few ten per cent off, and more where the rows that were tried
/// are not like the rest.
struct Forecast: Sendable {
  /// Seconds of all rows on one core.
  let seconds: Double
  /// Bytes held from the beginning to the end.
  let fixedMemory: Int
  /// Bytes of a chunk under way.
  let chunkMemory: Int
  /// Bytes of the results.
  let disk: Int

  /// Bytes of the program and the database's cache; of a place on disk; of the database before the first row: tables, the
  /// streets to draw upon, the report.
  private static let (program, placeDisk, startDisk) = (70 << 20, 200, 4 << 20)

  init(_ cost: JobCost, on network: StreetNetwork, workers: Int) {
    // The network file is mapped; each worker has a distance per state and more.
    let file = FileManager.size(of: network.path) ?? 0
    let states = network.states.arcs.stateCount * 24
    seconds = cost.seconds
    fixedMemory =
      Forecast.program + file + workers * states + cost.places * cost.placeMemory + cost.memory
    chunkMemory = cost.chunkMemory
    disk = Forecast.startDisk + cost.places * Forecast.placeDisk + cost.disk
  }

  /// The least memory that the job can run in.
  var leastMemory: Int { fixedMemory + chunkMemory }

  /// How many chunks may be under way at once. *Throws*: `CapacityError` where the job would not fit.
  func window(workers: Int, limit: MemoryLimit, free: Int, in folder: String) throws -> Int {
    guard leastMemory <= limit.bytes else {
      let whose = limit.isChosen ? "the key memory allows" : "the machine has"
      throw CapacityError(
        description:
          "the job needs about \(MemoryLimit.text(leastMemory)) of memory, \(whose) \(MemoryLimit.text(limit.bytes)); "
          + "\(limit.isChosen ? "allow more, or " : "")split its input, or use fewer workers")
    }
    guard disk <= free else {
      throw CapacityError(
        description: "the results need about \(MemoryLimit.text(disk)) of disk, \(MemoryLimit.text(free)) are free in "
          + "\(folder); name another folder with --output, or write less (docs/results.md, \"How much is written\")")
    }
    return max(1, min(2 * workers, (limit.bytes - fixedMemory) / max(1, chunkMemory)))
  }

  func description(workers: Int) -> String {
    let wall = seconds / Double(workers)
    let time =
      wall < 1
      ? "less than 1 s"
      : wall < 120 ? "about \(Int(wall.rounded(.up))) s" : "about \(Int((wall / 60).rounded(.up))) min"
    return """
      time: \(time) on \(workers) \(workers == 1 ? "worker" : "workers"), \(Int(seconds.rounded(.up))) s on one core
      memory: about \(MemoryLimit.text(fixedMemory + 2 * workers * chunkMemory)), \
      at least \(MemoryLimit.text(leastMemory))
      disk: about \(MemoryLimit.text(disk))
      """
  }
}

/// Why a job is not started: it would not fit. One sentence that says what to change.
package struct CapacityError: Error, CustomStringConvertible {
  package var description: String
  package init(description: String) { self.description = description }
}
