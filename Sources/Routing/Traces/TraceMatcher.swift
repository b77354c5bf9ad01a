import Foundation
import Geography
import Hierarchy
import StreetNetwork

/// A matcher of traces to streets, with a router's working memory. Each thread needs its own object.
///
///     fixes --breadcrumb--> kept --merge--> observations --candidates, ways--> lattices --best paths--> parts
///
/// A hidden Markov model (P. Newson, J. Krumm 2009; costs: `StepCost`) solved by the algorithm of A. Viterbi (1967).
package final class TraceMatcher {
  let router: Router
  private let options: MatchOptions
  private let candidateSearch: CandidateSearch
  private let waySearch: any WaySearch
  /// Whether ways by ferry or train may be longer than the search for other ways allows: walkers are slow enough.
  private lazy var mayBoard =
    router.transportType != .walking
    && network.attributes.indices.contains { network.attributes[$0].kind.isVehicle }
  private var candidates: [Candidate] = []

  var network: StreetNetwork { router.network }
  /// The bytes of the searches used so far.
  package var memory: Int { router.memory }

  /// The maximum number of consecutive observations left out before a part ends.
  private static let maximumOutliers = 3
  /// For traces without accuracies: the initial assumption and the range of estimates, in metres.
  private static let assumedSigma = 10.0
  private static let sigmas = 4.0...50.0

  /// - Parameter isOracle: Whether to find ways by the textbook algorithm, for comparison: slow, with the same results.
  package init(_ router: Router, _ options: MatchOptions, isOracle: Bool = false) {
    (self.router, self.options) = (router, options)
    candidateSearch = router.candidateSearch
    waySearch = isOracle ? WayOracle(router.network) : router.stepSearch
  }

  /// Returns the streets that a trace followed.
  package func match(_ fixes: [Fix]) -> Match {
    match(fixes, reasons: BreadcrumbPath.reasons(of: fixes, options.breadcrumb))
  }

  /// Returns the streets that a trace followed, given the reason why each fix was dropped; nil for a kept fix.
  package func match(_ fixes: [Fix], reasons: [FixReason?]) -> Match {
    var kept: [KeptFix] = []
    var matched = reasons.map { MatchedFix(reason: $0, isKept: $0 == nil) }
    // A fix dropped for its distance shows that the device was there, so it also ends a pause.
    var (last, pause): (Double?, Double) = (nil, 0)
    for (index, fix) in fixes.enumerated() {
      if [.invalid, .order, .age].contains(matched[index].reason) { continue }
      let time = fix.timestamp?.timeIntervalSince1970
      if let time, let last { pause = max(pause, time - last) }
      last = time ?? last
      guard matched[index].isKept else {
        guard matched[index].reason == .distance, !kept.isEmpty else { continue }
        kept[kept.count - 1].droppedNearby.append(fix)
        kept[kept.count - 1].lastTime = time ?? kept[kept.count - 1].lastTime
        kept[kept.count - 1].lastIndex = index
        continue
      }
      // Core Location reports an unknown accuracy as negative.
      let accuracy = fix.horizontalAccuracy.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
      kept.append(
        KeptFix(
          coordinate: fix.coordinate, time: time, pause: pause, accuracy: accuracy, index: index, lastTime: time,
          lastIndex: index))
      pause = 0
    }
    // If all times are equal, they carry no information.
    let hasEqualTimes =
      kept.count > 1 && kept[0].time != nil
      && kept.allSatisfy { $0.time == kept[0].time && $0.lastTime == kept[0].time }
    if hasEqualTimes { for index in kept.indices { (kept[index].time, kept[index].lastTime) = (nil, nil) } }
    let (trace, sigma) = estimated(kept)
    let stops = StopDetector(options, sigma: sigma, by: router.transportType).stops(of: fixes, reasons: reasons)
    let places = kept.indices.filter { trace.parts.isEmpty || trace.reasons[$0] == nil }.map { kept[$0].coordinate }
    var match = Match(
      status: .ok, sigma: sigma, fixes: [], parts: [], stops: stops, offRoadLength: trace.offRoadLength,
      pathBounds: BoundingBox(around: places))
    for (index, reason) in trace.reasons.enumerated() { matched[kept[index].index].reason = reason }
    for index in trace.parts.indices {
      var part = trace.parts[index].builder.part(trace.parts[index].reason, kept, stops)
      trace.parts[index].builder.forEachPlace(of: kept, part: index) { matched[kept[$0].index].place = $1 }
      part.name = name(of: part)
      if options.comparesWithFastest { part.fastest = fastest(part) }
      match.parts.append(part)
    }
    placeDropped(fixes, kept, trace, &matched)
    match.fixes = matched
    match.placeStops()
    setStatus(&match, trace, kept, hasEqualTimes: hasEqualTimes)
    return match
  }

  // MARK: Passes

  /// A trace divided into parts, by one pass over its observations.
  private struct Trace {
    var parts: [(reason: MatchedPart.BeginReason, builder: PartBuilder)] = []
    /// For each kept fix, the reason why it is in no part; nil if it is in one.
    var reasons: [FixReason?]
    /// For each kept fix, the part and the layer of its observation.
    var layers: [(part: Int, layer: Int)?]
    var offRoadLength = 0.0
    var observationCount = 0
    /// The distances from observations to their nearest streets, in metres.
    var nearest: [Double] = []
  }

  /// Matches with the given standard deviation, or else with one estimated from a first match; the match is repeated if
  /// the estimate differs much from the assumption.
  ///
  /// If the matched streets are farther away than the assumption, and the nearest streets less than a third as far, the
  /// estimate follows the nearest streets: noise would not keep all fixes on a road next to a faster one. The estimate
  /// is at least the scatter of the fixes themselves, since in a town every position is near a street.
  private func estimated(_ kept: [KeptFix]) -> (Trace, sigma: Double) {
    func clamped(_ sigma: Double) -> Double {
      min(max(sigma, TraceMatcher.sigmas.lowerBound), TraceMatcher.sigmas.upperBound)
    }
    if let accuracy = options.accuracy { return (trace(kept) { _ in accuracy }, accuracy) }
    let accuracies = kept.compactMap(\.accuracy)
    if !accuracies.isEmpty {
      let middle = clamped(accuracies.sorted()[accuracies.count / 2])
      return (trace(kept) { kept[$0].accuracy.map(clamped) ?? middle }, middle)
    }
    let first = trace(kept) { _ in TraceMatcher.assumedSigma }
    var distances: [Double] = []
    for part in first.parts { part.builder.forEachPlace(of: kept, part: 0) { distances.append($1.snapDistance) } }
    guard !distances.isEmpty else { return (first, TraceMatcher.assumedSigma) }
    func median(_ distances: [Double]) -> Double { distances.sorted()[distances.count / 2] }
    let (matched, nearest) = (median(distances), median(first.nearest))
    let isBeside = matched > TraceMatcher.assumedSigma && nearest < matched / 3
    // The median absolute deviation of a normal distribution is 1 / 1.4826 of its standard deviation.
    let sigma = clamped(max(1.4826 * (isBeside ? nearest : matched), TraceMatcher.scatter(of: kept)))
    guard !(TraceMatcher.assumedSigma / 1.3...TraceMatcher.assumedSigma * 1.3).contains(sigma) else {
      return (first, sigma)
    }
    return (trace(kept) { _ in sigma }, sigma)
  }

  /// Returns the standard deviation of the fixes by their distances from the lines between their neighbours; 0 if few
  /// have neighbours within two seconds, in which a vehicle hardly turns or brakes.
  private static func scatter(of kept: [KeptFix]) -> Double {
    let fixes = kept.flatMap { fix in
      [(FixedCoordinate(fix.coordinate), fix.time)]
        + fix.droppedNearby.map { (FixedCoordinate($0.coordinate), $0.timestamp?.timeIntervalSince1970) }
    }
    let distances = zip(zip(fixes, fixes.dropFirst()), fixes.dropFirst(2)).compactMap { pair, c -> Double? in
      let (a, b) = pair
      guard let start = a.1, let time = b.1, let end = c.1, end > start, end - start <= 4 else { return nil }
      let share = (time - start) / (end - start)
      // The variances of all three fixes add up.
      let deviations = (1 + share * share + (1 - share) * (1 - share)).squareRoot()
      return a.0.towards(c.0, share).planeDistance(to: b.0) / deviations
    }
    // The median distance in a normal distribution on the plane is 1.1774 standard deviations.
    return distances.count < 10 ? 0 : distances.sorted()[distances.count / 2] / 1.1774
  }

  private func trace(_ kept: [KeptFix], sigma: (Int) -> Double) -> Trace {
    let observations = Observation.merging(kept, sigma: sigma)
    var pass = Pass(observations, kept, self)
    pass.run()
    return pass.trace
  }

  /// The state of one pass over the observations.
  private struct Pass {
    let observations: [Observation]
    let kept: [KeptFix]
    let matcher: TraceMatcher
    var trace: Trace
    var lattice = Lattice()
    var reason = MatchedPart.BeginReason.start
    /// The observations since the last matched one: those far from all streets, and those that no way reaches.
    var offRoad: [Int] = []
    var outliers: [Int] = []

    init(_ observations: [Observation], _ kept: [KeptFix], _ matcher: TraceMatcher) {
      (self.observations, self.kept, self.matcher) = (observations, kept, matcher)
      trace = Trace(reasons: Array(repeating: nil, count: kept.count), layers: Array(repeating: nil, count: kept.count))
      trace.observationCount = observations.count
    }

    mutating func run() {
      var index = 0
      while index < observations.count, !matcher.router.isCancelled() {
        matcher.candidateSearch.find(observations[index], into: &matcher.candidates)
        if let candidate = matcher.candidates.first { trace.nearest.append(candidate.distance) }
        if matcher.candidates.isEmpty {
          offRoad.append(index)
          leaveOut(index, .offRoad)
        } else if lattice.isEmpty {
          begin(index, reason)
        } else if isLongOffRoad(to: index) {
          index = restart(at: index, .offRoad)
        } else if isGap(before: index), isJump(to: index) || !appendOverGap(index) {
          index = restart(at: index, .gap)
        } else if isJump(to: index) {
          if let back = endOfExcursion(from: index) {
            for bad in index..<back { leaveOut(bad, .outlier) }
            index = back - 1
          } else {
            index = restart(at: index, .unreachable)
          }
        } else if lattice.layers.last!.observation != index, !append(index) {
          outliers.append(index)
          leaveOut(index, .outlier)
          if outliers.count > TraceMatcher.maximumOutliers { index = restart(at: index, .unreachable) }
        }
        index += 1
        if index == observations.count, !outliers.isEmpty { index = restart(at: index, .unreachable) + 1 }
      }
      addOffRoadLength(to: nil)
      finish()
    }

    /// Begins a part at an observation, or at the first unreachable one before it, which can only belong to the new
    /// part. Returns the first observation of the part.
    private mutating func restart(at index: Int, _ reason: MatchedPart.BeginReason) -> Int {
      guard let first = outliers.first else {
        begin(index, reason)
        return index
      }
      offRoad.removeAll { $0 > first }
      matcher.candidateSearch.find(observations[first], into: &matcher.candidates)
      begin(first, .unreachable)
      return first
    }

    private mutating func leaveOut(_ index: Int, _ reason: FixReason) {
      for fix in observations[index].fixes { trace.reasons[fix] = reason }
    }

    private mutating func begin(_ index: Int, _ reason: MatchedPart.BeginReason) {
      addOffRoadLength(to: index)
      let isFirst = lattice.isEmpty && trace.parts.isEmpty
      finish()
      self.reason = isFirst && offRoad.isEmpty ? .start : reason
      if isFirst, !offRoad.isEmpty { self.reason = .offRoad }
      offRoad.removeAll()
      outliers.removeAll()
      lattice.begin(with: matcher.candidates, observation: index)
    }

    /// Appends an observation if there is a way to it, and returns whether there is.
    private mutating func append(_ index: Int, onlyAboard: Bool = false) -> Bool {
      guard !onlyAboard && extend(to: index) || extendAboard(to: index) else { return false }
      offRoad.removeAll()
      outliers.removeAll()
      return true
    }

    private mutating func extend(to index: Int, isTimed: Bool = true) -> Bool {
      let (a, b) = (observations[lattice.layers.last!.observation], observations[index])
      let cost = StepCost(from: a, to: b, by: matcher.router.transportType, isTimed: isTimed)
      guard let labels = matcher.waySearch.labels(of: &matcher.candidates, b, after: &lattice, cost) else {
        return false
      }
      lattice.append(matcher.candidates, labels, observation: index)
      return true
    }

    /// Appends an observation that the trace reaches by ferry or train: boarding and the passage take longer than
    /// driving as far. The time aboard may be at most three times the observed time, which is 20 s longer: fixes just off
    /// a pier are matched to it.
    private mutating func extendAboard(to index: Int) -> Bool {
      guard matcher.mayBoard else { return false }
      let maximumTime = step(from: lattice.layers.last!.observation, to: index).seconds.map { ($0 + 20) * 3000 }
      let arcs = lattice.arcs.count
      guard extend(to: index, isTimed: false) else { return false }
      if let time = lattice.lastMillisecondsAboard(on: matcher.network), time <= maximumTime ?? .infinity {
        return true
      }
      lattice.removeLast(arcs: arcs)
      return false
    }

    // MARK: Breaks

    /// Returns whether the speed from the last matched observation to another one is implausible.
    private func isJump(to index: Int) -> Bool { isJump(from: lattice.layers.last!.observation, to: index) }

    private func isJump(from a: Int, to b: Int) -> Bool {
      let (metres, seconds) = step(from: a, to: b)
      let distance = metres - 3 * (observations[a].sigma + observations[b].sigma)
      guard let seconds else { return distance > 50_000 }
      return distance > seconds * matcher.router.transportType.impossibleSpeed
    }

    /// Returns the distance and time from the last fix of an observation, kept or not, to the first fix of a later one;
    /// the time is nil if fixes have no times.
    private func step(from a: Int, to b: Int) -> (metres: Double, seconds: Double?) {
      let (last, first) = (kept[observations[a].fixes.upperBound - 1], kept[observations[b].fixes.lowerBound])
      let place = last.droppedNearby.last?.coordinate ?? last.coordinate
      let seconds = last.lastTime.flatMap { start in first.time.map { $0 - start } }.flatMap {
        $0 > 0 ? max(1, $0) : nil
      }
      return (place.distance(to: first.coordinate), seconds)
    }

    /// Returns the index of the observation at which the trace returns after a jump to a few bad fixes: the speed to
    /// that observation is lower from the position before the jump than from the last bad fix. Nil if the trace
    /// continues from the new position.
    private func endOfExcursion(from index: Int) -> Int? {
      let last = lattice.layers.last!.observation
      return (index + 1..<observations.count).prefix(TraceMatcher.maximumOutliers).first {
        let (back, onward) = (step(from: last, to: $0), step(from: $0 - 1, to: $0))
        return !isJump(to: $0) && back.metres / (back.seconds ?? 1) < onward.metres / (onward.seconds ?? 1)
      }
    }

    /// Returns the longest gap before an observation, in seconds.
    private func pause(before index: Int) -> Double { kept[observations[index].fixes.lowerBound].pause }

    private func isGap(before index: Int) -> Bool { pause(before: index) > matcher.options.maximumGap }

    /// Appends an observation after a gap if the way there takes at least a third of the gap, as in a tunnel or on a
    /// ferry.
    private mutating func appendOverGap(_ index: Int) -> Bool {
      let (a, b) = (observations[lattice.layers.last!.observation], observations[index])
      let minimumTime = pause(before: index) * 1000 / 3
      let maximumTime = StepCost(from: a, to: b, by: matcher.router.transportType).maximumTime
      let arcs = lattice.arcs.count
      guard append(index, onlyAboard: maximumTime < minimumTime) else { return false }
      if Double(lattice.lastMilliseconds(on: matcher.network)) >= minimumTime { return true }
      lattice.removeLast(arcs: arcs)
      return false
    }

    /// Returns whether the trace was off the streets for more than a few fixes or metres; a single fix is an outlier.
    private func isLongOffRoad(to index: Int) -> Bool {
      let fixes = offRoad.reduce(0) { $0 + observations[$1].fixes.count }
      return offRoad.count >= 3 || (fixes >= 2 && offRoadLength(to: index) > 200)
    }

    private func offRoadLength(to index: Int?) -> Double {
      let indices = (lattice.layers.last.map { [$0.observation] } ?? []) + offRoad + (index.map { [$0] } ?? [])
      return zip(indices, indices.dropFirst()).reduce(0) {
        $0 + observations[$1.0].coordinate.distance(to: observations[$1.1].coordinate)
      }
    }

    private mutating func addOffRoadLength(to index: Int?) {
      if !offRoad.isEmpty { trace.offRoadLength += offRoadLength(to: index) }
    }

    /// Ends the current part.
    private mutating func finish() {
      defer { lattice.removeAll() }
      guard !lattice.isEmpty else { return }
      let indices = lattice.layers.map(\.observation)
      guard indices.count > 1 else { return leaveOut(indices[0], .alone) }
      for (layer, index) in indices.enumerated() {
        for fix in observations[index].fixes {
          trace.reasons[fix] = nil
          trace.layers[fix] = (trace.parts.count, layer)
        }
      }
      trace.parts.append((reason, PartBuilder(lattice, observations, kept, on: matcher.network)))
    }
  }

  // MARK: Results of the whole trace

  /// Places each fix that was dropped because it is close to the previously kept one: at or near that fix's position.
  private func placeDropped(_ fixes: [Fix], _ kept: [KeptFix], _ trace: Trace, _ matched: inout [MatchedFix]) {
    var surroundings = PartBuilder.Surroundings()
    var next = 0
    for index in fixes.indices {
      if next < kept.count, kept[next].index == index { next += 1 }
      guard matched[index].reason == .distance, next > 0, let (part, layer) = trace.layers[next - 1] else { continue }
      let builder = trace.parts[part].builder
      matched[index].place = builder.place(of: fixes[index].coordinate, around: layer, part, &surroundings)
    }
  }

  private func setStatus(_ match: inout Match, _ trace: Trace, _ kept: [KeptFix], hasEqualTimes: Bool) {
    guard !match.parts.isEmpty else {
      let early = match.fixes.count { $0.reason == .order }
      match.status = trace.observationCount < 2 ? .tooShort : .notMatched
      match.statusReason =
        switch trace.observationCount {
        case 0: "no fix was kept"
        case 1 where kept.count == 1:
          "only one fix was kept" + (early > 0 ? "; out of order: \(early)" : "")
        case 1:
          "all kept fixes are at one place, given their standard deviation of \(Int(match.sigma.rounded())) m"
        default: "no two fixes are on connected streets"
        }
      return
    }
    if hasEqualTimes { (match.status, match.statusReason) = (.doubtful, "all fixes have the same time") }
    for (part, (_, builder)) in zip(match.parts, trace.parts) {
      guard let time = part.observedTime, time < part.expectedTravelTime / 2 else { continue }
      let length = builder.straightLength(of: kept)
      // The time must also be short: on winding roads, such a length is normal if fixes are minutes apart.
      guard part.distance > 2 * length else { continue }
      match.status = .doubtful
      match.statusReason =
        "\(Int(part.distance.rounded())) m along streets for \(Int(length.rounded())) m between fixes"
      break
    }
    // Fixes that a vehicle can connect in a straight line may be too far apart along the streets.
    let speed = (match.parts.compactMap(\.maximumSpeed) + trace.parts.map(\.builder.fastestStepSpeed)).max() ?? 0
    guard speed > router.transportType.impossibleSpeed else { return }
    match.status = .doubtful
    match.statusReason = "up to \(Int((speed * 3.6).rounded())) km/h"
  }
}

