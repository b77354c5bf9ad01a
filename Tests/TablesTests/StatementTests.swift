import Tables
import TestMaps
import Testing

/// Errors that SQLite would ignore: missing or surplus values, and values of another type.
struct StatementTests {
  /// Calls `body` with a connection to a new database with a table `item`.
  private func withDatabase(_ body: (SQLite) throws -> Void) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let database = try SQLite(path: scratch.path("test.sqlite"), .creating)
    try database.execute("CREATE TABLE item (name TEXT, count INTEGER)")
    try body(database)
  }

  private func error(_ body: () throws -> Void) throws -> ResultsError {
    try #require(throws: ResultsError.self) { try body() }
  }

  private static let insertion = "INSERT INTO item VALUES (?, ?)"

  @Test func rejectsAMissingValue() throws {
    try withDatabase { database in
      let insert = try database.prepare(StatementTests.insertion)
      insert.bind("a")
      let error = try error { try insert.execute() }
      #expect(error.problem == "bound 1 value, expected 2: one per parameter")
      #expect(error.cause == .fault && error.sqlite?.code == 21 && error.sqlite?.sql == StatementTests.insertion)
    }
  }

  @Test func rejectsASurplusValue() throws {
    try withDatabase { database in
      let insert = try database.prepare(StatementTests.insertion)
      insert.bind("a")
      insert.bind(1)
      insert.bind(2)
      let error = try error { try insert.execute() }
      #expect(error.problem == "bound 3 values, expected 2: one per parameter" && error.cause == .fault)
      #expect(error.sqlite?.extendedCode == 25, "SQLITE_RANGE")
    }
  }

  @Test func rejectsAQueryWithoutItsValues() throws {
    try withDatabase { database in
      let query = try database.prepare("SELECT name FROM item WHERE count = ?")
      #expect(try error { _ = try query.next() }.cause == .fault)
    }
  }

  /// A row must not inherit a value of the previous row.
  @Test func forgetsTheValuesOfThePreviousRow() throws {
    try withDatabase { database in
      let insert = try database.prepare(StatementTests.insertion)
      insert.bind("a")
      insert.bind(1)
      try insert.execute()
      insert.bind("b")
      #expect(throws: ResultsError.self) { try insert.execute() }
      insert.bind("c")
      insert.bind(Double?.none)
      try insert.execute()
      let query = try database.prepare("SELECT name, count FROM item ORDER BY rowid")
      #expect(try query.next())
      #expect(try query["name"] == "a" && query["count"] == 1)
      #expect(try query.next())
      #expect(try query["name"] == "c" && query["count"] == Int?.none)
      #expect(try !query.next())
    }
  }

  @Test func readsNullOnlyAsAnOptional() throws {
    try withDatabase { database in
      try database.execute("INSERT INTO item VALUES (NULL, 1)")
      let query = try database.prepare("SELECT name FROM item")
      #expect(try query.next())
      #expect(try query["name"] as String? == nil)
      let error = try error { _ = try query["name"] as String }
      #expect(error.problem == "column name has no text" && error.cause == .input)
    }
  }

  @Test func rejectsAValueOfAnotherType() throws {
    try withDatabase { database in
      try database.execute("INSERT INTO item VALUES ('seven', 1.5)")
      let query = try database.prepare("SELECT name, count FROM item")
      #expect(try query.next())
      #expect(try error { _ = try query["name"] as Int }.problem == "column name has no whole number")
      #expect(try error { _ = try query["name"] as Int? }.problem == "column name has no whole number")
      #expect(try error { _ = try query["count"] as Int }.problem == "column count has no whole number")
      #expect(try error { _ = try query["name"] as RowStatus }.problem == "column name has no RowStatus")
      #expect(try query["count"] == 1.5)
    }
  }

  @Test func rejectsAColumnMissingFromTheQuery() throws {
    try withDatabase { database in
      try database.execute("INSERT INTO item VALUES ('a', 1)")
      let query = try database.prepare("SELECT name FROM item")
      #expect(try query.next())
      let error = try error { _ = try query["count"] as Int }
      #expect(error.problem == "the query has no column count" && error.cause == .fault)
    }
  }

  @Test func rejectsAStatementOfAClosedConnection() throws {
    try withDatabase { database in
      let insert = try database.prepare(StatementTests.insertion)
      insert.bind("a")
      insert.bind(1)
      try database.close()
      #expect(try error { try insert.execute() }.problem == "the database is closed")
      #expect(try error { try database.execute("SELECT 1") }.sqlite?.sql == "SELECT 1")
    }
  }

  @Test func reportsTheCodesOfAViolatedConstraint() throws {
    try withDatabase { database in
      try database.execute("CREATE UNIQUE INDEX item_name ON item (name)")
      let sql = "INSERT INTO item VALUES ('a', 1)"
      try database.execute(sql)
      let error = try error { try database.execute(sql) }
      #expect(error.sqlite?.code == 19 && error.sqlite?.extendedCode == 2067 && error.sqlite?.sql == sql)
    }
  }

  @Test func reportsTheCodesOfACorruptFile() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write(String(repeating: "not a database ", count: 100), to: "results.sqlite")
    let database = try SQLite(path: path, .reading)
    let error = try error { _ = try database.prepare("SELECT * FROM job") }
    #expect(error.path == path && error.problem == "file is not a database" && error.cause == .input)
    #expect(error.sqlite?.code == 26 && error.sqlite?.extendedCode == 26 && error.sqlite?.sql == "SELECT * FROM job")
  }

  @Test func sortsOnTheDiskOfTheResults() throws {
    try withDatabase { database in
      // The folder of the first database of the process.
      let folder: String = try database.value("PRAGMA temp_store_directory")
      #expect(!folder.isEmpty)
    }
  }
}
