import Hierarchy

extension StreetSpeeds {
  /// The mean slowness of each road class in each hour of the week, from Monday on: what all its streets take over what
  /// they take in free flow. Nil for a class without streets, and where all are closed.
  package func slownessByHour(on network: StreetNetwork) -> [[Double?]] {
    let classCount = RoadClass.allCases.count
    // Free flow of all streets of a class that have one profile: few, where classes alone decide.
    var freeFlow: [UInt64: Double] = [:]
    for (id, street) in network.streets.enumerated() where !street.flags.contains(.gate) {
      let roadClass = network.attributes(row: street.attributes).roadClass
      for isReversed in [false, true] where street.isOpen(isReversed: isReversed) {
        let profile = profile(of: DirectedStreet(StreetID(id), isReversed: isReversed))
        freeFlow[UInt64(roadClass.rawValue) << 32 | UInt64(profile), default: 0] +=
          Double(street.milliseconds(isReversed: isReversed))
      }
    }
    let periods = profiles.periodCount / 168
    var (taken, usual) = (
      [[Double]](repeating: Array(repeating: 0, count: 168), count: classCount),
      [[Double]](repeating: Array(repeating: 0, count: 168), count: classCount)
    )
    // In a fixed order, so that sums are the same in every run.
    for (key, milliseconds) in freeFlow.sorted(by: { $0.key < $1.key }) {
      let (roadClass, profile) = (Int(key >> 32), UInt32(truncatingIfNeeded: key))
      for index in 0..<profiles.periodCount {
        let slowness = profiles.slowness(profile, index)
        guard slowness != .closed else { continue }
        taken[roadClass][index / periods] += milliseconds * slowness.value
        usual[roadClass][index / periods] += milliseconds
      }
    }
    return zip(taken, usual).map { taken, usual in zip(taken, usual).map { $1 > 0 ? $0 / $1 : nil } }
  }
}
