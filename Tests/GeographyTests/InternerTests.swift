import Geography
import Testing

struct InternerTests {
  @Test func indexesValuesInOrderOfFirstAppearance() {
    var streets = Interner<String>()
    #expect(["b", "a", "b", "c", "a"].map { streets.index(of: $0) } == [0, 1, 0, 2, 1])
    #expect(streets.values == ["b", "a", "c"])
    #expect(streets.count == 3 && streets[2] == "c")
  }

  @Test func startsWithTheGivenValues() {
    var names = Interner([""])
    #expect(names.index(of: "a") == 1)
    #expect(names.index(of: "") == 0)
  }
}
