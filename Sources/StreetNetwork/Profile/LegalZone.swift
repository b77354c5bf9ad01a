/// Where a road lies in the sense of a country's legal speeds, by the names that they go by, the best first.
struct LegalZone {
  let names: [String]

  /// Nil for what is no road: ferries, piers.
  init?(_ tags: Tags, _ highway: String?, in locality: Locality) {
    guard let highway else { return nil }
    let isForMotors = tags["motorroad"] == "yes"
    switch highway {
    case "motorway", "motorway_link": names = ["motorway"]
    case "living_street": names = ["living_street"]
    case "trunk" where !locality.isBuiltUp || isForMotors, "trunk_link" where !locality.isBuiltUp || isForMotors:
      names = ["trunk", "rural"]
    // Residential streets are in towns, however few they are.
    case "residential": names = ["urban"]
    case _ where isForMotors: names = ["trunk", "rural"]
    case _ where !locality.isBuiltUp: names = ["rural"]
    case "trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link":
      names = ["arterial", "urban"]
    default: names = ["urban"]
    }
  }
}
