import COsmium
import Foundation
import Geography

/// The basemap features other than streets: sea, water, parks, railways and place names.
struct MapFeatures: Sendable {
  private var features: [BackdropFeature] = []
  private var coast: [[FixedCoordinate]] = []

  /// *Throws*: `OdometerError`.
  init(of source: OSMSource) throws {
    var features: [BackdropFeature] = []
    var coast: [[FixedCoordinate]] = []
    try source.readShapes(choosing: { MapFeatures.Theme($1, $0)?.kind }) { shape, tags in
      guard let theme = MapFeatures.Theme(tags, shape.kind == .point ? .node : .way) else { return }
      switch theme {
      case .coast: coast += shape.lines
      default: if let feature = theme.feature(of: shape, tags) { features.append(feature) }
      }
    }
    (self.features, self.coast) = (features, coast)
  }

  /// Returns all features, including the sea.
  ///
  /// - Parameters:
  ///   - box: The bounding box of the map's streets.
  ///   - streets: A point on each street on land.
  func features(around box: BoundingBox, streets: some Sequence<FixedCoordinate>) -> [BackdropFeature] {
    let sea = SeaAreas(coast: coast, around: box, streets: streets)
    let areas = sea.areas.map { rings in
      BackdropFeature(
        layer: .sea, kind: "", minZoom: 5, name: "", lines: rings.map { $0.simplified(metres: 6) })
    }
    // If the coastline is broken, the sea side is unknown, so the coast is drawn as a line.
    let broken = sea.brokenCoast.map { line in
      BackdropFeature(layer: .water, kind: "", minZoom: 8, name: "", lines: [line])
    }
    return features + areas + broken
  }

  /// The feature class of an object, by its tags.
  enum Theme {
    case coast, park, water, river, canal
    case railway(isLocal: Bool)
    case place(String)

    init?(_ tags: Tags, _ origin: MapShape.Origin) {
      if origin == .node {
        guard let rank = tags["place"], Theme.zooms[rank] != nil, tags["name"] != nil else { return nil }
        self = .place(rank)
        return
      }
      switch tags["natural"] {
      case "coastline": self = .coast
      case "water", "bay": self = .water
      case "wood": self = .park
      default:
        switch tags["waterway"] {
        case "river": self = .river
        case "canal": self = .canal
        case "riverbank", "dock": self = .water
        default:
          if let theme = Theme(land: tags) ?? Theme(railway: tags) { self = theme } else { return nil }
        }
      }
      if origin == .relation && kind != .area { return nil }
    }

    private static let parkUses: Set = ["forest", "cemetery", "recreation_ground", "village_green"]
    private static let parkLeisures: Set = ["park", "garden", "nature_reserve", "golf_course", "common"]

    private init?(land tags: Tags) {
      let use = tags["landuse"]
      if use == "reservoir" || use == "basin" {
        self = .water
      } else if use.map(Theme.parkUses.contains) == true || tags["leisure"].map(Theme.parkLeisures.contains) == true {
        self = .park
      } else {
        return nil
      }
    }

    private init?(railway tags: Tags) {
      guard let railway = tags["railway"], tags["service"] == nil, tags["tunnel"] != "yes" || railway != "subway" else {
        return nil
      }
      switch railway {
      case "rail", "narrow_gauge": self = .railway(isLocal: false)
      case "subway", "light_rail", "tram": self = .railway(isLocal: true)
      default: return nil
      }
    }

    var kind: MapShape.Kind {
      switch self {
      case .place: .point
      case .coast, .river, .canal, .railway: .line
      case .park, .water: .area
      }
    }

    /// The minimum zoom at which a place's name is drawn.
    private static let zooms: [String: UInt8] = [
      "city": 6, "town": 9, "island": 11, "suburb": 11, "borough": 11, "village": 12, "quarter": 13,
      "neighbourhood": 14, "hamlet": 14,
    ]

