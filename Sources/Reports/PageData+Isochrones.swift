import Geography
import Jobs
import Tables

extension PageData {
  /// More text of areas than this makes a page heavy.
  private static let mostAreaBytes = 1_500_000

  /// Areas of places, the largest thresholds first.
  mutating func add(
    _ areas: [DrawnArea], of places: [ReportedPlace], _ hours: [(number: Int, text: String)], sizes: [ReportedArea]
  ) {
    let places = places.filter { $0.role == .origin }
    var indices: [Identifier: Int] = [:]
    for (index, place) in places.enumerated() where indices[place.id] == nil { indices[place.id] = index }
    let hourIndices = Dictionary(uniqueKeysWithValues: hours.enumerated().map { ($1.number, $0) })
    var (texts, bytes): ([String], Int) = ([], 0)
    for area in areas {
      guard let place = indices[area.place] else { continue }
      let hour = area.departure.flatMap { hourIndices[$0] } ?? 0
      let text = "[\(place),\(area.threshold),\(hour),\(PageData.json(EncodedPolyline.text(of: area.rings)))]"
      bytes += text.utf8.count
      guard bytes <= PageData.mostAreaBytes else { break }
      texts.append(text)
    }
    let squareKilometres = sizes.map { size in
      "[\(indices[size.place.id] ?? -1),\(size.threshold),\((size.departure.flatMap { hourIndices[$0] }) ?? 0),"
        + "\(PageData.json(size.squareMetres.map { $0 / 1e6 }, places: 3))]"
    }
    var members: [(String, String)] = [
      ("places", PageData.places(places)), ("hours", PageData.list(hours) { PageData.json($0.text) }),
      ("areas", "[\(texts.joined(separator: ",\n"))]"),
      ("sizes", "[\(squareKilometres.prefix(20_000).joined(separator: ","))]"),
    ]
    if texts.count < areas.count {
      let text =
        "\(Format.decimal(Double(texts.count))) of \(Format.decimal(Double(areas.count))) areas are on the map; all are in table isochrone."
      members.append(("leftOut", PageData.json(text)))
    }
    add("isochrones", PageData.object(members))
  }
}
