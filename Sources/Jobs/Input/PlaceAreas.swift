import Geography
import Tables

/// The polygons that places of an input are, as pages draw them: encoded, and none where they would make a page heavy.
struct PlaceAreas: Sendable {
  /// More text than this makes a page heavy.
  private static let mostBytes = 1_500_000

  private var texts: [(place: Int, rings: String)] = []
  private var box = BoundingBox.empty
  private var bytes = 0

  /// - Parameters:
  ///   - rings: Longitudes and latitudes; of a point none.
  ///   - place: Its index in the list.
  mutating func add(_ rings: [[[Double]]], of place: Int) {
    guard !rings.isEmpty, bytes <= PlaceAreas.mostBytes else { return }
    let lines = rings.map { ring in
      ring.compactMap { $0.count >= 2 ? CoordinateCheck.points([($0[0], $0[1])]).first : nil }
    }
    guard lines.allSatisfy({ $0.count > 3 }) else { return }
    for point in lines.joined() { box.extend(to: point) }
    texts.append((place, EncodedPolyline.text(of: lines)))
    bytes += texts[texts.count - 1].rings.utf8.count + 16
    if bytes > PlaceAreas.mostBytes { texts = [] }
  }

  /// Nil where all places are points; without features where there are too many.
  func backdrop(of places: [InputPlace], class kind: String) -> BackdropRow? {
    guard bytes > 0 else { return nil }
    var text = TextBuffer(capacity: bytes + bytes / 8)
    for (index, area) in texts.enumerated() {
      if index > 0 { text.append(",") }
      text.append(jsonString: "\(places[area.place].id)")
      text.append(",")
      text.append(jsonString: area.rings)
    }
    return BackdropRow(layer: "area", kind: kind, minZoom: 0, box: box, features: text.string())
  }
}
