import Foundation
import Geography
import StreetNetwork
import Tables

extension BuildForecast {
  /// Checks that a network would fit in memory before it is built. Counts the map's objects only if the file size
  /// alone does not show that the network fits.
  ///
  /// - Parameter chosen: The memory limit; nil for the machine's.
  /// - Throws: `OdometerError`, also if the map cannot be read.
  package static func check(map: String, profile: Profile, memory chosen: Int?) throws {
    let limit = MemoryLimit(chosen)
    guard BuildForecast.maximumMemory(mapSize: FileManager.size(of: map) ?? 0) > limit.bytes else { return }
    try BuildForecast(of: .file(map), profile: profile).check(limit, map: map)
  }

  /// *Throws*: `OdometerError` if the network does not fit.
  package func check(_ limit: MemoryLimit, map: String) throws {
    guard memory > limit.bytes else { return }
    let (source, advice) =
      limit.origin != nil
      ? ("memory limit is", "raise it, or use a smaller extract")
      : (
        "machine has",
        "use a smaller extract, or build the network on a larger machine (odometer network build --output) and copy the file"
      )
    throw OdometerError(
      "\(map): building its network takes about \(MemoryLimit.text(memory)) of memory, but the \(source) "
        + "\(MemoryLimit.text(limit.bytes)); \(advice)", cause: .output)
  }

  /// The forecast as lines of text.
  package var description: String {
    let time =
      switch seconds {
      case ..<120: "\(Int(seconds.rounded(.up))) s"
      case ..<7200: "\(Int((seconds / 60).rounded(.up))) min"
      default: "\(Int((seconds / 3600).rounded(.up))) h"
      }
    return """
      map: \(ways) usable ways with \(references) node references
      states: about \(states)
      memory: about \(MemoryLimit.text(memory))
      time: about \(time) on one core
      network file: about \(MemoryLimit.text(fileSize))
      """
  }
}