extension Match {
  /// Places each stop at the position of the middle one of its matched fixes.
  fileprivate mutating func placeStops() {
    for index in stops.indices {
      let placed = fixes[stops[index].firstFix...stops[index].lastFix].compactMap(\.place)
      guard !placed.isEmpty else { continue }
      stops[index].place = placed[placed.count / 2]
    }
  }
}

extension TraceMatcher {
  func name(of part: MatchedPart) -> String {
    router.name(
      of: part.pieces.map { piece in
        StepDraft(
          maneuver: .depart, attributes: network.street(piece.street.street).attributes, weight: piece.weight, start: 0)
      }
    ).streets
  }

  func fastest(_ part: MatchedPart) -> Weight? {
    func end(_ street: DirectedStreet, _ centimetres: Int, _ point: FixedCoordinate) -> TripEnd {
      let length = Int(network.street(street.street).centimetres)
      let fromTail = street.isReversed ? length - centimetres : centimetres
      let fraction = length > 0 ? Double(fromTail) / Double(length) : 0
      let position = StreetPosition(street: street.street, fraction: fraction, segment: 0)
      return TripEnd(place: point, snap: Snap(position: position, point: point, distance: 0), leg: .zero)
    }
    let (first, last) = (part.pieces[0], part.pieces[part.pieces.count - 1])
    return router.weight(
      from: end(first.street, first.from, part.polyline.points.first!),
      to: end(last.street, last.to, part.polyline.points.last!))
  }
}
