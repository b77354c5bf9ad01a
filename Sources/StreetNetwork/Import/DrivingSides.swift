/// The driving side: stated by the way itself, else by the map for its country, else by the profile.
///
/// The map states it by `driving_side` on a country's boundary or on ways, or by the country in its speed limits
/// (`GB:nsl_single`); the majority decides.
struct DrivingSides {
  private let otherwiseLeft: Bool
  /// Votes for left (positive) and right (negative): of boundaries, of ways, of countries in speed limits.
  private var boundaries = 0
  private var ways = 0
  private var countries = 0

  init(otherwiseLeft: Bool) { self.otherwiseLeft = otherwiseLeft }

  /// Countries that drive on the left, by ISO 3166.
  private static let leftCountries: Set<String> = [
    "AG", "AI", "AU", "BB", "BD", "BM", "BN", "BS", "BT", "BW", "CC", "CK", "CX", "CY", "DM", "FJ",
    "FK", "GB", "UK", "GD", "GG", "GY", "HK", "ID", "IE", "IM", "IN", "JE", "JM", "JP", "KE", "KI",
    "KN", "KY", "LC", "LK", "LS", "MO", "MS", "MT", "MU", "MV", "MW", "MY", "MZ", "NA", "NP", "NR",
    "NU", "NZ", "PG", "PK", "PN", "SB", "SC", "SG", "SH", "SR", "SZ", "TC", "TH", "TK", "TL", "TO",
    "TT", "TV", "TZ", "UG", "VC", "VG", "VI", "WS", "ZA", "ZM", "ZW",
  ]

  /// Counts the votes of a way or a boundary.
  mutating func count(_ tags: Tags) {
    let isBoundary = tags["type"] == "boundary"
    switch tags["driving_side"] {
    case "left": isBoundary ? (boundaries += 1) : (ways += 1)
    case "right": isBoundary ? (boundaries -= 1) : (ways -= 1)
    default: break
    }
    if isBoundary {
      guard let code = tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"] else { return }
      countries += 1000 * (DrivingSides.leftCountries.contains(code) ? 1 : -1)
    } else {
      for key in ["maxspeed", "source:maxspeed", "maxspeed:type", "zone:maxspeed", "zone:traffic"] {
        guard let value = tags[key], let colon = value.firstIndex(of: ":"), value[..<colon].count == 2 else { continue }
        countries += DrivingSides.leftCountries.contains(value[..<colon].uppercased()) ? 1 : -1
      }
    }
  }

  /// Whether traffic drives on the left where the way itself does not state it.
  var drivesOnLeft: Bool {
    [boundaries, ways, countries].first { $0 != 0 }.map { $0 > 0 } ?? otherwiseLeft
  }
}
