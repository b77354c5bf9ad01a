/// The kind of a turn restriction, by its value: `no_left_turn`, `only_straight_on`.
///
/// The beginning decides: `no_…` forbids turning from its first way into its last, `only_…` forbids all other turns.
/// The rest names the turn, which matters where a way continues beyond the junction.
struct RestrictionKind: Equatable {
  var isOnly: Bool
  var tail: String

  enum Turn { case left, right, straight, u }

  /// Nil for values that are not about a turn.
  init?(_ value: String) {
    let parts = value.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0] == "no" || parts[0] == "only" else { return nil }
    isOnly = parts[0] == "only"
    tail = String(parts[1])
  }

  /// `no_right_turn_on_red`: turning at the green light is allowed.
  var isAboutRedLights: Bool { tail.hasSuffix("on_red") }

  /// The direction in the name: `left_u_turn` is a U-turn.
  var turn: Turn? {
    let words = tail.split(separator: "_")
    if words.contains("u") { return .u }
    switch words.first {
    case "left": return .left
    case "right": return .right
    case "straight": return .straight
    default: return nil
    }
  }

  /// `no_entry` may have several first ways, and `no_exit` several last ways; all other kinds have one of each.
  func allows(from: Int, to: Int) -> Bool {
    (from == 1 || !isOnly && tail == "entry") && (to == 1 || !isOnly && tail == "exit")
  }
}
