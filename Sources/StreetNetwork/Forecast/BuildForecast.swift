/// What building the network of a map takes, from a census of the map: linear in its states.
package struct BuildForecast: Sendable {
  /// Ways that may be used, and the nodes that they list.
  package let ways: Int
  package let references: Int
  package let junctions: Int
  package let states: Int
  /// Bytes at most at once.
  package let memory: Int
  /// Seconds of processor time.
  package let seconds: Double
  /// Bytes of the network file.
  package let fileSize: Int

  /// - Parameter mostNodes: How many nodes are counted one by one: beyond that a sample is.
  /// - Throws: `MapError` where the map cannot be read.
  package init(of source: OSMSource, profile: Profile, mostNodes: Int = 1 << 20) throws {
    let census = try MapCensus(source, profile, mostNodes: mostNodes)
    // Where turning costs nothing, the ends at a junction are one state.
    let isTurningFree = profile.turns.milliseconds(angle: 90, isUTurn: false, drivesOnLeft: false) == 0
    let factors = isTurningFree ? Factors.ofJunctions : .ofTurns
    (ways, references, junctions) = (census.ways, census.references, census.junctions)
    let counted = Double(isTurningFree ? census.junctions : census.arrivals)
    let states = (factors.states * counted + factors.endsOnlyStates * Double(census.endsOnlyArrivals)).rounded()
    self.states = Int(states)
    memory = BuildForecast.program + Int(states * factors.stateMemory)
    seconds = states * factors.stateSeconds
    fileSize = Int(states * factors.stateFile)
  }

  /// The most that a map of this size can take, whatever is in it.
  package static func mostMemory(mapSize: Int) -> Int { program + mapSize * 400 }

  /// Bytes of the program and of reading.
  private static let program = 45_000_000

  /// As measured on greater Porto, four of it side by side, and Heidelberg, on foot, by car and by bicycle, with one worker:
  /// 23 to 28 µs of CPU a state where turning is free, else 12 to 18.
  private struct Factors {
    /// States per junction, or per way of coming to one; and more, per way of coming to one on streets for a trip's ends alone.
    var states: Double
    var endsOnlyStates: Double
    /// Bytes and seconds per state.
    var stateMemory: Double
    var stateSeconds: Double
    var stateFile: Double

    static let ofJunctions = Factors(
      states: 1.09, endsOnlyStates: 1.6, stateMemory: 1_600, stateSeconds: 26e-6, stateFile: 530)
    static let ofTurns = Factors(
      states: 1.01, endsOnlyStates: 1.94, stateMemory: 900, stateSeconds: 15e-6, stateFile: 310)
  }
}
