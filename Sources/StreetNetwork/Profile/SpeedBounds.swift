import Settings

/// Speed limits that can be meant: no slower than a walk, and no faster than the class and the country have.
struct SpeedBounds: Sendable {
  private let least: Double
  private let most: Double
  private let leastByHighway: [String: Double]
  private let mostByHighway: [String: Double]

  init(_ settings: SettingsObject) throws {
    least = try settings.speed("least")
    most = try settings.speed("most")
    leastByHighway = try settings.speedsByName("leastByHighway")
    mostByHighway = try settings.speedsByName("mostByHighway")
    try settings.finish()
  }

  func contains(_ speed: Double, _ highway: String?, in locality: Locality) -> Bool {
    let country = locality.country?.highestSpeed ?? most
    let byClass = highway.flatMap { mostByHighway[$0] } ?? .infinity
    // Miles per hour are rounded in tables.
    return speed >= (highway.flatMap { leastByHighway[$0] } ?? least) - 0.01 && speed <= min(country, byClass) + 0.3
  }
}
