/// The amount of map data relevant to wheelchairs: kerbs, and used ways with certain details.
struct AccessibilityCounts: Sendable, BitwiseCopyable {
  private var ways: UInt32 = 0
  private var kerbs: UInt32 = 0
  private var surfaces: UInt32 = 0
  private var widths: UInt32 = 0
  private var inclines: UInt32 = 0

  mutating func addPoint(_ tags: Tags) {
    if tags["barrier"] == "kerb" || tags.hasKey(beginningWith: "kerb") { kerbs += 1 }
  }

  mutating func addWay(_ details: WayDetails) {
    ways += 1
    if details.contains(.surface) { surfaces += 1 }
    if details.contains(.width) { widths += 1 }
    if details.contains(.incline) { inclines += 1 }
  }

  /// The counts as text: "kerbs at 12 points; of 340 ways 120 have a surface, 5 a width, 9 an incline".
  var text: String {
    "kerbs at \(kerbs) points; of \(ways) ways \(surfaces) have a surface, \(widths) a width, \(inclines) an incline"
  }
}

/// The tagged details of a way's surface.
struct WayDetails: OptionSet {
  let rawValue: UInt8
  static let surface = WayDetails(rawValue: 1)
  static let width = WayDetails(rawValue: 2)
  static let incline = WayDetails(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ tags: Tags) {
    self = []
    if tags["surface"] != nil || tags["smoothness"] != nil { insert(.surface) }
    if ["width", "est_width", "maxwidth"].contains(where: { tags[$0] != nil }) { insert(.width) }
    if tags["incline"] != nil { insert(.incline) }
  }
}
