import Foundation
import Geography
import Hierarchy
import OpeningHours
import Synchronization

/// A map for one transport type: streets and their shapes, states and their hierarchy, and an index for finding the
/// street nearest to a place.
///
///     let network = try StreetNetwork(map: "data/helsinki.osm.pbf", profile: .stock("walking"))
///
/// The first time, this reads the map and writes a network file next to it; later, it maps the file into memory in
/// milliseconds, and many processes share one copy. Immutable, and safe to use from any thread.
public final class StreetNetwork: Sendable {
  /// The profile that the network was built with.
  public let profile: Profile
  /// The path of the network file.
  public let path: String
  /// The hexadecimal SHA-256 of the map, of the profile, and of the network file's content.
  public let fingerprints: Fingerprints
  /// The timestamp of the map's data, in ISO 8601; empty if the map does not have one.
  public let mapDate: String
  /// The ISO 3166 codes of the countries of its ways: "HK, MO".
  package let countries: String
  /// The IANA time zone at the map's centre: "Europe/Lisbon".
  package let timeZone: String
  package let streets: Column<Street>
  package let points: Column<FixedCoordinate>
  package let attributes: Column<StreetAttributes>
  /// The OpenStreetMap node ID of each point.
  package let pointNodes: Column<Int64>
  let parts: StreetParts
  /// The climb of each street, and the elevation of each point in centimetres (the minimum value if unknown); empty
  /// without a DEM.
  let climbs: Column<Climb>
  package let heights: Column<Int32>
  /// The elevations between the points of streets, and the index of each street's first; empty without a DEM.
  private let samples: Column<Int32>
  private let firstSample: Column<UInt32>
  package let ends: StreetEnds
  package let maneuvers: ManeuverTable
  package let states: StateGraph
  package let conditions: Conditions
  /// The closure that applies when no time is given; nil if nothing is closed.
  let closureWithoutDate: Closure?
  /// Conditional speed limits, by street.
  package let conditionalLimits: Column<ConditionalLimits.Entry>
  let unreadable: Column<UnreadableTag>
  package let hierarchy: Hierarchy
  /// The spatial indices of the streets used for snapping, and of the other streets.
  package let index: StreetIndex
  package let islands: StreetIndex
  private let componentSizes: Column<UInt32>
  let squareAreas: SquareAreas
  package let box: BoundingBox
  /// The basemap.
  package let backdrop: Backdrop
  package let counts: ImportCounts
  private let nameBytes: Column<UInt8>
  private let nameEnds: Column<UInt32>
  private let lazyStatePoints = Mutex<StatePoints?>(nil)
  private let lazyCustomizable = Mutex<CustomizableHierarchy?>(nil)
  private let variants = Mutex<[UInt8: StreetNetwork]>([:])
  package let mapName: String
  /// The folder for derived files; the network file's folder if nil.
  let cache: String?
  private let file: NetworkFile
  /// Opens or builds the network of the same map for another profile.
  private let variant: @Sendable (Profile) throws -> StreetNetwork

  /// The digests of a network and its sources: hexadecimal SHA-256.
  public struct Fingerprints: Hashable, Sendable {
    /// The digest of the map's file.
    public var map: String
    /// The digest of the profile's text.
    public var profile: String
    /// The digest of the network file's content.
    public var network: String
  }

  /// Counts of objects used and ignored by the import.
  package struct ImportCounts: Sendable, BitwiseCopyable {
    package var ways: UInt32 = 0
    /// Ways with a node that is missing from the file, because the extract cuts them off.
    package var incompleteWays: UInt32 = 0
    package var nodesWithoutPosition: UInt32 = 0
    /// Tags that are longer than OpenStreetMap allows.
    package var overlongTags: UInt32 = 0
    /// Objects whose tags are ignored because a string contains a NUL.
    package var objectsWithNUL: UInt32 = 0
    /// All relations in the map; 0 if the extract has none.
    var relations: UInt32 = 0
    var tooLongStreets: UInt32 = 0
    /// Winter and ice roads left out because the map does not say when they are open.
    package var seasonalWays: UInt32 = 0
    package var timedWayCounts = TimedWayCounts()
    /// Ways with an implausible speed limit, such as 500 km/h, or 120 km/h on a living street.
    package var impossibleLimits: UInt32 = 0
    /// Ferries and trains with an implausible duration.
    var impossibleDurations: UInt32 = 0
    package var restrictions = RestrictionCounts()
    package var squares = SquareCounts()
    /// Paths named after a street alongside.
    var namedSidepaths: UInt32 = 0
    /// Streets closed to through traffic in favour of paths.
    var replacedByPaths: UInt32 = 0
    var accessibility = AccessibilityCounts()
  }

