import Settings
import Testing

struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("same", "same", 0), ("kitten", "sitting", 3), ("form", "from", 1),
    ("ab", "ba", 1), ("flaw", "lawn", 2), ("ca", "abc", 3), ("größe", "grosse", 3),
  ])
  func countsEdits(a: String, b: String, distance: Int) {
    #expect(Suggestion.distance(a, b) == distance)
    #expect(Suggestion.distance(b, a) == distance)
  }

  @Test(arguments: [
    ("snaplimit", "snapLimit"), ("output", "output"), ("threshold", "thresholds"), ("nearst", "nearest"),
    ("ouptut", "output"), ("thr", "thresholds"), ("snap", nil), ("th", nil), ("zebra", nil), ("x", nil), ("", nil),
  ])
  func suggestsTheNearestWord(word: String, expected: String?) {
    let words = ["nearest", "output", "snapLegs", "snapLimit", "thresholds"]
    #expect(Suggestion.nearest(to: word, of: words) == expected)
  }

  @Test(arguments: [("car", "automobile"), ("bike", "cycling"), ("Foot", "walking"), ("plane", nil)])
  func recognizesSynonymsOfTransportTypes(word: String, expected: String?) {
    let ways = ["automobile", "cycling", "walking"]
    #expect(Suggestion.nearest(to: word, of: ways) == expected)
    #expect(Suggestion.nearest(to: word, of: ["run", "route"]) == nil)
  }

  @Test func asksWhetherTheNearestWordWasIntended() {
    #expect(Suggestion.question("rn", of: ["run", "route"]) == "; did you mean run?")
    #expect(Suggestion.question("fly", of: ["run", "route"]) == "")
  }
}
