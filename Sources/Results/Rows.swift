import Geography

/// What became of a row or a place.
package enum RowStatus: String, Sendable, CaseIterable {
  case ok
  case directionsNotFound = "directions_not_found"
  case placemarkNotFound = "placemark_not_found"
  case outsideCoverage = "outside_coverage"
  case beyondLimit = "beyond_limit"
  case invalid
}

/// A row of table `place`.
package struct PlaceRow: Sendable {
  package var id: Identifier
  package var role: String
  package var name: String?
  package var coordinate: FixedCoordinate
  package var snapped: FixedCoordinate?
  /// Metres.
  package var snapDistance: Double?
  package var street: String?
  package var status: RowStatus
  package var weight: Double?

  package init(
    id: Identifier, role: String, name: String?, coordinate: FixedCoordinate, snapped: FixedCoordinate?,
    snapDistance: Double?, street: String?, status: RowStatus, weight: Double?
  ) {
    self.id = id
    self.role = role
    self.name = name
    self.coordinate = coordinate
    self.snapped = snapped
    self.snapDistance = snapDistance
    self.street = street
    self.status = status
    self.weight = weight
  }
}

/// A row of table `route`. Lengths in centimetres and times in milliseconds; metres and seconds in the table.
package struct RouteRow: Sendable {
  package var pair: Identifier
  package var alternative = 0
  package var origin: Identifier
  package var destination: Identifier
  package var group: String?
  package var status: RowStatus
  package var transportType: String
  package var crowFlyCentimetres: Int64
  /// Nil unless the status is `ok`.
  package var found: Found?
  /// ISO 8601; nil where no date was asked for.
  package var departure: String?
  package var arrival: String?
  /// What opens the trip in Maps, where wanted.
  package var link: String?

  package struct Found: Sendable {
    package var centimetres: Int64
    package var milliseconds: Int64
    /// The rest is nil for kind `etas`.
    package var route: Details?
    package init(centimetres: Int64, milliseconds: Int64, route: Details? = nil) {
      self.centimetres = centimetres
      self.milliseconds = milliseconds
      self.route = route
    }
  }

  package struct Details: Sendable {
    package var name: String
    package var stepCount: Int
    package var hasTolls: Bool
    package var hasHighways: Bool
    package var advisoryNotices: [String]
    /// Nil where the database is to have none.
    package var shape: GeometryBlob?
    package init(
      name: String, stepCount: Int, hasTolls: Bool, hasHighways: Bool, advisoryNotices: [String], shape: Polyline?
    ) {
      self.name = name
      self.stepCount = stepCount
      self.hasTolls = hasTolls
      self.hasHighways = hasHighways
      self.advisoryNotices = advisoryNotices
      self.shape = shape.map { GeometryBlob(line: $0.points) }
    }
  }

  package init(
    pair: Identifier, origin: Identifier, destination: Identifier, group: String?, status: RowStatus,
    transportType: String, crowFlyCentimetres: Int64, found: Found?
  ) {
    self.pair = pair
    self.origin = origin
    self.destination = destination
    self.group = group
    self.status = status
    self.transportType = transportType
    self.crowFlyCentimetres = crowFlyCentimetres
    self.found = found
  }
}

/// A step of a route; which route it belongs to stands with the route.
package struct StepRow: Sendable {
  /// Its place among the phrases of its chunk.
  package var phrase: Int
  package var centimetres: Int64
  package var milliseconds: Int64
  /// Where the step begins.
  package var start: FixedCoordinate

  package init(phrase: Int, centimetres: Int64, milliseconds: Int64, start: FixedCoordinate) {
    self.phrase = phrase
    self.centimetres = centimetres
    self.milliseconds = milliseconds
    self.start = start
  }
}

/// A row of table `phrase`: what a step says, kept once for all steps that say it.
package struct PhraseRow: Sendable, Hashable {
  package var instructions: String
  package var notice: String?
  package var transportType: String
  package var maneuver: String
  package var street: String

  package init(instructions: String, notice: String?, transportType: String, maneuver: String, street: String) {
    self.instructions = instructions
    self.notice = notice
    self.transportType = transportType
    self.maneuver = maneuver
    self.street = street
  }
}

/// A row of table `street`: a street of the map, drawn roughly.
package struct StreetRow: Sendable {
  package var roadClass: String
  package var points: [FixedCoordinate]

  package init(roadClass: String, points: [FixedCoordinate]) {
    self.roadClass = roadClass
    self.points = points
  }
}

/// A row of table `rejected`: input that cannot be used, and why.
package struct RejectedRow: Sendable, Hashable {
  package var file: String
  package var line: Int
  package var text: String
  package var reason: String

  package init(file: String, line: Int, text: String, reason: String) {
    self.file = file
    self.line = line
    self.text = text
    self.reason = reason
  }
}
