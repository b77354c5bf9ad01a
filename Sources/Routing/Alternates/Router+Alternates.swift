import Hierarchy
import StreetNetwork

/// Limits for alternative routes, relative to the best route's time.
///
/// Source: I. Abraham, D. Delling, A. V. Goldberg, R. F. Werneck 2013: limited sharing with the best route, local
/// optimality (every short part is a shortest path), and bounded stretch where it differs.
private struct AlternateLimits {
  /// The maximum time on turns and streets shared with a route already chosen.
  let sharing: Double
  /// The time, on each side of the via state, covered by the section that must be a shortest path.
  let localOptimality: Double
  /// The maximum ratio of times: of the whole routes, and of the sections in which two routes differ.
  let stretch = 1.25

  /// Shorter trips have fewer choices: a larger share must differ, and a smaller section must be optimal.
  init(kilometres: Double) {
    sharing = 0.60 + 0.15 * min(1, max(0, (kilometres - 10) / 90))
    localOptimality = kilometres < 20 ? 0.20 : 0.25
  }
}

extension Router {
  /// Returns up to two admissible alternatives, fastest first.
  func alternates(to best: Path, _ search: TripSearch) -> [Path] {
    let limits = AlternateLimits(kilometres: Double(best.weight.centimetres) / 100_000)
    var chosen = [Choice(best, in: network)]
    let longest = Weight(
      milliseconds: UInt32(Double(best.weight.milliseconds) * limits.stretch), centimetres: .max >> 2)
    let vias = search.query.viaStates(from: search.sources.seeds, to: search.targets.seeds, within: longest)
    // Neighbouring states often yield the same path, so states on examined paths are skipped.
    var seen: Set<StateID> = []
    for via in vias where chosen.count <= 2 && !isCancelled() {
      guard seen.insert(via.state).inserted, let path = path(through: via.state, search) else { continue }
      for arc in path.arcs { seen.insert(network.states.arcs.head(of: arc)) }
      if isAdmissible(path, through: via.state, given: chosen, limits, search) {
        chosen.append(Choice(path, in: network))
      }
    }
    if chosen.count == 1, best.weight.centimetres < 5_000_000 {
      return [detour(from: chosen[0], limits, search)].compactMap(\.self)
    }
    return chosen.dropFirst().map(\.path).sorted { $0.weight < $1.weight }
  }

  /// A chosen path, and the set of its arcs for comparison with others.
  private struct Choice {
    let path: Path
    let arcs: ArcSet

    init(_ path: Path, in network: StreetNetwork) {
      self.path = path
      arcs = ArcSet(path.arcs.lazy.map(\.index), arcCount: network.states.arcs.arcCount)
    }
  }

  private func path(through via: StateID, _ search: TripSearch) -> Path? {
    guard let toVia = search.query.path(from: search.sources.seeds, to: [Seed(via)]),
      let fromVia = search.query.path(from: [Seed(via)], to: search.targets.seeds)
    else { return nil }
    return Path(
      weight: toVia.weight + fromVia.weight, arcs: toVia.arcs + fromVia.arcs, source: toVia.source,
      target: fromVia.target)
  }

  /// Returns whether a path is open, short enough, different enough from the paths already chosen, free of loops, and
  /// locally optimal.
  private func isAdmissible(
    _ path: Path, through via: StateID?, given chosen: [Choice], _ limits: AlternateLimits, _ search: TripSearch
  ) -> Bool {
    let best = Double(chosen[0].path.weight.milliseconds)
    guard Double(path.weight.milliseconds) <= best * limits.stretch,
      !path.arcs.contains(where: { search.closed?.contains($0) == true })
    else { return false }
    for other in chosen {
      let shared = sharedMilliseconds(path, other, search)
      guard shared <= best * limits.sharing else { return false }
      let (own, others) = (Double(path.weight.milliseconds) - shared, Double(other.path.weight.milliseconds) - shared)
      guard own <= max(others, 1) * limits.stretch else { return false }
    }
    return !hasLoop(path, search)
      && isLocallyOptimal(path, through: via, milliseconds: best * limits.localOptimality, search)
  }

  private func sharedMilliseconds(_ path: Path, _ other: Choice, _ search: TripSearch) -> Double {
    var shared = Weight.zero
    if path.source == other.path.source { shared = shared + search.sources.seeds[path.source].weight }
    if path.target == other.path.target { shared = shared + search.targets.seeds[path.target].weight }
    for arc in path.arcs where other.arcs.contains(arc) { shared = shared + search.weights[Int(arc.index)] }
    return Double(shared.milliseconds)
  }

  /// Returns whether a path visits a junction or uses a street twice.
  private func hasLoop(_ path: Path, _ search: TripSearch) -> Bool {
    let streets = path.arcs.map { network.states.streets[Int($0.index)] }
    var junctions: Set<UInt32> = []
    for street in streets {
      let record = network.street(street.street)
      if !junctions.insert(street.isReversed ? record.tail : record.head).inserted { return true }
    }
    return Set((streets + [search.targets.streets[path.target]]).map(\.street)).count <= streets.count
  }

  /// Applies the T-test: returns whether the section of the path around `via` (or its middle), `limit` milliseconds to
  /// each side, is a shortest path.
  private func isLocallyOptimal(
    _ path: Path, through via: StateID?, milliseconds limit: Double, _ search: TripSearch
  ) -> Bool {
    let arcs = network.states.arcs
    guard path.arcs.count > 1 else { return true }
    let heads = path.arcs.map { arcs.head(of: $0) }
    let middle = via.flatMap { via in heads.firstIndex(of: via) } ?? path.arcs.count / 2
    var (first, last) = (middle, middle)
    var before = 0.0
    while first > 0, before < limit {
      before += Double(search.weights[Int(path.arcs[first].index)].milliseconds)
      first -= 1
    }
    var after = 0.0
    while last < path.arcs.count - 1, after < limit {
      last += 1
      after += Double(search.weights[Int(path.arcs[last].index)].milliseconds)
    }
    guard first < last else { return true }
    let part = path.arcs[(first + 1)...last].reduce(Weight.zero) { $0 + search.weights[Int($1.index)] }
    let shortest = search.query.weight(from: [Seed(heads[first])], to: [Seed(heads[last])])
    return shortest?.milliseconds == part.milliseconds
  }

  /// Returns an alternate for trips whose via states yield none: the shortest path with penalties on arcs already used.
  private func detour(from best: Choice, _ limits: AlternateLimits, _ search: TripSearch) -> Path? {
    var used = best.path.arcs.map(\.index)
    // `detour` searches by static weights, for which the minimum times of a window are no lower bounds.
    let isStatic = search.weights.base == network.states.arcs.weights.base
    for _ in 0..<3 where !isCancelled() {
      let penalized = ArcSet(used, arcCount: network.states.arcs.arcCount)
      guard
        let path = detour.path(
          from: search.sources.seeds, to: search.targets.seeds, without: search.closed?.arcs, penalized: penalized,
          guidedBy: isStatic ? search.query.hierarchy : nil, isCancelled: isCancelled
        ).map({ search.path(along: $0.arcs, from: $0.source, to: $0.target) })
      else { return nil }
      if isAdmissible(path, through: nil, given: [best], limits, search) { return path }
      used += path.arcs.map(\.index)
    }
    return nil
  }
}