    /// Returns the basemap feature of a shape; nil for coasts, and for areas too small to be visible.
    func feature(of shape: MapShape, _ tags: Tags) -> BackdropFeature? {
      func feature(_ layer: BackdropLayer, _ minZoom: UInt8, kind: String = "", _ lines: [[FixedCoordinate]])
        -> BackdropFeature
      {
        BackdropFeature(layer: layer, kind: kind, minZoom: minZoom, name: tags["name"] ?? "", lines: lines)
      }
      switch self {
      case .coast: return nil
      case .place(let rank): return feature(.place, Theme.zooms[rank]!, kind: rank, shape.lines)
      case .river: return feature(.water, 9, shape.lines.map { $0.drawn(from: 12) })
      case .canal: return feature(.water, 12, shape.lines.map { $0.drawn(from: 13) })
      case .railway(let isLocal): return feature(.railway, isLocal ? 13 : 11, shape.lines)
      case .park, .water:
        // Drawn from the zoom at which the feature is about ten pixels wide.
        let squareMetres = shape.lines.map(\.ringArea).max() ?? 0
        guard squareMetres > 400 else { return nil }
        let zoom = UInt8(min(16, max(6, log2(156_543 * 16 / squareMetres.squareRoot()).rounded())))
        let lines = shape.lines.filter { $0.ringArea > squareMetres / 2000 }
        return feature(
          { if case .park = self { .park } else { .water } }(), zoom,
          lines.map { $0.simplified(metres: zoom < 12 ? 8 : 3) })
      }
    }
  }
}

extension [FixedCoordinate] {
  /// The area of a ring in square metres, by the trapezoid rule on a plane.
  fileprivate var ringArea: Double {
    guard count > 3, let first else { return 0 }
    let unit = Coordinate.metresPerDegree / 1e7
    let xScale = cos(first.coordinate.latitude * .pi / 180)
    var doubledArea = 0.0
    for (a, b) in zip(self, dropFirst()) {
      let (ax, ay) = (Double(a.longitude) - Double(first.longitude), Double(a.latitude) - Double(first.latitude))
      let (bx, by) = (Double(b.longitude) - Double(first.longitude), Double(b.latitude) - Double(first.latitude))
      doubledArea += ax * by - bx * ay
    }
    return abs(doubledArea) / 2 * unit * unit * xScale
  }

  /// Returns the line simplified for drawing from zoom `minZoom`. At street level (zoom 12 and above), no point moves
  /// by more than two metres; below, by no more than a third of a pixel at two zoom levels above `minZoom`.
  func drawn(from minZoom: UInt8) -> [FixedCoordinate] {
    simplified(metres: minZoom < 12 ? 156_543 / Double(1 << (Int(minZoom) + 2)) / 3 : 2)
  }

  /// Returns the line simplified to a deviation of `metres` (D. Douglas, T. Peucker 1973).
  fileprivate func simplified(metres: Double) -> [FixedCoordinate] {
    guard count > 2 else { return self }
    let unit = Coordinate.metresPerDegree / 1e7
    let xScale = cos(self[0].coordinate.latitude * .pi / 180)
    let points = map { SIMD2(Double($0.longitude) * unit * xScale, Double($0.latitude) * unit) }
    var isKept = [Bool](repeating: false, count: count)
    (isKept[0], isKept[count - 1]) = (true, true)
    var spans = [(0, count - 1)]
    while let (first, last) = spans.popLast() {
      var (farthest, greatest) = (-1, metres * metres)
      for index in (first + 1)..<Swift.max(first + 1, last) {
        let square = (points[first] - points[index]).nearest(along: points[last] - points[first]).square
        if square > greatest { (farthest, greatest) = (index, square) }
      }
      guard farthest > 0 else { continue }
      isKept[farthest] = true
      spans.append((first, farthest))
      spans.append((farthest, last))
    }
    return indices.lazy.filter { isKept[$0] }.map { self[$0] }
  }
}
