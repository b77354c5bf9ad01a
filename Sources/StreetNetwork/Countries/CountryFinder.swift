import Foundation
import Geography
import Settings

/// Finds the country of a point: by the boundaries in the map, otherwise by the table's outlines, otherwise by the
/// nearest outline within 100 km, since coasts are simplified.
///
/// Most cells (0.01 degrees, about one kilometre, wide) are crossed by no border; their country is looked up only once.
struct CountryFinder {
  /// The territories of the map, then the territories of the table, each sorted by ascending area.
  private let territories: [Territory]
  /// The cells that a border may cross.
  private let crossed: Set<SIMD2<Int32>>
  /// Whether every cell may be crossed, since an edge has too many cells.
  private let isCrossedEverywhere: Bool
  /// The maximum number of cells in the bounding box of an edge, as in a square of five degrees.
  private static let maximumCells = 250_000
  /// The localities of cells that no border crosses.
  private var localities: [SIMD2<Int32>: Locality] = [:]

  /// Creates a finder for points in `box`.
  init(_ mapped: [Territory], table: CountryTable, box: BoundingBox) {
    let reach = box.enlarged(by: 10_000_000)
    territories =
      mapped.sorted { $0.outline.area < $1.outline.area }
      + table.territories.filter { $0.outline.boxes.contains { $0.intersects(reach) } }
    var crossed: Set<SIMD2<Int32>> = []
    var isEverywhere = false
    for territory in territories {
      territory.outline.forEachEdge(in: box) { edge in
        let first = CountryFinder.cell(FixedCoordinate(longitude: edge.minLongitude, latitude: edge.minLatitude))
        let last = CountryFinder.cell(FixedCoordinate(longitude: edge.maxLongitude, latitude: edge.maxLatitude))
        let (columns, rows) = (first.x...last.x, first.y...last.y)
        // An edge with such a large bounding box is malicious or crosses a desert; every point is then looked up
        // separately.
        if columns.count * rows.count > CountryFinder.maximumCells {
          isEverywhere = true
        } else {
          for x in columns { for y in rows { crossed.insert(SIMD2(x, y)) } }
        }
      }
    }
    (self.crossed, self.isCrossedEverywhere) = (crossed, isEverywhere)
  }

  /// Returns the country at a point and its driving side, if known.
  mutating func locality(at point: FixedCoordinate) -> Locality {
    let cell = CountryFinder.cell(point)
    if let known = localities[cell] { return known }
    let locality = found(at: point)
    if !isCrossedEverywhere && !crossed.contains(cell) { localities[cell] = locality }
    return locality
  }

  /// Returns the cell of a point, 0.01 degrees wide.
  private static func cell(_ point: FixedCoordinate) -> SIMD2<Int32> {
    func index(_ degrees: Int32) -> Int32 { Int32((Double(degrees) / 100_000).rounded(.down)) }
    return SIMD2(index(point.longitude), index(point.latitude))
  }

  private func found(at point: FixedCoordinate) -> Locality {
    var locality = Locality()
    for territory in territories where territory.outline.contains(point) {
      locality.drivesOnLeft = locality.drivesOnLeft ?? territory.drivesOnLeft ?? territory.country?.drivesOnLeft
      locality.country = locality.country ?? territory.country
      if locality.country != nil { return locality }
    }
    var nearestDistance = 100_000.0
    for territory in territories {
      guard let country = territory.country else { continue }
      let distance = territory.outline.distance(to: point)
      if distance < nearestDistance { (nearestDistance, locality.country) = (distance, country) }
    }
    locality.drivesOnLeft = locality.drivesOnLeft ?? locality.country?.drivesOnLeft
    return locality
  }
}

extension Outline {
  /// Calls `body` with the box of each edge, clipped to `box`.
  fileprivate func forEachEdge(in box: BoundingBox, _ body: (BoundingBox) -> Void) {
    for ring in rings {
      guard var last = ring.last else { continue }
      for next in ring {
        let edge = BoundingBox(around: [last, next])
        if edge.intersects(box) { body(edge.clipped(to: box)) }
        last = next
      }
    }
  }
}

extension BoundingBox {
  fileprivate func clipped(to other: BoundingBox) -> BoundingBox {
    BoundingBox(
      minLongitude: max(minLongitude, other.minLongitude), minLatitude: max(minLatitude, other.minLatitude),
      maxLongitude: min(maxLongitude, other.maxLongitude), maxLatitude: min(maxLatitude, other.maxLatitude))
  }
}

/// The countries of the world, their rules and their outlines: `data/countries`.
struct CountryTable: Sendable {
  private let countries: [String: Country]
  /// Sorted by ascending area: where simplified outlines overlap, the smaller country is the right one.
  let territories: [Territory]

  /// The built-in table, read on first use.
  static let stock: CountryTable = {
    do {
      return try CountryTable(
        rules: SettingsFile(embedded: "data/countries/rules.json5"),
        outlines: SettingsFile(embedded: "data/countries/outlines.json5"))
    } catch { preconditionFailure("the table of countries cannot be read: \(error)") }
  }()

  init(rules: SettingsFile, outlines: SettingsFile) throws {
    let rules = rules.root
    countries = try Dictionary(uniqueKeysWithValues: rules.keys.map { ($0, try Country(rules.object($0), code: $0)) })
    let file = outlines.root
    let known = countries
    territories = try file.keys.map { code in
      guard let country = known[code] else { throw file.error(code, "this country has no rules") }
      return Territory(outline: Outline(encoded: try file.strings(code)), country: country)
    }.sorted { $0.outline.area < $1.outline.area }
  }

  /// The country for a code used in tags, such as `PT`. `UK` means `GB`, and a state's code, such as `US-CA`, means its
  /// country.
  subscript(code: some StringProtocol) -> Country? {
    let country = code.prefix { $0 != "-" }.uppercased()
    return countries[country == "UK" ? "GB" : country]
  }
}

/// A country's traffic rules that are relevant to routing.
final class Country: Sendable {
  /// The ISO 3166 code: "PT".
  let code: String
  let drivesOnLeft: Bool
  /// Whether pedestrians may use cycleways; nil if unknown.
  let allowsFootOnCycleways: Bool?
  /// Statutory speeds in metres per second: `urban`, `rural`, `motorway`, …
  let speeds: [String: Double]
  /// Whether numbers in zone codes are miles per hour: `GB:zone20`.
  var usesMilesPerHour: Bool { ["GB", "GG", "IM", "JE", "US"].contains(code) }
  /// The highest speed on any sign, in metres per second.
  let highestSpeed: Double

  init(_ settings: SettingsObject, code: String) throws {
    self.code = code
    drivesOnLeft = try settings.choice("side", of: ["left", "right"]) == "left"
    allowsFootOnCycleways = settings.has("foot") ? try settings.choice("foot", of: ["yes", "no"]) == "yes" : nil
    let names = settings.keys.filter { !["side", "foot", "highest"].contains($0) }
    speeds = try Dictionary(uniqueKeysWithValues: names.map { ($0, try settings.speed($0)) })
    highestSpeed =
      settings.has("highest") ? try settings.speed("highest") : max((speeds.values.max() ?? 0) * 1.125, 120 / 3.6)
    try settings.finish()
  }
}

/// An area with the rules of one country, or with one driving side.
struct Territory: Sendable {
  var outline: Outline
  var country: Country?
  /// The driving side, if the map states it for the area.
  var drivesOnLeft: Bool?
}