  /// - Parameter slowed: Replacement times of the network's streets and arcs, with their hierarchy.
  init(
    _ file: NetworkFile, profile: Profile, cache: String? = nil, slowed: SlowedStreets? = nil,
    variant: @escaping @Sendable (Profile) throws -> StreetNetwork
  ) throws {
    (self.file, self.profile, self.cache) = (file, profile, cache)
    self.variant = variant
    path = file.path
    fingerprints = Fingerprints(of: file)
    streets = try slowed?.streets ?? file.column(.streets)
    points = try file.column(.points)
    attributes = try file.column(.attributes)
    pointNodes = try file.column(.pointNodes)
    parts = try StreetParts(first: file.column(.firstPart), records: file.column(.parts))
    climbs = try file.column(.climbs)
    heights = try file.column(.heights)
    (firstSample, samples) = try (file.column(.firstSample), file.column(.samples))
    nameBytes = try file.column(.nameBytes)
    nameEnds = try file.column(.nameEnds)
    ends = try StreetEnds(first: file.column(.firstEnd), ends: file.column(.ends))
    maneuvers = try ManeuverTable(first: file.column(.firstManeuver), maneuvers: file.column(.maneuvers))
    states = try StateGraph(
      arcs: ArcGraph(
        firstArc: file.column(.firstArc), heads: file.column(.arcHeads),
        weights: slowed?.weights ?? file.column(.arcWeights)),
      streets: file.column(.arcStreets), junctions: file.column(.junctions), starts: file.column(.starts),
      startsThrough: file.column(.startsThrough))
    hierarchy = try slowed?.hierarchy ?? Hierarchy(file)
    index = try StreetIndex(runs: file.column(.runs), boxes: file.column(.boxes))
    islands = try StreetIndex(runs: file.column(.islandRuns), boxes: file.column(.islandBoxes))
    componentSizes = try file.column(.componentSizes)
    squareAreas = try SquareAreas(
      areas: file.column(.squares), rings: file.column(.squareRings), points: file.column(.squarePoints),
      corners: file.column(.squareCorners),
      index: StreetIndex(runs: file.column(.squareRuns), boxes: file.column(.squareBoxes)))
    box = try file.column(.box, of: BoundingBox.self)[0]
    backdrop = try Backdrop(
      records: file.column(.backdropRecords), text: file.column(.backdropText), kinds: file.text(.backdropKinds))
    counts = try file.column(.counts, of: ImportCounts.self)[0]
    mapDate = try file.text(.mapDate)
    mapName = try file.text(.mapName)
    countries = try file.text(.countries)
    timeZone = try file.text(.timeZone)
    let names = (nameBytes, nameEnds)
    conditionalLimits = try file.column(.conditionalLimits)
    unreadable = try file.column(.unreadableTags)
    conditions = try Conditions(
      arcs: file.column(.closedArcs), streets: file.column(.closedStreets),
      strings: file.column(.conditions, of: UInt32.self).map { StreetNetwork.name($0, names.0, names.1) })
    let hasDefault = conditions.closedWithoutDate.contains(true)
    closureWithoutDate =
      hasDefault
      ? Closure(
        conditions.closedWithoutDate, conditions, arcCount: states.arcs.arcCount, streetCount: streets.count) : nil
  }

  /// Returns a network of the same map that avoids some roads, which is built the first time and opened later.
  ///
  /// - Throws: The errors of `init`.
  public func avoiding(_ avoids: Profile.Avoidance) throws -> StreetNetwork {
    guard avoids != profile.avoids else { return self }
    return try variants.value(for: avoids.rawValue) { try variant(profile.avoiding(avoids)) }
  }

  /// The files read during use, including the files of networks that avoid other roads.
  package var files: [WatchedFile] { [file.watched] + variants.withLock { $0.values.flatMap(\.files) } }

  /// Whether anything in the network depends on the time.
  package var changesWithTime: Bool { !conditions.isEmpty || !conditionalLimits.isEmpty }

