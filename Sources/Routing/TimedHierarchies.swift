import Hierarchy
import StreetNetwork

/// Hierarchies for times at which something is open that is closed where no time is given, and that the network's own
/// does not know of. Each is worth its making where many trips start then; a few are searched on the arcs.
///
/// A time has one or has none for all trips of a job: paths of one weight may differ between searches.
package struct TimedHierarchies: Sendable {
  /// From so many trips on a hierarchy is quicker: on greater Porto it takes five seconds, a search 35 ms.
  private static let leastTrips = 256

  private var hierarchies: [[Bool]: Hierarchy] = [:]

  package static let none = TimedHierarchies()

  private init() {}

  /// - Parameter trips: How many trips start at each time.
  package init(_ network: StreetNetwork, trips: [LocalTime: Int], workers: Int) {
    var counts: [[Bool]: Int] = [:]
    var closures: [[Bool]: Closure] = [:]
    for (time, count) in trips {
      guard let closure = network.closure(at: time), closure.opensMore else { continue }
      counts[closure.key, default: 0] += count
      closures[closure.key] = closure
    }
    for (key, closure) in closures where counts[key, default: 0] >= TimedHierarchies.leastTrips {
      hierarchies[key] = network.hierarchy(without: closure, workers: workers)
    }
  }

  subscript(closure: Closure) -> Hierarchy? { hierarchies[closure.key] }
}
