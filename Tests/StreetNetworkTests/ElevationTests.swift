import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Streets with known elevation.
struct ElevationTests {
  private static let origin = Coordinate(latitude: 0.5, longitude: 0.5)

  /// Returns a kilometre of street from west to east, within the elevation tile.
  private func street(_ tags: [String: String] = [:]) -> TestMap {
    TestMap("a-b-c-d-e-f-g-h-i-j-k", at: ElevationTests.origin).way("abcdefghijk", tags).snapLegs(false)
  }

  /// Returns the route from west to east, or back, with the elevation of the tiles.
  private func route(
    _ map: TestMap, _ from: Character = "a", _ to: Character = "k", by profile: String = "walking", on path: String
  ) throws -> Route {
    try map.route(from, to, profile: .stock(profile).on(Elevation(path: path)))
  }

  private func withTile<R>(_ height: (Int, Int) -> Int16, _ body: (Scratch, String) throws -> R) throws -> R {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try HeightTile.write(to: scratch, height)
    return try body(scratch, scratch.path("N00E000.hgt"))
  }

  /// Returns Tobler's walking speed on a slope, relative to flat ground.
  private func factor(_ slope: Double) -> Double { exp(-3.5 * abs(slope + 0.05)) / exp(-3.5 * 0.05) }

  @Test(arguments: [1, 5, 12]) func aSlopeIsWalkedUpAndDown(rise: Int) throws {
    try withTile({ column, _ in Int16(column * rise) }) { _, path in
      let slope = Double(rise) / HeightTile.spacing
      let (up, down) = (try route(street(), on: path), try route(street(), "k", "a", on: path))
      let flat = try street().route("a", "k")
      #expect(abs(up.expectedTravelTime - flat.expectedTravelTime / factor(slope)) < 0.1)
      #expect(abs(down.expectedTravelTime - flat.expectedTravelTime / factor(-slope)) < 0.1)
      #expect(up.distance == flat.distance)
      #expect(abs(up.ascent! - 1000 * slope) < 0.1 && up.descent == 0)
      #expect(down.descent == up.ascent && down.ascent == 0)
      #expect(flat.ascent == nil && flat.descent == nil)
    }
  }

  @Test func stepClimbsAddUpToTheRoutes() throws {
    try withTile({ column, row in Int16(column * 3 + row * 7) }) { _, path in
      let map = TestMap("a-b-c\n  |\n  d-f-e", at: ElevationTests.origin).way("abc").way("bd").way("dfe").snapLegs(
        false)
      let route = try route(map, "a", "e", on: path)
      #expect(route.steps.count > 2)
      #expect(isClose(route.steps.reduce(0) { $0 + $1.ascent! }, route.ascent!))
      #expect(isClose(route.steps.reduce(0) { $0 + $1.descent! }, route.descent!))
      #expect(route.ascent! > 0)
    }
  }

  @Test func halfAStreetHasHalfTheAscent() throws {
    try withTile({ column, _ in Int16(column * 6) }) { _, path in
      let map = TestMap("a-b-1-c-d", at: ElevationTests.origin).way("ad", ["name": "ad"]).snapLegs(false)
      let (whole, half) = (try route(map, "a", "d", on: path), try route(map, "a", "1", on: path))
      #expect(isClose(half.ascent! * 2, whole.ascent!))
      #expect(half.heights.count == half.polyline.count && whole.heights.count == whole.polyline.count)
      #expect(abs(half.heights.last! - (whole.heights[0] + whole.heights.last!) / 2) <= 1)
      #expect(isClose(half.expectedTravelTime * 2, whole.expectedTravelTime))
    }
  }

  /// The street descends to its middle between two of its points on the map, and climbs again.
  @Test func aPartOfAStreetHasItsOwnClimb() throws {
    try withTile({ column, _ in Int16(abs(column - 605) * 10) }) { _, path in
      let map = TestMap("a-1-c-d-2-f-g-h-i-3-k", at: ElevationTests.origin).way("ak").snapLegs(false)
      let (down, both) = (try route(map, "1", "2", on: path), try route(map, "1", "3", on: path))
      #expect(down.ascent == 0 && abs(down.descent! - 300 * 10 / HeightTile.spacing) < 0.5)
      #expect(both.ascent! > 30 && both.descent! > 30)
      for route in [down, both] {
        #expect(abs(route.ascent! - route.descent! - Double(route.heights.last! - route.heights[0]) / 100) < 0.001)
      }
    }
  }

  /// The street crosses a valley between two of its points on the map, without a bridge.
  @Test func elevationBetweenThePointsOfAStreetCounts() throws {
    try withTile({ column, _ in Int16(abs(column - 605) * 10) }) { _, path in
      let map = TestMap("a-b-c-d-e-f-g-h-i-j-k", at: ElevationTests.origin).way("ak", ["name": "ak"]).snapLegs(false)
      let route = try route(map, on: path)
      #expect(route.ascent! > 30 && route.descent! > 30)
    }
  }

