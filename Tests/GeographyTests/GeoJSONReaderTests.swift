import Geography
import Testing

struct GeoJSONReaderTests {
  private func items(_ text: String) -> [GeoJSONReader.Item]? {
    GeoJSONReader(Array(text.utf8)).map { Array($0) }
  }

  @Test func reportsTheLineOfEachFeature() throws {
    let found = try #require(
      items(
        """
        {"type": "FeatureCollection", "name": "x", "features": [
          {"type": "Feature", "id": 7, "properties": {"a": "}", "n": 3, "none": null},
           "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4, 5]]}},

          {"type": "Feature", "properties": null, "geometry": {"type": "Point", "coordinates": [1, 2]}}
        ]}
        """))
    #expect(found.map(\.line) == [2, 5])
    #expect(found[0].feature?.positions == [[1, 2], [3, 4, 5]])
    #expect(found[0].feature?.id == "7")
    #expect(found[0].feature?.properties == ["a": "}", "n": "3"])
    #expect(found[1].feature?.geometry == "Point")
  }

  @Test func rejectsABadFeatureAlone() throws {
    let found = try #require(
      items(
        #"{"type":"FeatureCollection","features":[{"type":"Feature"},{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}},{"x""#
      ))
    #expect(found.map { $0.feature != nil } == [false, true, false])
  }

  @Test func readsASingleFeature() {
    #expect(items(#"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}"#)?.count == 1)
  }

  @Test func rejectsOtherJSON() { #expect(items(#"{"a": 1}"#) == nil) }
}
