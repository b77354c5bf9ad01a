import OpeningHours
import Foundation
import Geography
import Hierarchy
import Synchronization

/// A map for one transport type: streets and their shapes, states and their hierarchy, and an index that
/// finds the street nearest to a place.
///
///     let network = try StreetNetwork(map: "data/helsinki.osm.pbf", profile: .stock("walking"))
///
/// The first time this reads the map and writes a network file next to it; from then on the file is mapped into memory
/// in milliseconds, and many processes share one copy. Immutable, safe to use from any thread.
public final class StreetNetwork: Sendable {
  /// How the map is used.
  public let profile: Profile
  /// The path of the network file.
  public let path: String
  /// Hexadecimal SHA-256 of the map, of the profile, and of the network file's content.
  public let fingerprints: Fingerprints
  /// When the map's data were current, in ISO 8601; empty where the map does not state it.
  public let mapDate: String
  /// The ISO 3166 codes of the countries that its ways lie in: "HK, MO".
  package let countries: String
  /// The time zone at the map's centre, as IANA names it: "Europe/Lisbon".
  package let timeZone: String
  package let streets: Column<Street>
  package let points: Column<FixedCoordinate>
  package let attributes: Column<StreetAttributes>
  /// OpenStreetMap's ID of the node of each point.
  package let pointNodes: Column<Int64>
  let parts: StreetParts
  /// How far each street climbs, and centimetres above the sea of each point (the least number where that is not known);
  /// empty where the network was built without heights.
  let climbs: Column<Climb>
  package let heights: Column<Int32>
  /// The ends of streets by junction.
  package let ends: StreetEnds
  package let maneuvers: ManeuverTable
  package let states: StateGraph
  package let conditions: Conditions
  /// What is closed where no time is given; nil for nothing.
  let closureWithoutDate: Closure?
  /// Speed limits at certain times, by street.
  package let conditionalLimits: Column<ConditionalLimits.Entry>
  let unreadable: Column<UnreadableTag>
  package let hierarchy: Hierarchy
  /// The streets that places are snapped to, and those that they are not.
  package let index: StreetIndex
  package let islands: StreetIndex
  private let componentSizes: Column<UInt32>
  let squareAreas: SquareAreas
  package let box: BoundingBox
  /// What results are drawn upon.
  package let backdrop: Backdrop
  package let counts: ImportCounts
  private let nameBytes: Column<UInt8>
  private let nameEnds: Column<UInt32>
  private let lazyStatePoints = Mutex<StatePoints?>(nil)
  private let lazyCustomizable = Mutex<CustomizableHierarchy?>(nil)
  private let variants = Mutex<[UInt8: StreetNetwork]>([:])
  /// The file name of the map that it was built from.
  package let mapName: String
  /// The folder for what is made of the network; the file's own if nil.
  let cache: String?
  private let file: NetworkFile
  /// Opens or builds the network of the same map under another profile.
  private let variant: @Sendable (Profile) throws -> StreetNetwork

  /// What a network was made from, and what it is: hexadecimal SHA-256.
  public struct Fingerprints: Hashable, Sendable {
    /// Of the map's file.
    public var map: String
    /// Of the profile's text.
    public var profile: String
    /// Of the network file's content.
    public var network: String
  }

  /// What the import left out.
  package struct ImportCounts: Sendable, BitwiseCopyable {
    package var ways: UInt32
    package var incompleteWays: UInt32
    package var nodesWithoutPosition: UInt32
    package var overlongTags: UInt32
    package var objectsWithNUL: UInt32
    /// All of the map's; none where its extract was made without.
    var relations: UInt32
    var tooLongStreets: UInt32
    package var seasonalWays: UInt32
    package var changesAtTimes: TimedWayCounts
    package var impossibleLimits: UInt32
    var impossibleDurations: UInt32
    package var restrictions: RestrictionCounts
    package var squares: SquareCounts
    var sidepaths: SidepathCounts
    var accessibility: AccessibilityCounts
  }

