import Tables
import TestMaps
import Testing

/// All rows of a chunk are inserted by one statement.
struct InsertTests {
  private struct Item {
    var name: String
    var note: String? = nil
    var length: Double? = nil
    var content: [UInt8] = []
    var group = 0
  }

  private static let table = Table<Item>(
    "item", "item",
    [
      .text("name", "") { $0.name }, .optionalText("note", "") { $0.note }.omittable,
      .optionalReal("length", "") { $0.length }, .blob("content", "") { $0.content },
      .reference("owner", "") { $0.group },
    ])

  /// Calls `body` with a connection to a new database with table `item`, whose names are unique.
  private func withDatabase(_ body: (SQLite) throws -> Void) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let database = try SQLite(path: scratch.path("test.sqlite"), .creating)
    try database.execute(InsertTests.table.creation(.text) + "CREATE UNIQUE INDEX item_by_name ON item (name);")
    try body(database)
  }

  private func rows(_ database: SQLite) throws -> [String] {
    try database.rows(
      "SELECT name || '|' || quote(note) || '|' || quote(length) || '|' || quote(content) || '|' || owner AS row FROM item ORDER BY fid"
    ) { try $0["row"] }
  }

  @Test func insertsEveryKindOfValue() throws {
    try withDatabase { database in
      let items = [
        Item(name: "", note: "", length: 1.5, content: [0, 1]), Item(name: "é", length: .nan, group: 1),
        Item(name: "c", note: "kept", group: 1),
      ]
      let insert = try Insert(into: InsertTests.table, of: database)
      try insert(RowValues(of: InsertTests.table, items), resolving: { [7, 9][$0] }, keeps: { $0 != 0 })
      #expect(try rows(database) == ["|NULL|1.5|X'0001'|7", "é|NULL|NULL|X''|9", "c|'kept'|NULL|X''|9"])
    }
  }

  @Test func insertsNoRowOfAChunkThatFails() throws {
    try withDatabase { database in
      let insert = try Insert(into: InsertTests.table, of: database)
      try insert(RowValues(of: InsertTests.table, []))
      #expect(throws: ResultsError.self) {
        try insert(RowValues(of: InsertTests.table, ["a", "b", "a"].map { Item(name: $0) }))
      }
      #expect(try rows(database).isEmpty)
      try insert(Item(name: "a"))
      try database.insert([Item(name: "b"), Item(name: "c")], into: InsertTests.table)
      #expect(try rows(database).map { $0.prefix(1) } == ["a", "b", "c"])
    }
  }

  @Test func reportsAClosedDatabase() throws {
    try withDatabase { database in
      try database.close()
      #expect(throws: ResultsError.self) { try Insert(into: InsertTests.table, of: database) }
    }
  }
}
