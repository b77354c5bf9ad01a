import Hierarchy

/// Whether riders reach a node: one bit for each of 256 lanes.
private struct ReachedLanes: SweptLanes {
  var words = SIMD4<UInt64>()

  @inline(__always)
  mutating func raise(to other: ReachedLanes) { words |= other.words }
}

/// A search for single trips between pairs of places, 256 at once, each at its own moment within the window of a graph.
/// Confined to one thread.
///
///     let sweep = TripSweep(graph)
///     let trips = sweep.trips(questions)
package final class TripSweep {
  /// A trip to find. With arrivals, `access` holds the walks from stops to the destination, and `egress` the walks from
  /// the origin to stops.
  package struct Question {
    var access: Slice<Column<StopWalks.Walk>>
    var egress: Slice<Column<StopWalks.Walk>>
    /// The departure or arrival in milliseconds from midnight of the window's date.
    var moment: Int
    /// The time entirely on foot in milliseconds; nil if there is no route.
    var walking: Int?

    package init(
      access: Slice<Column<StopWalks.Walk>>, egress: Slice<Column<StopWalks.Walk>>, moment: Int, walking: Int?
    ) { (self.access, self.egress, self.moment, self.walking) = (access, egress, moment, walking) }
  }

  private let graph: TransitGraph
  private let finder: TripFinder
  private var labels: HugeMemory<ReachedLanes>
  /// The labels with one fewer ride; nil if rides are unlimited.
  private var previous: HugeMemory<ReachedLanes>?
  private static let lanes = 256

  /// - Parameter graph: A graph with trips.
  package init(_ graph: TransitGraph) {
    guard let trips = graph.trips else { preconditionFailure("a graph without trips") }
    self.graph = graph
    finder = TripFinder(graph, trips)
    labels = HugeMemory(count: graph.nodeCount)
    previous = graph.changes == nil ? nil : HugeMemory(count: graph.nodeCount)
  }

  deinit {
    labels.deallocate()
    previous?.deallocate()
  }

  /// Returns the trip for each question, the same as `TransitSweep.trip`; nil if no trip is within the limit.
  package func trips(_ questions: [Question]) -> [TransitTrip?] {
    questions.batches(of: TripSweep.lanes).flatMap { batch in
      run(batch)
      return batch.enumerated().map { trip($1, lane: $0) }
    }
  }

  /// Labels all nodes for a batch of questions.
  private func run(_ questions: ArraySlice<Question>) {
    _ = UnsafeMutableRawBufferPointer(start: labels.base, count: graph.nodeCount * MemoryLayout<ReachedLanes>.stride)
      .initializeMemory(as: UInt8.self, repeating: 0)
    let times = graph.standingTimes
    for (lane, question) in questions.enumerated() {
      let ready = moment(of: question) + graph.boardingSlack
      for walk in question.access {
        let standing = graph.standing(at: Int(walk.stop))
        let node = standing.partitionPoint { Int(times[$0]) * 1000 >= ready + Int(walk.milliseconds) }
        guard node < standing.upperBound else { continue }
        labels.base[Int(graph.standingPositions[node])].words[lane >> 6] |= 1 << UInt64(lane & 63)
      }
    }
    graph.sweep(&labels, &previous)
  }

  private func isReached(_ node: Int, _ lane: Int) -> Bool {
    let words = UnsafeRawPointer(labels.base + node).assumingMemoryBound(to: UInt64.self)
    return words[lane >> 6] >> UInt64(lane & 63) & 1 != 0
  }

  /// Returns the moment of a question as the graph counts it: negated if it is an arrival.
  private func moment(of question: Question) -> Int { graph.window.isArrival ? -question.moment : question.moment }

  private func trip(_ question: Question, lane: Int) -> TransitTrip? {
    let moment = moment(of: question)
    let latest = moment + min(graph.window.limit, question.walking.map { $0 - 1 } ?? .max)
    var (best, ends): (Int, [TransitDestinations.End]) = (latest, [])
    for walk in question.egress {
      let spent = graph.alightingSlack + Int(walk.milliseconds)
      let arrivals = graph.arrivals(at: Int(walk.stop))
      let first = arrivals.partitionPoint { Int(graph.arrivalTimes[$0]) * 1000 >= moment }
      for index in first..<arrivals.upperBound {
        let time = Int(graph.arrivalTimes[index]) * 1000 + spent
        guard time <= best else { break }
        let event = graph.arrivalEvents[index]
        guard isReached(Int(graph.ridingPositions[Int(event)]), lane) else { continue }
        if time < best { (best, ends) = (time, []) }
        ends.append((event, walk.milliseconds))
      }
    }
    guard !ends.isEmpty else {
      return question.walking.flatMap { $0 > graph.window.limit ? nil : TransitTrip(access: $0) }
    }
    // Keep only the last arrival of each run, as in the destinations of a matrix.
    ends.sort { $0.event < $1.event }
    let last = ends.indices.filter { index in
      index == ends.count - 1
        || graph.events[Int(ends[index].event)].run != graph.events[Int(ends[index + 1].event)].run
    }
    return finder.trip(from: question.access, leaving: moment, taking: best - moment, last.map { ends[$0] }) {
      isReached($0, lane)
    }
  }
}
