import Geography
import Hierarchy

/// Streets with their names, before it is known how they are searched: what steps and pictures are made of.
struct StreetDrafts: Sendable {
  private let streets: [Street]
  private let points: [FixedCoordinate]
  private let ends: StreetEnds
  private let attributes: [StreetAttributes]
  private let names: [String]
  private let delays: [(head: UInt32, tail: UInt32)]
  private let usesRoadManeuvers: Bool

  init(_ table: StreetTable, _ ends: StreetEnds, _ map: OSMImport, usesRoadManeuvers: Bool) {
    (streets, points, delays, self.ends) = (table.streets, table.points, table.delays, ends)
    (attributes, names, self.usesRoadManeuvers) = (map.attributes, map.names, usesRoadManeuvers)
  }

  func maneuvers() -> ManeuverTable {
    ManeuverTable(
      ManeuverRules(
        streets: streets, ends: ends, attributes: attributes, names: names, delays: delays,
        usesRoadManeuvers: usesRoadManeuvers))
  }

  /// What results are drawn upon: streets of the network, and what else the map has.
  func backdrop(_ scenery: Scenery) -> (records: [Backdrop.Record], text: [UInt8], kinds: String) {
    var builder = BackdropBuilder()
    builder.add(streets, points: points, attributes) { names[Int($0)] }
    // A ferry crosses the sea.
    let land = streets.filter { attributes[Int($0.attributes)].roadClass != .other }
    let cells = Set(land.map { SeaAreas.Cell(of: points[Int($0.firstPoint)]) })
    for feature in scenery.features(around: BoundingBox(around: points), hasStreets: cells.contains) {
      builder.add(feature)
    }
    return builder.columns()
  }
}
