import Geography
import Jobs
import Tables

extension PageData {
  /// Rows that changed, the origins of all that did, and their places.
  mutating func add(
    _ rows: [ComparisonDatabase.Row], of count: Int, _ origins: [ChangedOrigin], _ places: [ComparedPlace]
  ) {
    let index = PlaceIndex(places)
    var reasons = Interner<String>()
    let changes = Change.allCases
    func indices(_ values: [Int?]) -> String { PageData.list(values) { String($0 ?? -1) } }
    let located = origins.filter { index.origin($0.id) != nil }
    var members: [(String, String)] = [
      ("ids", PageData.list(places) { PageData.json($0.id) }),
      ("names", PageData.list(places) { PageData.json($0.label) }),
      ("points", PageData.json(EncodedPolyline.text(of: [places.map(\.point)]))),
      ("roles", PageData.list(places) { PageData.json($0.role.rawValue) }),
      ("moves", PageData.list(places) { PageData.json($0.change) }),
      ("origins", indices(located.map { index.origin($0.id) })),
      ("differences", PageData.list(located) { PageData.json($0.difference, places: 1) }),
      (
        "counts",
        PageData.list(located) { origin in
          PageData.list(changes.enumerated().filter { origin.counts[$1] != nil }) { number, change in
            "[\(number),\(origin.counts[change]!)]"
          }
        }
      ),
      ("items", PageData.list(rows) { PageData.json($0.item) }),
      ("from", indices(rows.map { $0.origin.flatMap(index.origin) })),
      ("to", indices(rows.map { $0.destination.flatMap(index.destination) })),
      ("change", PageData.list(rows) { String(changes.firstIndex(of: $0.change)!) }),
      ("changes", PageData.list(changes) { PageData.json($0.rawValue.replacing("_", with: " ")) }),
      ("old", PageData.list(rows) { PageData.json($0.old, places: 1) }),
      ("new", PageData.list(rows) { PageData.json($0.new, places: 1) }),
      ("why", PageData.list(rows.map { reasons.index(of: $0.reason ?? "") }) { String($0) }),
    ]
    members.append(("reasons", PageData.list(reasons.values) { PageData.json($0) }))
    if rows.count < count {
      let text =
        "\(Format.decimal(Double(rows.count))) of \(Format.decimal(Double(count))) rows that changed are listed, those "
        + "that changed most; all origins are on the map."
      members.append(("leftOut", PageData.json(text)))
    }
    add("compare", PageData.object(members))
  }
}

/// Where places are among those of a comparison, by their ids.
private struct PlaceIndex {
  private var origins: [String: Int] = [:]
  private var others: [String: Int] = [:]

  init(_ places: [ComparedPlace]) {
    for (index, place) in places.enumerated() {
      if place.role == .origin {
        origins[place.id] = origins[place.id] ?? index
      } else {
        others[place.id] = others[place.id] ?? index
      }
    }
  }

  func origin(_ id: String) -> Int? { origins[id] }
  func destination(_ id: String) -> Int? { others[id] }
}