  /// - Parameter slowed: Other times of its streets and arcs than the file's, and their hierarchy.
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
      records: file.column(.backdropRecords), text: file.column(.backdropText),
      kinds: String(decoding: file.column(.backdropKinds, of: UInt8.self).buffer, as: UTF8.self))
    counts = try file.column(.counts, of: ImportCounts.self)[0]
    mapDate = try String(decoding: file.column(.mapDate, of: UInt8.self).buffer, as: UTF8.self)
    mapName = try String(decoding: file.column(.mapName, of: UInt8.self).buffer, as: UTF8.self)
    countries = try String(decoding: file.column(.countries, of: UInt8.self).buffer, as: UTF8.self)
    timeZone = try String(decoding: file.column(.timeZone, of: UInt8.self).buffer, as: UTF8.self)
    let names = (nameBytes, nameEnds)
    conditionalLimits = try file.column(.conditionalLimits)
    unreadable = try file.column(.unreadableTags)
    conditions = try Conditions(
      arcs: file.column(.closedArcs), streets: file.column(.closedStreets),
      texts: file.column(.conditions, of: UInt32.self).map { StreetNetwork.name($0, names.0, names.1) })
    let hasDefault = conditions.closedWithoutDate.contains(true)
    closureWithoutDate =
      hasDefault
      ? Closure(
        conditions.closedWithoutDate, conditions, arcCount: states.arcs.arcCount, streetCount: streets.count) : nil
  }

  /// The network of the same map that avoids something: built the first time, opened from then on.
  ///
  /// - Throws: as `init` does.
  public func avoiding(_ avoids: Profile.Avoidance) throws -> StreetNetwork {
    guard avoids != profile.avoids else { return self }
    return try variants.withLock { known in
      let network = try known[avoids.rawValue] ?? variant(profile.avoiding(avoids))
      known[avoids.rawValue] = network
      return network
    }
  }

  /// The files that it reads while it is used, those of networks that avoid more among them.
  package var files: [WatchedFile] { [file.watched] + variants.withLock { $0.values.flatMap(\.files) } }

  /// Whether anything is otherwise at some hours.
  package var changesWithTime: Bool { !conditions.isEmpty || !conditionalLimits.isEmpty }

  /// The network with the speeds that the map says for a moment, as if they held for ever; itself where it says none.
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

  /// Where the states are; made by the first who asks.
  package var statePoints: StatePoints {
    lazyStatePoints.withLock { known in
      let points = known ?? StatePoints(self)
      known = points
      return points
    }
  }

  /// What makes hierarchies from weights; made by the first who asks, in a quarter of a second on a city's map.
  package var customizable: CustomizableHierarchy {
    lazyCustomizable.withLock { known in
      let customizable = known ?? CustomizableHierarchy(states.arcs, ranks: hierarchy.ranks)
      known = customizable
      return customizable
    }
  }

  // Single values are read here, not from the columns: copying a column counts references.

  package func street(_ id: StreetID) -> Street { streets[Int(id.index)] }

  /// A point of the streets' shapes.
  package func point(_ index: Int) -> FixedCoordinate { points[index] }

  package func attributes(row: UInt32) -> StreetAttributes { attributes[Int(row)] }

  /// What an arc travels, and its weight.
  package func travelled(by arc: ArcID) -> (street: DirectedStreet, weight: Weight) {
    (states.streets[Int(arc.index)], states.arcs.weights[Int(arc.index)])
  }

  /// What a traveller does when turning from one street into the next.
  package func maneuver(from: DirectedStreet, to: DirectedStreet) -> TurnManeuver {
    let (before, after) = (streets[Int(from.street.index)], streets[Int(to.street.index)])
    let junction = Int(to.isReversed ? after.head : after.tail)
    // Trips that start at a junction may set out on any of its streets without a turn.
    guard junction == Int(from.isReversed ? before.tail : before.head) else { return .none }
    return maneuvers.maneuver(
      junction: junction, arriving: Int(from.isReversed ? before.tailEnd : before.headEnd),
      leaving: Int(to.isReversed ? after.headEnd : after.tailEnd), ends: ends.count(at: junction))
  }

  /// The number of junctions around a street that are all reached from one another.
  package func componentSize(of street: StreetID) -> Int { Int(componentSizes[Int(street.index)]) }

  /// The points of a street, both ends included, from its tail to its head.
  package func shape(of street: StreetID) -> Range<Int> {
    let next = Int(street.index) + 1
    let end = next < streets.count ? Int(streets[next].firstPoint) : points.count
    return Int(streets[Int(street.index)].firstPoint)..<end
  }

  package func attributes(of street: StreetID) -> StreetAttributes {
    attributes[Int(streets[Int(street.index)].attributes)]
  }

  /// Whether it was built with the heights of the ground.
  package var knowsHeights: Bool { !climbs.isEmpty }

  /// How far a street climbs; nil where heights are not known.
  package func climb(of street: DirectedStreet) -> Climb? {
    guard !climbs.isEmpty else { return nil }
    let climb = climbs[Int(street.street.index)]
    return street.isReversed ? climb.reversed : climb
  }

  /// The height at a snap, in centimetres above the sea, between those of the points around it; the least number where
  /// it is not known.
  package func height(at snap: Snap) -> Int32 {
    let first = shape(of: snap.street).lowerBound + snap.segment
    let (low, high) = (heights[first], heights[first + 1])
    guard low != .min, high != .min else { return .min }
    let (before, after) = (points[first].distance(to: snap.point), snap.point.distance(to: points[first + 1]))
    let share = before + after > 0 ? before / (before + after) : 0
    return low + Int32(((Double(high) - Double(low)) * share).rounded())
  }

  package var nameCount: Int { nameEnds.count }

  /// A name by its index; empty for 0.
  package func name(_ index: UInt32) -> String { StreetNetwork.name(index, nameBytes, nameEnds) }

  private static func name(_ index: UInt32, _ bytes: Column<UInt8>, _ ends: Column<UInt32>) -> String {
    let start = index == 0 ? 0 : ends[Int(index) - 1]
    return String(decoding: bytes.buffer[Int(start)..<Int(ends[Int(index)])], as: UTF8.self)
  }
}

/// The streets and arcs of a network with the speeds of a moment.
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
      // As `FrozenClock` rounds.
      let slow = slowness.milliseconds(ofWork: UInt64(milliseconds) << 8)
      return UInt32(min(max(slow, 1), UInt64(Weight.arcTimeLimit - 1)))
    }
    var streets = Array(network.streets)
    for index in streets.indices {
      let id = StreetID(index)
      streets[index].slow(
        forward: slowed(streets[index].milliseconds(isReversed: false), DirectedStreet(id, isReversed: false)),
        backward: slowed(streets[index].milliseconds(isReversed: true), DirectedStreet(id, isReversed: true)))
    }
    self.streets = Column(streets)
    let states = network.states
    weights = Column(
      states.arcs.weights.indices.map { arc in
        // A turn is slowed with its street, as on the clock.
        let weight = states.arcs.weights[arc]
        return Weight(
          milliseconds: slowed(weight.milliseconds, states.streets[arc]), centimetres: weight.centimetres)
      })
    let arcs = ArcGraph(firstArc: states.arcs.firstArc, heads: states.arcs.heads, weights: weights)
    let customizable = CustomizableHierarchy(arcs, ranks: network.hierarchy.ranks)
    hierarchy = customizable.hierarchy(without: network.closureWithoutDate?.arcs)
  }
}
