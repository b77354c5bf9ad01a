import Geography

/// What a page's script draws: members of a JSON object, and which parts of the script it takes.
struct PageData {
  /// Files of `Page`, by their names without ".js", beyond those that all maps take.
  var scripts: [String]
  /// Names and their values as JSON, in the order of the page.
  var members: [(name: String, json: String)]

  /// Where tiles of a server are loaded from; nil for none.
  var tiles: String? { didSet { if let tiles { members.append(("tiles", PageData.json(tiles))) } } }

  /// - Parameter box: What the map shows at first.
  init(kind: String, box: BoundingBox, scripts: [String]) {
    self.scripts = scripts
    let least = FixedCoordinate(longitude: box.minLongitude, latitude: box.minLatitude).coordinate
    let greatest = FixedCoordinate(longitude: box.maxLongitude, latitude: box.maxLatitude).coordinate
    members = [
      ("kind", PageData.json(kind)),
      ("box", "[\(least.latitude),\(least.longitude),\(greatest.latitude),\(greatest.longitude)]"),
    ]
  }

  mutating func add(_ name: String, _ json: String) { members.append((name, json)) }

  /// The object, as an element of a page has it: no "<" that would end the element.
  var json: String {
    PageData.object(members.map { ($0.name, PageData.escaped($0.json)) })
  }

  private static func escaped(_ text: String) -> String {
    // Most texts have none, and some are megabytes.
    let less = UInt8(ascii: "<")
    guard text.utf8.withContiguousStorageIfAvailable({ $0.contains(less) }) ?? true else { return text }
    return text.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).map { Substring($0) }
      .joined(separator: "\\u003c")
  }

  // MARK: JSON

  /// A text; null for none.
  static func json(_ text: String?) -> String {
    guard let text else { return "null" }
    // Most need no escaping.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return "\"\(text)\""
    }
    var buffer = TextBuffer(capacity: text.utf8.count + 16)
    buffer.append(jsonString: text)
    return buffer.string()
  }

  /// A number with some decimals at most; null for none, and for what is no number.
  static func json(_ value: Double?, places: Int) -> String {
    guard let value, let scaled = Int64(exactly: (value * [1, 10, 100, 1000][places]).rounded()) else { return "null" }
    var buffer = TextBuffer(capacity: 32)
    buffer.append(decimal: scaled, places: places)
    return buffer.string()
  }

  static func list<Items: Sequence>(_ items: Items, _ json: (Items.Element) -> String) -> String {
    "[\(items.map(json).joined(separator: ","))]"
  }

  static func object(_ members: [(name: String, json: String)]) -> String {
    var text = "{"
    text.reserveCapacity(members.reduce(2) { $0 + $1.name.utf8.count + $1.json.utf8.count + 4 })
    for (index, member) in members.enumerated() {
      text += index > 0 ? "," : ""
      text += json(member.name)
      text += ":"
      text += member.json
    }
    return text + "}"
  }
}