  /// Bridges and tunnels cross the same valley; both of their ends have the same elevation.
  @Test(arguments: [["bridge": "yes"], ["tunnel": "yes"], ["bridge": "viaduct"]])
  func bridgesAndTunnelsAreLevel(tags: [String: String]) throws {
    try withTile({ column, _ in Int16(abs(column - 605) * 10) }) { _, path in
      func climb(_ tags: [String: String]) throws -> Double {
        // The bridge consists of two ways, and stairs lead up to the point where they meet.
        let map = TestMap("a-b-c-d-e-f-g-h-i-j-k\n          l", at: ElevationTests.origin).way("abcdef", tags)
          .way("fghijk", tags).way("fl", ["highway": "steps"]).snapLegs(false)
        return try route(map, on: path).ascent!
      }
      let climbs = (try climb([:]), try climb(tags), try climb(["tunnel": "building_passage"]))
      #expect(climbs.0 > 40 && climbs.1 < 8 && climbs.2 > 40)
    }
  }

  /// A road and a footway on the same bridge, which share both of its ends.
  @Test func bothWaysOfABridgeAreLevel() throws {
    try withTile({ column, _ in Int16(abs(column - 605) * 10) }) { _, path in
      let map = TestMap("a-b-c-d-e-f-g-h-i-j-k\n  l-----------------m", at: ElevationTests.origin)
        .way("ab").way("bcdefghij", ["bridge": "yes"]).way("blmj", ["bridge": "yes", "highway": "footway"]).way("jk")
        .snapLegs(false)
      let route = try route(map, on: path)
      #expect(route.ascent! < 20)
    }
  }

  @Test func levelGroundChangesNothing() throws {
    try withTile({ _, _ in 100 }) { _, path in
      for profile in ["walking", "cycling", "automobile"] {
        let (ground, none) = (
          try route(street(), by: profile, on: path), try street().route("a", "k", profile: .stock(profile))
        )
        #expect(ground.expectedTravelTime == none.expectedTravelTime && ground.ascent == 0)
      }
    }
  }

  @Test func ascentDoesNotSlowCars() throws {
    try withTile({ column, _ in Int16(column * 5) }) { _, path in
      let car = try route(street(), by: "automobile", on: path)
      #expect(try car.expectedTravelTime == street().route("a", "k", by: .automobile).expectedTravelTime)
      #expect(car.ascent! > 50)
    }
  }

  @Test func elevationsOverrideTaggedSlopes() throws {
    try withTile({ _, _ in 7 }) { _, path in
      let steep = try route(street(["incline": "20%"]), on: path)
      #expect(try steep.expectedTravelTime == street().route("a", "k").expectedTravelTime)
    }
  }

  @Test func missingElevationsAreLevel() throws {
    try withTile({ column, _ in column < 605 ? Int16(column * 5) : .min }) { _, path in
      let route = try route(street(), on: path)
      #expect(route.ascent! > 15 && route.ascent! < 25)
      let elsewhere = TestMap("a-b-c", at: Coordinate(latitude: 3, longitude: 3)).way("abc")
      let error = #expect(throws: (any Error).self) { try self.route(elsewhere, "a", "c", on: path) }
      #expect("\(error!)" == "\(path): elevation: the DEM covers no street of the map; is it for another area?")
    }
  }

