import Settings

/// The side of the road that traffic drives on, street by street.
struct DrivingSide: Sendable {
  /// The same side everywhere; nil where ways and countries decide.
  private let isLeftEverywhere: Bool?
  /// Where no country is known.
  private let isLeftElsewhere: Bool

  init(_ root: SettingsObject) throws {
    let side = try root.choice("drivingSide", of: ["byCountry", "left", "right"])
    isLeftEverywhere = side == "byCountry" ? nil : side == "left"
    isLeftElsewhere =
      root.has("drivingSideElsewhere")
      ? try root.choice("drivingSideElsewhere", of: ["left", "right"]) == "left" : false
  }

  /// As the profile says, else the way itself, else its country.
  func isLeft(_ tags: Tags, in locality: Locality) -> Bool {
    if let isLeftEverywhere { return isLeftEverywhere }
    switch tags["driving_side"] {
    case "left": return true
    case "right": return false
    default: return locality.drivesOnLeft ?? isLeftElsewhere
    }
  }
}
