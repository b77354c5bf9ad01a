import Tables

/// A row of table `speed_class`: how much of the streets of a class has speeds of its own.
package struct SpeedClassRow: Sendable {
  package var roadClass: String
  /// Metres, each direction by itself.
  package var distance: Double
  package var distanceWithData: Double

  package init(roadClass: String, distance: Double, distanceWithData: Double) {
    (self.roadClass, self.distance, self.distanceWithData) = (roadClass, distance, distanceWithData)
  }

  static let table = Table<SpeedClassRow>(
    "speed_class", "class of roads, in jobs with `speeds` or `traffic`",
    [
      .text("class", "the road's class: `motorway` to `path`") { $0.roadClass },
      .real("distance", "metres of its streets, each direction by itself") { $0.distance },
      .real("distance_with_data", "metres of those of which a file says a speed") { $0.distanceWithData },
    ])
}

/// A row of table `speed_hour`: how slow the streets of a class are in an hour of the week.
package struct SpeedHourRow: Sendable {
  package var roadClass: String
  /// From Monday on, 0 to 167.
  package var hourOfWeek: Int
  package var slowness: Double

  package init(roadClass: String, hourOfWeek: Int, slowness: Double) {
    (self.roadClass, self.hourOfWeek, self.slowness) = (roadClass, hourOfWeek, slowness)
  }

  static let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

  static let table = Table<SpeedHourRow>(
    "speed_hour", "class of roads and hour of the week, in jobs with `speeds` or `traffic`",
    [
      .text("class", "the road's class: `motorway` to `path`") { $0.roadClass },
      .text("weekday", "`Mo` to `Su`") { SpeedHourRow.weekdays[$0.hourOfWeek / 24] },
      .integer("hour", "0 to 23, by the clocks there") { $0.hourOfWeek % 24 },
      .real("slowness", "what all its streets take over what they take in free flow: 2 is twice as long") {
        $0.slowness
      },
    ])
}
