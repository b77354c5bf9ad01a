import Foundation
import Input
import Jobs
import Tables
import TestMaps
import Testing

/// Ids that occur twice.
struct DuplicateTests {
  private static let header = "id,fx,fy,tx,ty\n"

  private func pairs(_ ids: [String], _ rule: DuplicateRule = .reject) throws -> PairTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let rows = ids.map { "\($0),1,1,2,2\n" }.joined()
    let path = try scratch.write(DuplicateTests.header + rows, to: "pairs.csv")
    return try PairTable(path: path, area: .earth, transportType: .walking, duplicates: rule)
  }

  private func places(_ text: String, _ rule: DuplicateRule = .reject) throws -> PlaceTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try PlaceTable(path: scratch.write(text, to: "places"), role: .origin, duplicates: rule)
  }

  @Test func rejectsDuplicatePairsWithBothLines() throws {
    let table = try pairs(["a", "b", "a", "c", "a"])
    #expect(table.pairs.map(\.id) == [.text("a"), .text("b"), .text("c")])
    #expect(table.rejected.map(\.line) == [4, 6])
    #expect(table.rejected.first?.reason.hasPrefix("the id a is already used by line 2; ") == true)
  }

  @Test func numbersPairsOnRequest() throws {
    let table = try pairs(["a", "b", "a", "a", "a#4", "a"], .number)
    #expect(table.pairs.map { "\($0.id)" } == ["a", "b", "a#2", "a#3", "a#4", "a#5"])
    #expect(table.rejected.isEmpty)
  }

  @Test func generatedIdsAreUnique() throws {
    let table = try pairs(["a", "a", "a#2", "a"], .number)
    #expect(table.pairs.map { "\($0.id)" } == ["a", "a#2", "a#3"])
    #expect(
      table.rejected.map(\.reason) == [
        "the id a#2 was generated for line 3, a duplicate; expected an id that differs from generated ones"
      ])
  }

  @Test(arguments: [
    (["1", "2", "5"], 0), (["1", "5", "2", "5"], 1), (["5", "4", "3", "4", "5"], 2), (["x", "1", "x"], 1),
  ])
  func findsDuplicatesOfNumbersInAnyOrder(ids: [String], count: Int) throws {
    #expect(try pairs(ids).rejected.count == count)
  }

  @Test func findsTheDuplicatesOfManyIDs() throws {
    let ids = (0..<3000).map { "p\($0 * 7 % 2000)" }
    let table = try pairs(ids)
    #expect(table.pairs.count == 2000 && Set(table.pairs.map(\.id)).count == 2000)
    #expect(table.rejected.allSatisfy { $0.reason.contains("line \($0.line - 2000);") })
  }

  @Test func idOfARejectedRowMayBeUsedAgain() throws {
    let table = try places("id,lon,lat\na,500,1\na,1,1\n")
    #expect(table.places.map(\.line) == [3])
    #expect(table.rejected.map(\.line) == [2])
  }

  @Test func rejectsLaterPlacesWithTheSameId() throws {
    let table = try places("id,lon,lat\n7,1,1\n7,2,2\n")
    #expect(table.places.map(\.line) == [2])
    #expect(table.rejected.map(\.reason).allSatisfy { $0.hasPrefix("the id 7 is already used by line 2; ") })
    #expect(try places("id,lon,lat\n7,1,1\n7,2,2\n", .number).places.map(\.id) == [.number(7), .text("7#2")])
  }

  @Test func idsAreNumbersIfAllAreWholeCanonicalAndExactInADouble() throws {
    #expect(try pairs(["1", "9007199254740991"]).idsAreNumbers)
    #expect(try pairs(["1", "9007199254740992"]).pairs.map(\.id) == [.text("1"), .text("9007199254740992")])
    #expect(try pairs(["1", "02"]).pairs.map(\.id) == [.text("1"), .text("02")])
  }
}
