/// What a turn restriction says, by its value: `no_left_turn`, `only_straight_on`.
///
/// The head decides, whatever follows it: `no_…` forbids turning from its first way into its last, `only_…` forbids all
/// else. The tail names the turn, which matters where a way continues beyond the junction.
struct RestrictionKind: Equatable {
  var isOnly: Bool
  var tail: String

  enum Turn { case left, right, straight, u }

  /// Nil for values that say nothing about a turn.
  init?(_ value: String) {
    let parts = value.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0] == "no" || parts[0] == "only" else { return nil }
    isOnly = parts[0] == "only"
    tail = String(parts[1])
  }

  /// `no_right_turn_on_red`: who waits for the green light may turn.
  var isAboutRedLights: Bool { tail.hasSuffix("on_red") }

  /// The direction that the tail names: `left_u_turn` is a U-turn.
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

  /// Several ways may lead into what has no entry, and out of what has no exit; all else is from one way into one.
  func allows(from: Int, to: Int) -> Bool {
    (from == 1 || !isOnly && tail == "entry") && (to == 1 || !isOnly && tail == "exit")
  }
}
