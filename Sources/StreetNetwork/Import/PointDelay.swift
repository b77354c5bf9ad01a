/// What it costs to pass a node, and in which direction of its way.
struct PointDelay {
  var milliseconds: UInt32
  var direction: Direction?
  /// A sign that applies to the minor road, or toward the nearer junction.
  var isSign: Bool
  /// A traffic signal, also one of a crossing.
  var isSignal: Bool

  init(milliseconds: UInt32, _ tags: Tags) {
    self.milliseconds = milliseconds
    direction = (tags["traffic_signals:direction"] ?? tags["direction"]).flatMap(Direction.init)
    let highway = tags["highway"]
    isSign = (highway == "stop" || highway == "give_way") && tags["stop"] != "all"
    isSignal =
      highway == "traffic_signals" || tags["crossing"] == "traffic_signals" || tags["crossing:signals"] == "yes"
  }
}
