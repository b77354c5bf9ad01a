import Testing

struct CSVReaderTests {
  private func rows(_ text: String) -> [CSVReader.Row] { Array(CSVReader(Array(text.utf8))) }

  @Test(arguments: [",", ";", "\t"])
  func findsTheSeparatorInTheHeader(separator: String) {
    let text = ["a,b,c", "1,2,3"].map { $0.replacingOccurrences(of: ",", with: separator) }.joined(separator: "\n")
    #expect(rows(text).map(\.fields) == [["a", "b", "c"], ["1", "2", "3"]])
  }

  @Test func readsSeparatorsQuotesAndLineEndsInQuotedFields() {
    let rows = rows("id,name\n1,\"Smith, \"\"J\"\"\nJr\"\n2,x")
    #expect(rows.map(\.fields) == [["id", "name"], ["1", "Smith, \"J\"\nJr"], ["2", "x"]])
    #expect(rows.map(\.line) == [1, 2, 4])
    #expect(rows[1].text == "1,\"Smith, \"\"J\"\"\nJr\"")
  }

  @Test func readsLineEndsOfAnyKindAndSkipsEmptyLines() {
    #expect(rows("a,b\r\n\r\n1,2\r\n\n").map(\.fields) == [["a", "b"], ["1", "2"]])
    #expect(rows("a,b\n1,").map(\.fields) == [["a", "b"], ["1", ""]])
  }

  @Test func trimsSpacesAroundFields() {
    #expect(rows("a, b \n 1 ,2").map(\.fields) == [["a", "b"], ["1", "2"]])
    #expect(rows("a, \"b\" \n 1 , \"2, 3\"").map(\.fields) == [["a", "b"], ["1", "2, 3"]])
  }
}