  @Test func tilesMeetAtTheDegree() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try HeightTile.write(to: scratch) { column, _ in Int16(column * 5) }
    try HeightTile.write(to: scratch, named: "N00E001.hgt") { column, _ in Int16(6000 + column * 5) }
    let map = TestMap("a-b-c-d-e-f-g-h-i-j-k", at: Coordinate(latitude: 0.5, longitude: 0.995)).way("abcdefghijk")
      .snapLegs(false)
    #expect(try abs(route(map, on: scratch.folder).ascent! - 1000 * 5 / HeightTile.spacing) < 0.1)
  }

  @Test func differentElevationsMakeADifferentNetwork() throws {
    let walking = try Profile.stock("walking")
    let digests = try [1, 2].map { rise in
      try withTile({ column, _ in Int16(column * rise) }) { _, path in try walking.on(Elevation(path: path)).bytes }
    }
    #expect(digests[0] != digests[1] && !digests.contains(walking.bytes))
  }

  // MARK: Other rasters

  private static let hasGDAL = FileManager.default.fileExists(atPath: "/usr/bin/gdal_translate")

  /// The same slope in another format, and with other coordinates.
  @Test(
    .enabled(if: hasGDAL, "gdal_translate is not installed"),
    arguments: [
      ["gdal_translate", "-q", "N00E000.hgt", "a.tif"],
      ["gdal_translate", "-q", "-ot", "Float32", "-projwin", "0.4", "0.6", "0.6", "0.4", "N00E000.hgt", "a.asc"],
      [
        "gdalwarp", "-q", "-t_srs", "EPSG:3857", "-te", "50000", "50000", "60000", "60000", "-tr", "50", "50", "-r",
        "bilinear",
        "N00E000.hgt", "a.tif",
      ],
    ])
  func gdalReadsTheSameElevations(command: [String]) throws {
    try withTile({ column, _ in Int16(column * 5) }) { scratch, path in
      let made = try Run("/usr/bin/\(command[0])", Array(command.dropFirst()), in: scratch.folder)
      #expect(made.status == 0, "\(made.error)")
      let (own, other) = (try route(street(), on: path), try route(street(), on: scratch.path(command.last!)))
      #expect(abs(own.ascent! - other.ascent!) < 0.2)
      #expect(abs(own.expectedTravelTime - other.expectedTravelTime) < 1)
    }
  }

  @Test(.enabled(if: hasGDAL, "gdal_translate is not installed")) func tilesOfAFolderAreOneRaster() throws {
    try withTile({ column, _ in Int16(column * 5) }) { scratch, path in
      try FileManager.default.createDirectory(atPath: scratch.path("tiles"), withIntermediateDirectories: true)
      // The tiles meet in the middle of the street.
      for (name, west, east) in [("w", "0.4", "0.50416666666"), ("e", "0.50416666666", "0.6")] {
        let window = ["-projwin", west, "0.6", east, "0.4"]
        let made = try Run(
          "/usr/bin/gdal_translate", ["-q"] + window + ["N00E000.hgt", "tiles/\(name).tif"], in: scratch.folder)
        #expect(made.status == 0, "\(made.error)")
      }
      let (own, tiles) = (try route(street(), on: path), try route(street(), on: scratch.path("tiles")))
      #expect(abs(own.ascent! - tiles.ascent!) < 0.5)
    }
  }

  private func run(_ words: String..., in scratch: Scratch) throws {
    let made = try Run("/usr/bin/\(words[0])", Array(words.dropFirst()), in: scratch.folder)
    #expect(made.status == 0, "\(made.error)")
  }

  /// Two tiles with values in feet, which meet in the middle of the street.
  @Test(.enabled(if: hasGDAL, "gdal_translate is not installed")) func feetAreConvertedToMetres() throws {
    try withTile({ column, _ in Int16(column * 5) }) { scratch, path in
      try FileManager.default.createDirectory(atPath: scratch.path("feet"), withIntermediateDirectories: true)
      try run("gdal_translate", "-q", "-ot", "Float32", "N00E000.hgt", "all.tif", in: scratch)
      for (name, west, east) in [("w", "0.4", "0.50416666666"), ("e", "0.50416666666", "0.6")] {
        try run(
          "gdal_translate", "-q", "-projwin", west, "0.6", east, "0.4", "-scale", "0", "3048", "0", "10000",
          "all.tif", "feet/\(name).tif", in: scratch)
        try run("gdal_edit.py", "-units", "US survey foot", "feet/\(name).tif", in: scratch)
      }
      let (metres, feet) = (try route(street(), on: path), try route(street(), on: scratch.path("feet")))
      #expect(abs(metres.ascent! - feet.ascent!) < 0.5)
      try run("gdal_edit.py", "-units", "fathom", "feet/w.tif", in: scratch)
      #expect(throws: OdometerError.self) { try route(street(), on: scratch.path("feet")) }
    }
  }

  @Test(.enabled(if: hasGDAL, "gdal_translate is not installed")) func tilesInTwoProjectionsAreRefused() throws {
    try withTile({ column, _ in Int16(column * 5) }) { scratch, _ in
      try FileManager.default.createDirectory(atPath: scratch.path("tiles"), withIntermediateDirectories: true)
      try run(
        "gdal_translate", "-q", "-projwin", "0.4", "0.6", "0.504", "0.4", "N00E000.hgt", "tiles/w.tif", in: scratch)
      try run(
        "gdalwarp", "-q", "-t_srs", "EPSG:3857", "-te", "56000", "50000", "60000", "60000", "-tr", "50", "50",
        "N00E000.hgt", "tiles/e.tif", in: scratch)
      #expect(throws: OdometerError.self) { try route(street(), on: scratch.path("tiles")) }
    }
  }

  /// Files often mark missing elevations with such a depth without declaring it.
  @Test(arguments: [Int16.min, -9999]) func impossibleDepthsAreMissingElevations(none: Int16) throws {
    try withTile({ column, _ in column > 605 ? none : Int16(100) }) { _, path in
      let route = try route(street(), on: path)
      #expect(route.descent! < 1)
    }
  }

  @Test(arguments: [
    ("none.tif", "", "elevation: there is no such file or folder"),
    (
      "heights.hgt", "123456", "elevation: the file name does not state a position, expected a name such as N49E008.hgt"
    ),
    ("N00E000.hgt", "123", "elevation: 3 bytes are not a square grid of elevations"),
    ("a.tif", "This is no raster.", "elevation: "),
    ("folder/readme.txt", "x", "elevation: there is no raster in this folder"),
  ])
  func refusesFilesThatAreNotRasters(name: String, content: String, sentence: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("folder"), withIntermediateDirectories: true)
    if !content.isEmpty { try scratch.write(content, to: name) }
    let path = scratch.path(name.hasPrefix("folder") ? "folder" : name)
    let error = #expect(throws: (any Error).self) { try route(street(), on: path) }
    #expect("\(error!)".hasPrefix("\(path): \(sentence)"), "\(error!)")
  }
}
