import Foundation
import Geography
import TestMaps
import Testing

/// Elevation data, from the job to its page.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct ElevationCommandTests {
  /// Creates a scratch folder with a map, an elevation tile that rises to the east, and a pair from west to east.
  private func scratch() throws -> Scratch {
    let map = TestMap("a-b-c-d-e", at: Coordinate(latitude: 0.5, longitude: 0.5)).way("abc").way("cde")
    let scratch = try Scratch()
    try HeightTile.write(to: scratch) { column, _ in Int16(column * 5) }
    try scratch.write(map.opl, to: "map.opl")
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n1,0.5,0.5,\(map["e"].longitude),0.5\n", to: "pairs.csv")
    return scratch
  }

  private static let job = "kind: 'routes', transportType: 'walking', pairs: 'pairs.csv', verify: 1"

  private func run(_ scratch: Scratch, _ keys: String) throws -> Run {
    try scratch.write("{ \(ElevationCommandTests.job), \(keys) }", to: "job.json5")
    return try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
  }

  @Test func pageShowsTheElevationProfileOfARoute() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try run(scratch, "map: 'map.opl', elevation: 'N00E000.hgt', output: 'out'")
    #expect(run.status == 0, "\(run.error)")
    let page = scratch.text("out/report.html")
    #expect(page.contains("\"heights\":[3000,") && page.contains("\"ascent\":21.6,\"descent\":0"))
    let alone = try Run(odometer: "report", "out", "--pair", "1", "--output", "pair.html", in: scratch.folder)
    #expect(alone.status == 0 && scratch.text("pair.html").contains("\"heights\":[3000,"), "\(alone.error)")
  }

  @Test func networkFilesKeepElevations() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let build = try Run(
      odometer: "network", "build", "map.opl", "--elevation", "N00E000.hgt", "--output", "my.network",
      in: scratch.folder)
    #expect(build.status == 0, "\(build.error)")
    let info = try Run(odometer: "network", "info", "my.network", in: scratch.folder).output
    #expect(info.contains("heights                 3000 to 3021 m, known for 6 of 6 points\n"), "\(info)")
    #expect(try run(scratch, "map: 'map.opl', elevation: 'N00E000.hgt', output: 'extract'").status == 0)
    // The network contains the elevation.
    unlink(scratch.path("N00E000.hgt"))
    let file = try run(scratch, "map: 'my.network', output: 'file'")
    #expect(file.status == 0, "\(file.error)")
    #expect(scratch.bytes("file/routes.geojson.gz") == scratch.bytes("extract/routes.geojson.gz"))
    let both = try run(scratch, "map: 'my.network', elevation: 'N00E000.hgt', output: 'both'")
    #expect(both.status == 2 && both.error.contains("elevation: the map my.network is a network file"), "\(both.error)")
  }

  /// Files that make GDAL contact a server, whatever their extension.
  @Test(arguments: ["a.tif", "a.vrt", "tiles/a.tif"], [true, false])
  func rastersAreNeverDownloaded(name: String, isVRT: Bool) throws {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    var address = sockaddr_in()
    (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(server, $0, size) == 0 && listen(server, 8) == 0 && getsockname(server, $0, &size) == 0)
      }
    }
    let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/x.tif"
    let (vrt, wcs) = (
      """
      <VRTDataset rasterXSize="4" rasterYSize="4"><SRS>EPSG:4326</SRS><GeoTransform>0,0.25,0,1,0,-0.25</GeoTransform>
      <VRTRasterBand dataType="Int16" band="1"><SimpleSource><SourceFilename>/vsicurl/\(url)</SourceFilename>
      <SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>
      """, "<WCS_GDAL><ServiceURL>\(url)?</ServiceURL><CoverageName>a</CoverageName></WCS_GDAL>"
    )
    let scratch = try scratch()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("tiles"), withIntermediateDirectories: false)
    try scratch.write(isVRT ? vrt : wcs, to: name)
    let run = try Run(
      "/usr/bin/timeout",
      ["20", Project.binary, "network", "build", "map.opl", "--by", "walking", "--elevation"]
        + [name.hasPrefix("tiles") ? "tiles" : name], in: scratch.folder)
    #expect(run.status == 3 && run.error.contains("elevation: "), "\(run)")
    #expect(fcntl(server, F_SETFL, O_NONBLOCK) == 0 && accept(server, nil, nil) == -1 && errno == EAGAIN)
  }

  @Test func aSingleRouteReportsItsAscent() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let words = ["route", "0.5,0.5", "0.5,0.50359", "--map", "map.opl", "--elevation", "N00E000.hgt", "--pace", "3"]
    let text = try Run(Project.binary, words, in: scratch.folder)
    #expect(
      text.output.hasPrefix("via abc and cde: 399 m, ") && text.output.contains(", 22 m up, 0 m down\n"),
      "\(text.output)")
    let json = try Run(Project.binary, words + ["--format", "json"], in: scratch.folder).output
    #expect(json.contains("\"ascent\":21.54,\"descent\":0,"), "\(json)")
  }

  @Test func aGDALThatLacksAFunctionIsNotMissing() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    for name in ["gdal.c", "a.tif"] { try scratch.write("", to: name) }
    try Run("/usr/bin/env", ["clang", "-shared", "-o", "libgdal.so", "gdal.c"], in: scratch.folder)
    let run = try Run(
      Project.binary, ["network", "build", "map.opl", "--by", "walking", "--elevation", "a.tif"], in: scratch.folder,
      environment: ["LD_LIBRARY_PATH": scratch.folder])
    #expect(
      run.status == 3 && run.error.contains("a.tif: elevation: the installed GDAL lacks GDALAllRegister"), "\(run)")
  }

  @Test func missingElevationFilesAreNamed() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try run(scratch, "map: 'map.opl', elevation: 'S01E000.hgt', output: 'out'")
    #expect(run.status != 0 && run.error.contains("S01E000.hgt: elevation: there is no such file or folder"))
  }
}