  /// Returns the network with the conditional speed limits of an instant, held constant; `self` if there are none.
  package func slowed(at time: LocalTime?) -> StreetNetwork {
    guard let time, let speeds = StreetSpeeds(limitsOf: self, inWeekOf: time) else { return self }
    let slowed = SlowedStreets(self, speeds, at: time)
    do {
      return try StreetNetwork(file, profile: profile, cache: cache, slowed: slowed, variant: variant)
    } catch {
      preconditionFailure("columns that were read before cannot be read: \(error)")
    }
  }

  /// The number of streets.
  public var streetCount: Int { streets.count }
  /// The number of junctions.
  public var junctionCount: Int { states.junctionCount }

  /// The coordinates of states; computed on first use.
  package var statePoints: StatePoints { lazyStatePoints.value { StatePoints(self) } }

  /// The customizable hierarchy; computed on first use, in a quarter of a second on a city's map.
  package var customizable: CustomizableHierarchy {
    lazyCustomizable.value { CustomizableHierarchy(states.arcs, ranks: hierarchy.ranks) }
  }

  // Single values are read here, not through the columns, since copying a column costs reference counting.

  package func street(_ id: StreetID) -> Street { streets[Int(id.index)] }

  /// Returns the travel time of a street in a direction, in milliseconds.
  package func milliseconds(of directed: DirectedStreet) -> UInt32 {
    street(directed.street).milliseconds(isReversed: directed.isReversed)
  }

  /// Returns a point of the streets' shapes.
  package func point(_ index: Int) -> FixedCoordinate { points[index] }

  package func attributes(row: UInt32) -> StreetAttributes { attributes[Int(row)] }

  package func travelled(by arc: ArcID) -> (street: DirectedStreet, weight: Weight) {
    (states.streets[Int(arc.index)], states.arcs.weights[Int(arc.index)])
  }

  package func maneuver(from: DirectedStreet, to: DirectedStreet) -> TurnManeuver {
    let ((junction, arriving), (next, leaving)) = (streets.end(of: from), streets.start(of: to))
    // Trips that start at a junction may use any of its streets without a turn.
    guard junction == next else { return .none }
    return maneuvers.maneuver(
      junction: junction, arriving: arriving, leaving: leaving, ends: ends.count(at: junction))
  }

  /// Returns the number of junctions in a street's strongly connected component.
  package func componentSize(of street: StreetID) -> Int { Int(componentSizes[Int(street.index)]) }

  /// Returns the indices of a street's points, including both ends, from its tail to its head.
  package func shape(of street: StreetID) -> Range<Int> { streets.shape(of: Int(street.index), points.count) }

  package func attributes(of street: StreetID) -> StreetAttributes {
    attributes[Int(streets[Int(street.index)].attributes)]
  }

  /// Whether the network was built with a DEM.
  package var hasElevations: Bool { !climbs.isEmpty }

  /// Returns the climb of a street; nil without a DEM.
  package func climb(of street: DirectedStreet) -> Climb? {
    guard !climbs.isEmpty else { return nil }
    let climb = climbs[Int(street.street.index)]
    return street.isReversed ? climb.reversed : climb
  }

  /// Returns the climb of a part of a street, between two fractions of its length in the direction of travel; nil
  /// without a DEM.
  package func climb(of street: StreetID, from start: Double, to end: Double) -> Climb? {
    guard !climbs.isEmpty else { return nil }
    let ground = ground(of: street)
    let (low, high) = (min(start, end), max(start, end))
    let between = ground.filter { $0.fraction > low && $0.fraction < high }.map(\.height)
    let climb = Climb(along: [height(at: low, of: ground)] + between + [height(at: high, of: ground)])
    return start > end ? climb.reversed : climb
  }

  /// Returns the elevation at a position in centimetres, interpolated between those around it; the minimum value if
  /// unknown.
  package func height(at position: StreetPosition) -> Int32 {
    height(at: position.fraction, of: ground(of: position.street))
  }

  private func height(at fraction: Double, of ground: [(fraction: Double, height: Int32)]) -> Int32 {
    let next = ground.dropFirst().firstIndex { $0.fraction >= fraction } ?? ground.count - 1
    let (before, after) = (ground[next - 1], ground[next])
    guard before.height != .min, after.height != .min else { return .min }
    let length = after.fraction - before.fraction
    let share = length > 0 ? min(max((fraction - before.fraction) / length, 0), 1) : 0
    return Int32((Double(before.height) + (Double(after.height) - Double(before.height)) * share).rounded())
  }

