import Foundation
import Settings

/// The cost of turns, and the turn restrictions that apply.
///
/// The cost is a sigmoid of the angle, as in OSRM's car profile: nearly zero straight ahead, the maximum at a U-turn,
/// and higher across oncoming traffic than towards the kerb.
struct TurnRules: Sendable {
  /// Seconds for the sharpest turn.
  private let cost: Double
  /// If over 1, turns towards the kerb cost less, and turns across oncoming traffic more.
  private let bias: Double
  /// Seconds for a U-turn.
  private let uTurn: Double
  var uTurnMilliseconds: UInt32 { UInt32((uTurn * 1000).rounded()) }
  let allowsUTurnsEverywhere: Bool
  /// Whether traffic drives on the left everywhere; nil if ways and countries decide.
  private let isLeftEverywhere: Bool?
  /// The default if the country is unknown.
  private let isLeftElsewhere: Bool
  /// Keys of restriction relations, from specific to general.
  let restrictionKeys: [String]
  /// Values of `except` that exempt the transport type from a restriction.
  let exceptions: Set<String>

  init(_ root: SettingsObject) throws {
    let turns = try root.object("turns")
    cost = try turns.seconds("cost")
    bias = try turns.number("bias", over: 0, unit: "a factor")
    uTurn = try turns.seconds("uTurn")
    allowsUTurnsEverywhere = try turns.choice("uTurns", of: ["deadEnds", "everywhere"]) == "everywhere"
    try turns.finish()
    let side = try root.choice("drivingSide", of: ["byCountry", "left", "right"])
    isLeftEverywhere = side == "byCountry" ? nil : side == "left"
    isLeftElsewhere =
      root.has("drivingSideElsewhere")
      ? try root.choice("drivingSideElsewhere", of: ["left", "right"]) == "left" : false
    let restrictions = try root.object("restrictions")
    restrictionKeys = try restrictions.strings("keys").reversed()
    exceptions = Set(try restrictions.strings("except"))
    try restrictions.finish()
  }

  /// Returns the milliseconds for a turn by `angle` degrees, -180…180, positive to the right.
  func milliseconds(angle: Double, isUTurn: Bool, drivesOnLeft: Bool) -> UInt32 {
    guard !isUTurn else { return uTurnMilliseconds }
    guard cost > 0 else { return 0 }
    let towardsKerb = (angle >= 0) != drivesOnLeft
    let bend = towardsKerb ? 1 / bias : bias
    let steepness = 13 * bend * abs(angle) / 180
    return UInt32((cost * 1000 / (1 + exp(6.5 / bend - steepness))).rounded())
  }

  /// Returns whether traffic drives on the left: according to the profile, otherwise the way, otherwise its country.
  func drivesOnLeft(_ tags: Tags, in locality: Locality) -> Bool {
    if let isLeftEverywhere { return isLeftEverywhere }
    switch tags["driving_side"] {
    case "left": return true
    case "right": return false
    default: return locality.drivesOnLeft ?? isLeftElsewhere
    }
  }
}
