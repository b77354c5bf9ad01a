import Geography

/// The role of a place in a job.
package enum PlaceRole: String, Sendable, CaseIterable, ColumnValue { case origin, destination, station, entrance }

/// A row of table `place`.
package struct PlaceRow: Sendable {
  package var id: Identifier
  package var role: PlaceRole
  package var name: String?
  package var coordinate: FixedCoordinate
  package var snapped: FixedCoordinate?
  /// In metres.
  package var snapDistance: Double?
  package var street: String?
  /// The numbers of junctions in the component of the place's street and of a nearer street that was skipped.
  package var componentSize: Int?
  package var passedComponentSize: Int?
  package var status: RowStatus
  package var reason: PlaceReason?
  package var weight: Double?

  package init(
    id: Identifier, role: PlaceRole, name: String?, coordinate: FixedCoordinate, snapped: FixedCoordinate?,
    snapDistance: Double?, street: String?, componentSize: Int?, passedComponentSize: Int?, status: RowStatus,
    reason: PlaceReason? = nil, weight: Double?
  ) {
    (self.id, self.role, self.name, self.coordinate) = (id, role, name, coordinate)
    (self.snapped, self.snapDistance, self.street) = (snapped, snapDistance, street)
    (self.componentSize, self.passedComponentSize) = (componentSize, passedComponentSize)
    (self.status, self.reason, self.weight) = (status, reason, weight)
  }

  package static let table = Table<PlaceRow>(
    "place", "end of a pair, origin, destination, station or entrance",
    [
      .rowNumber("fid"),
      .id("place_id", "id in the input, else a number in order of appearance") { $0.id },
      .text("role", "`origin`, `destination`, `station` or `entrance`") { $0.role.rawValue },
      .optionalText("name", "name in the input") { $0.name },
      .real("latitude", "degrees") { $0.coordinate.coordinate.latitude },
      .lineBreak,
      .real("longitude", "degrees") { $0.coordinate.coordinate.longitude },
      .optionalReal("snapped_latitude", "degrees; snapped point") { $0.snapped?.coordinate.latitude },
      .optionalReal("snapped_longitude", "degrees") { $0.snapped?.coordinate.longitude },
      .optionalReal("snap_distance", "metres to the snapped point") { $0.snapDistance },
      .optionalText("street", "snapped street") { $0.street },
      .lineBreak,
      .optionalInteger(
        "component_size", "junctions in its strongly connected component; few on an island or in a closed area"
      ) { $0.componentSize },
      .optionalInteger(
        "passed_component_size", "component size of a nearer street that was skipped as part of an island; mostly NULL"
      ) { $0.passedComponentSize },
      .text("status", "`ok`, `placemark_not_found` or `outside_coverage`") { $0.status.rawValue },
      .optionalText(
        "reason",
        "`off_map`; `no_street` within the snap limit; `island` (all nearby streets are isolated); "
          + "`coverage`; `far` (more than 100 m from its street)"
      ) { $0.reason?.rawValue },
      .optionalReal("weight", "weight in the input, such as residents or jobs") { $0.weight },
      .point("geom") { $0.coordinate },
    ])

  /// The index, created after all rows are written.
  package static let index = "CREATE INDEX place_by_id ON place (place_id);"
}

/// The reason why a place has no street, or a questionable one.
package enum PlaceReason: String, Sendable, CaseIterable, ColumnValue {
  /// The place is outside the area of the map's streets, and no street is within the snap limit.
  case offMap = "off_map"
  /// The place is on the map, but no street is within the snap limit.
  case noStreet = "no_street"
  /// All streets within the snap limit belong to islands, which almost no trips enter or leave.
  case island
  /// The place is outside the job's coverage.
  case coverage
  /// The place's street is more than `PlaceReason.farMetres` away.
  case far

  package static let farMetres = 100.0
}
