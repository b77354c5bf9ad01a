import Settings

/// Which areas are crossed between the streets that lead onto them.
struct SquareRules: Sendable {
  /// Closed ways with one of these tags; relations are areas by themselves.
  let ways: TagSet
  /// Areas with more corners and entrances are only walked around.
  let mostCorners: Int

  init(_ settings: SettingsObject) throws {
    ways = try TagSet(settings.object("ways"))
    mostCorners = try Int(
      min(settings.number("mostCorners", atLeast: 0, unit: "a number of corners").rounded(), 10_000))
    try settings.finish()
  }
}