  /// Returns the elevations along a street in centimetres, at its points and in between.
  private func ground(of street: StreetID) -> [(fraction: Double, height: Int32)] {
    let shape = shape(of: street)
    var sample = Int(firstSample[Int(street.index)])
    var ground: [(fraction: Double, height: Int32)] = []
    var along = 0.0
    for point in shape.dropLast() {
      ground.append((along, heights[point]))
      let metres = points[point].distance(to: points[point + 1])
      let sections = Terrain.sections(of: metres)
      for section in 1..<sections where sample < samples.count {
        ground.append((along + metres * Double(section) / Double(sections), samples[sample]))
        sample += 1
      }
      along += metres
    }
    ground.append((along, heights[shape.upperBound - 1]))
    return along > 0 ? ground.map { ($0.fraction / along, $0.height) } : ground
  }

  package var nameCount: Int { nameEnds.count }

  /// Returns a name by its index; empty for 0.
  package func name(_ index: UInt32) -> String { StreetNetwork.name(index, nameBytes, nameEnds) }

  private static func name(_ index: UInt32, _ bytes: Column<UInt8>, _ ends: Column<UInt32>) -> String {
    let start = index == 0 ? 0 : ends[Int(index) - 1]
    return String(decoding: bytes.buffer[Int(start)..<Int(ends[Int(index)])], as: UTF8.self)
  }
}

/// The streets and arcs of a network with the speeds of an instant.
struct SlowedStreets {
  let streets: Column<Street>
  let weights: Column<Weight>
  let hierarchy: Hierarchy

  init(_ network: StreetNetwork, _ speeds: StreetSpeeds, at time: LocalTime) {
    let moment = Int(time.day.weekday * 1440 + time.minute) * 60_000
    let period = moment / Int(speeds.profiles.period)
    func slowed(_ milliseconds: UInt32, _ street: DirectedStreet) -> UInt32 {
      let slowness = speeds.profiles.slowness(speeds.profile(of: street), period)
      guard milliseconds > 0, slowness != .one, slowness != .closed else { return milliseconds }
      // Rounded as in `FrozenClock`.
      let slow = slowness.milliseconds(ofWork: UInt64(milliseconds) << 8)
      return UInt32(min(max(slow, 1), UInt64(Weight.arcTimeLimit - 1)))
    }
    var streets = Array(network.streets)
    for index in streets.indices {
      let id = StreetID(index)
      streets[index].setMilliseconds(
        forward: slowed(streets[index].milliseconds(isReversed: false), DirectedStreet(id, isReversed: false)),
        backward: slowed(streets[index].milliseconds(isReversed: true), DirectedStreet(id, isReversed: true)))
    }
    self.streets = Column(streets)
    let states = network.states
    weights = Column(
      states.arcs.weights.indices.map { arc in
        // A turn is slowed like its street, as in time-dependent searches.
        let weight = states.arcs.weights[arc]
        return Weight(milliseconds: slowed(weight.milliseconds, states.streets[arc]), centimetres: weight.centimetres)
      })
    let arcs = ArcGraph(firstArc: states.arcs.firstArc, heads: states.arcs.heads, weights: weights)
    let customizable = CustomizableHierarchy(arcs, ranks: network.hierarchy.ranks)
    hierarchy = customizable.hierarchy(without: network.closureWithoutDate?.arcs)
  }
}

extension StreetNetwork {
  /// Returns a number for a street that stays the same across updates of the map, and in the networks of other
  /// profiles, as long as the street has the same ends and the same length; never negative.
  ///
  /// The number is the 64-bit FNV-1a hash, without its highest bit, of 20 bytes: longitude and latitude of the western
  /// end (the southern end if both are equally far west), then of the other, in 1e-7 degrees, then the length in
  /// centimetres, each as 32 bits, little-endian. Streets with equal ends and length share a number: the halves of a
  /// gate, overlapping streets.
  package func streetKey(of id: StreetID) -> Int64 {
    let shape = shape(of: id)
    let ends = [points[shape.lowerBound], points[shape.upperBound - 1]].sorted {
      ($0.longitude, $0.latitude) < ($1.longitude, $1.latitude)
    }
    let numbers = ends.flatMap { [UInt32(bitPattern: $0.longitude), UInt32(bitPattern: $0.latitude)] }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in numbers + [street(id).centimetres] {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        hash = (hash ^ UInt64(number >> shift & 0xff)) &* 0x100_0000_01b3
      }
    }
    return Int64(hash & UInt64(Int64.max))
  }
}
