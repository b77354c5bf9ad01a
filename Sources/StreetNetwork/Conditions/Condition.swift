import Geography

/// When something holds: hours, and properties of the vehicle.
///
///     Condition("Mo-Fr 07:00-19:00 AND weight>7.5")
///
/// Vehicles are ordinary ones: limits on weight or size never apply to them.
package struct Condition: Sendable {
  private var hours: [OpeningHours] = []
  private var isForOtherVehicles = false

  /// Nil where a part of the text is not understood (`wet`, `residents`), or says nothing of a time.
  package init?(_ text: String) {
    for part in Condition.parts(of: text) {
      if part.contains(">") || part.contains("<") {
        guard Condition.isAboutSize(part) else { return nil }
        isForOtherVehicles = true
      } else if let hours = OpeningHours(part), hours.saysWhenOpen {
        self.hours.append(hours)
      } else {
        return nil
      }
    }
    guard isForOtherVehicles || !hours.isEmpty else { return nil }
  }

  package func holds(at time: LocalTime, near place: Coordinate) -> Bool { holds(at: time, SunPlace(place)) }

  func holds(at time: LocalTime, _ place: SunPlace) -> Bool {
    !isForOtherVehicles && hours.allSatisfy { $0.state(at: time, place) == .open }
  }

  /// Whether it depends on where it is.
  var usesSun: Bool { hours.contains(where: \.usesSun) }

  private static func parts(of text: String) -> [String] {
    let marked = text.replacing(" AND ", with: "\n").replacing(" and ", with: "\n")
    return marked.split(separator: "\n").map(\.trimmingSpaces)
  }

  private static func isAboutSize(_ text: String) -> Bool {
    ["weight", "maxweight", "axleload", "length", "width", "height", "axles", "trailers", "maxweightrating"].contains(
      text.prefix(while: \.isLetter).lowercased())
  }
}
