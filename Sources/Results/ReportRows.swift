import Geography

// What reports read: rows of questions that a results database answers.

/// A place as the map of a report shows it.
package struct PlacePoint: Sendable {
  package var role: String
  package var status: String
  package var point: FixedCoordinate
  package var label: String
}

/// A place with what it is called, for tables.
package struct NamedPlace: Sendable {
  package var id: String
  package var name: String?
  package var point: FixedCoordinate?

  package var label: String { name.map { $0.isEmpty ? id : $0 } ?? id }
}

/// A pair, or an origin and its nearest station.
package struct ReportedTrip: Sendable {
  package var origin: NamedPlace
  package var destination: NamedPlace?
  package var status: String
  /// Of the origin itself.
  package var originStatus = "ok"
  /// Seconds and metres.
  package var time: Double?
  package var distance: Double?
  package var detour: Double?
  package var steps: Int?
  package var weight: Double?
}

/// A share of what is counted, within a threshold.
package struct ReportedShare: Sendable {
  package var threshold: Int
  package var measure: String
  package var value: Double
  package var total: Double
  package var share: Double?
}

/// What a station, or a line, serves: by threshold and measure.
package struct ReportedService: Sendable {
  package var place: NamedPlace
  package var status = "ok"
  /// How many stations a line has.
  package var stations = 0
  package var lines: [String] = []
  package var values: [String: [Int: Double]] = [:]
  /// Of those to whom it is the nearest.
  package var nearest: [String: [Int: Double]] = [:]
}

/// An isochrone's size.
package struct ReportedArea: Sendable {
  package var place: NamedPlace
  package var status: String
  package var threshold: Int
  package var squareMetres: Double?
  package var streetMetres: Double?
}

/// An origin of a matrix.
package struct ReportedOrigin: Sendable {
  package var place: NamedPlace
  package var meanTime: Double?
  package var reachable: Int
  package var nearest: String?
  package var nearestTime: Double?
}

/// The places of a role.
package struct PlaceCounts: Sendable {
  package var role: String
  package var count: Int
  package var ok: Int
  package var meanSnapDistance: Double?
  package var maxSnapDistance: Double?
}
