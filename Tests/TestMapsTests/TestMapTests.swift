import Geography
import TestMaps
import Testing

/// Tests of `TestMap` itself.
struct TestMapTests {
  private let map = TestMap(
    """
    a-b 1
      |
      c
    """
  ).way("abc", ["name": "Kääpä, 1"]).node("b", ["barrier": "gate"])

  @Test func twoColumnsOrOneLineAre100Metres() {
    #expect(abs(map["a"].distance(to: map["b"]) - 100) < 0.001)
    #expect(abs(map["b"].distance(to: map["c"]) - 200) < 0.001)
    #expect(abs(map["b"].distance(to: map["1"]) - 100) < 0.001)
  }

  @Test func libosmiumReadsItsText() throws {
    #expect(map.opl.contains("Tbarrier=gate"))
    #expect(map.opl.contains("name=Kääpä%2c%%20%1"))
    #expect(try map.route("a", "c").streets == "Kääpä, 1")
  }

  @Test func digitsArePlacesNotNodes() { #expect(!map.opl.contains("n4")) }
}
