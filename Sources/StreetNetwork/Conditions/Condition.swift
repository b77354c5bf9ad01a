/// When something holds: hours, and properties of the vehicle.
///
///     Condition("Mo-Fr 07:00-19:00 AND weight>7.5")
///
/// Vehicles are ordinary ones: limits on weight or size never apply to them.
package struct Condition: Sendable {
  private var hours: [OpeningHours] = []
  private var isForOtherVehicles = false

  /// Nil where a part of the text is not understood (`wet`, `sunset-sunrise`).
  package init?(_ text: String) {
    let marked = text.replacing(" AND ", with: "\n").replacing(" and ", with: "\n")
    for part in marked.split(separator: "\n") {
      if part.contains(">") || part.contains("<") {
        guard Condition.isAboutSize(part) else { return nil }
        isForOtherVehicles = true
      } else if let hours = OpeningHours(String(part)) {
        self.hours.append(hours)
      } else {
        return nil
      }
    }
    guard isForOtherVehicles || !hours.isEmpty else { return nil }
  }

  package func holds(at time: LocalTime) -> Bool { !isForOtherVehicles && hours.allSatisfy { $0.contains(time) } }

  private static func isAboutSize(_ text: Substring) -> Bool {
    ["weight", "maxweight", "axleload", "length", "width", "height", "axles", "trailers", "maxweightrating"].contains(
      text.prefix(while: \.isLetter).lowercased())
  }
}
