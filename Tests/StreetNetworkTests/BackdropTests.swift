import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

/// Streets as drawn by the basemap under results.
struct BackdropTests {
  private static let odd = #"</script> "O'Hara" \ é 道"#

  @Test func namesAreEscapedForPages() throws {
    let network = try TestMap("a-b-c").way("abc", ["name": BackdropTests.odd]).network()
    #expect(try network.drawn(.street).map(\.name) == [BackdropTests.odd])
    #expect(network.parts().allSatisfy { !$0.features.contains("<") })
  }

  @Test func streetsWithTheSameNameAreOneLine() throws {
    let map = TestMap("a-b-c-d\n  |\n  e").way("ab", ["name": "x"]).way("be").way("bcd", ["name": "x"])
    let streets = try map.network().drawn(.street)
    #expect(streets.map { "\($0.name) \($0.lines.map(\.count))" }.sorted() == ["be [2]", "x [2]"])
  }

  @Test func largerRoadsAreDrawnAtLowerZoom() throws {
    let map = TestMap("a-b-c-d").way("ab", ["highway": "primary"]).way("bc", ["highway": "tertiary"]).way("cd")
    let zooms = try map.network().drawn(.street).map { "\($0.kind) \($0.minZoom)" }
    #expect(zooms == ["primary 8", "tertiary 11", "street 12", "primary 13", "tertiary 13"])
  }

  /// Each bend is 20 m from the straight line.
  @Test func linesAreAccurateAtStreetLevel() throws {
    let map = TestMap("a   c   e\n\n  b   d", spacing: 10).way("abcde", ["highway": "motorway"])
    let streets = try map.network(profile: .stock("automobile")).drawn(.street)
    let levels = streets.map { "\($0.minZoom) \($0.lines[0].count)" }
    #expect(levels == ["5 2", "9 2", "13 5"])
  }

  @Test func omitsWholeClassesThatDoNotFit() throws {
    let map = TestMap("a-b-c-d").way("ab", ["highway": "primary"]).way("bc").way("cd", ["highway": "path"])
    let backdrop = try map.network().backdrop
    let first = backdrop.parts(overlapping: .earth, atMost: 1 << 20).parts[0].features.utf8.count
    let (parts, leftOut) = backdrop.parts(overlapping: .earth, atMost: first)
    #expect(parts.map(\.kind) == ["primary"] && leftOut == ["street", "detail", "path"])
  }

  /// A page contains the finer lines nearest to its centre, and reports that others are left out.
  @Test func includesTheNearestFinerLines() throws {
    let map = TestMap("a-b-c", spacing: 5000).way("ab", ["highway": "primary"]).way("bc", ["highway": "primary"])
    let backdrop = try map.network(profile: .stock("automobile")).backdrop
    let all = backdrop.parts(overlapping: .earth, atMost: 1 << 20).parts
    let wide = BoundingBox(around: [FixedCoordinate(map["a"])]).enlarged(by: 9_000_000)
    let (parts, leftOut) = backdrop.parts(overlapping: wide, atMost: all.reduce(0) { $0 + $1.features.utf8.count } - 1)
    #expect(all.map(\.minZoom) == [8, 13, 13] && parts.map(\.minZoom) == [8, 13] && leftOut == ["detail"])
    #expect(parts[1].box.minLongitude == all.map(\.box.minLongitude).min())
  }

  @Test func endsNearItsStreets() throws {
    let map = TestMap("a-b-c").way("abc")
    let extent = try map.network().backdrop.extent
    #expect(extent.contains(FixedCoordinate(map["a"])) && extent.width < 25_000)
  }

  @Test func includesOnlyFeaturesInTheBox() throws {
    let backdrop = try TestMap("a-b").way("ab").network().backdrop
    let far = BoundingBox(around: [FixedCoordinate(longitude: 900_000_000, latitude: 0)])
    #expect(backdrop.parts(overlapping: far, atMost: 1 << 20).parts.isEmpty)
  }

  @Test func isTheSameForAnyNumberOfWorkers() throws {
    let (one, four) = (try TestMap.grid.network(workers: 1), try TestMap.grid.network(workers: 4))
    #expect(one.parts().map(\.features) == four.parts().map(\.features))
  }
}

/// A feature as read by a page.
struct DrawnFeature {
  var kind: String
  var minZoom: Int
  var name: String
  var lines: [[FixedCoordinate]]
}

extension BoundingBox {
  static let earth = BoundingBox(
    minLongitude: -1_800_000_000, minLatitude: -900_000_000, maxLongitude: 1_800_000_000, maxLatitude: 900_000_000)
}

extension StreetNetwork {
  func parts() -> [Backdrop.Part] { backdrop.parts(overlapping: .earth, atMost: 1 << 30).parts }

  func drawn(_ layer: BackdropLayer) throws -> [DrawnFeature] {
    try parts().filter { $0.layer == layer }.flatMap { part in
      let texts = try JSONDecoder().decode([String].self, from: Data("[\(part.features)]".utf8))
      return stride(from: 0, to: texts.count, by: 2).map {
        DrawnFeature(
          kind: part.kind, minZoom: part.minZoom, name: texts[$0], lines: EncodedPolyline.lines(of: texts[$0 + 1]))
      }
    }
  }
}
