import Hierarchy

/// Marks the streets used for snapping, which are reachable from most of the map and from which most of it is
/// reachable. This excludes mapping islands, one-way stubs at an extract's edge, and streets cut off by turn
/// restrictions.
///
/// A place is snapped to the same street at all times, so streets that are closed when no time is given are also
/// excluded.
///
/// Most of the map means the states in strongly connected components of at least 1,000 states or 2 % of the largest,
/// whichever is less.
func markSnappable(_ streets: inout [Street], _ states: StateGraph, closed: ArcSet?, isClosed: (DirectedStreet) -> Bool)
{
  let arcs = closed.map { states.arcs.without($0) } ?? states.arcs
  let components = StrongComponents(arcs)
  let limit = min(1_000, ((components.sizes.max() ?? 0) + 49) / 50)
  let large = (0..<states.arcs.stateCount).filter { components.sizes[Int(components.ofState[$0])] >= limit }
  let reached = reachable(from: large, arcs)
  let reaching = reachable(from: large, arcs.reversed())
  var isEntered = [Bool](repeating: false, count: streets.count)
  for state in 0..<states.arcs.stateCount {
    guard reached[state] else { continue }
    for arc in states.arcs.arcs(from: StateID(state)) where closed?.contains(ArcID(arc)) != true {
      isEntered[Int(states.streets[arc].street.index)] = true
    }
  }
  func start(of street: DirectedStreet) -> UInt32? { isClosed(street) ? nil : states.start(of: street) }
  for index in streets.indices where !streets[index].flags.contains(.gate) {
    let both = (
      start(of: DirectedStreet(StreetID(index), isReversed: false)),
      start(of: DirectedStreet(StreetID(index), isReversed: true))
    )
    func starts(in isMarked: [Bool]) -> Bool {
      both.0.map { isMarked[Int($0)] } == true || both.1.map { isMarked[Int($0)] } == true
    }
    // A street is reached by turning into it; reaching the state at its end does not count. On maps so small that every
    // state counts, streets that enter the map also count.
    let isReached = isEntered[index] || limit == 1 && starts(in: reached)
    if isReached && starts(in: reaching) { streets[index].flags.insert(.snappable) }
  }
}

/// Marks the ends of ferries and trains that have no connecting street: nearby places are snapped to these ends.
func markLandings(_ streets: inout [Street], _ ends: StreetEnds) {
  for index in streets.indices where streets[index].flags.isSuperset(of: [.unsnapped, .snappable]) {
    if ends.count(at: Int(streets[index].tail)) == 1 { streets[index].flags.insert(.landsAtTail) }
    if ends.count(at: Int(streets[index].head)) == 1 { streets[index].flags.insert(.landsAtHead) }
  }
}

func reachable(from states: [Int], _ graph: ArcGraph) -> [Bool] {
  var isReached = [Bool](repeating: false, count: graph.stateCount)
  for state in states { isReached[state] = true }
  var open = states
  while let state = open.popLast() {
    for arc in graph.arcs(from: StateID(state)) where !isReached[Int(graph.heads[arc])] {
      isReached[Int(graph.heads[arc])] = true
      open.append(Int(graph.heads[arc]))
    }
  }
  return isReached
}
