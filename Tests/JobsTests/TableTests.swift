import Jobs
import Tables
import TestMaps
import Testing

/// Tables and views: their SQL, insertion and documentation are derived from one description.
struct TableTests {
  private struct Visit {
    var id: Identifier
    var name: String
    var seconds: Int?
  }

  private static let columns: [Column<Visit>] = [
    .rowNumber("fid"),
    .id("visit_id", "id of the input") { $0.id },
    .text("name", "as people call it") { $0.name },
    .lineBreak,
    .optionalInteger("seconds", "how long") { $0.seconds },
    .computed("minutes", .real, "the same in minutes", "seconds / 60.0"),
  ]
  private static let table = Table<Visit>("visit", "visit", columns)
  private static let keyed = Table<Visit>(
    "visit", "visit", key: ["visit_id", "name"],
    [.id("visit_id", "id of the input") { $0.id }, .text("name", "") { $0.name }])

  @Test func declaresTheTypeOfIds() {
    #expect(
      TableTests.table.creation(.init(idsAreNumbers: true)) == """
        CREATE TABLE visit (
          fid INTEGER PRIMARY KEY, visit_id INTEGER, name TEXT NOT NULL,
          seconds INTEGER, minutes REAL AS (seconds / 60.0));

        """)
    #expect(TableTests.table.creation(.text).contains("visit_id TEXT,"))
  }

  @Test func declaresAKeyOfSeveralColumns() {
    #expect(
      TableTests.keyed.creation(.text)
        == "CREATE TABLE visit (fid INTEGER PRIMARY KEY, visit_id TEXT, name TEXT NOT NULL, UNIQUE (visit_id, name));\n"
    )
  }

  @Test func insertsTheValuesOfEachColumn() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let database = try SQLite(path: scratch.path("test.sqlite"), .creating)
    try database.execute(TableTests.table.creation(.init(idsAreNumbers: true)))
    let visits = [
      Visit(id: .number(7), name: "home", seconds: 90), Visit(id: .number(8), name: "", seconds: nil),
    ]
    try database.insert(visits, into: TableTests.table)
    try database.close()
    let rows = try scratch.sql("SELECT fid, visit_id, name, seconds, minutes FROM visit", in: "test.sqlite")
    #expect(rows == "1|7|home|90|1.5\n2|8|||\n")
  }

  @Test func describesColumnsWithANote() {
    let description = TableTests.table.description
    #expect(description.name == "visit" && description.summary == "visit")
    #expect(
      description.columns.map { "\($0.name) \($0.type): \($0.note)" } == [
        "visit_id id: id of the input", "name text: as people call it", "seconds integer: how long",
        "minutes real: the same in minutes",
      ])
  }

  private static let view = View(
    "stay", "visit",
    View.Column.of(table, "visit_id", qualifier: "visit")
      + [
        .lineBreak, .init("hours", .real, "how long", as: "seconds / 3600.0"), .init("hidden", .text, "", as: "NULL"),
      ],
    from: "visit JOIN place USING (name)")

  @Test func createsAViewOfColumnsAndExpressions() {
    #expect(
      TableTests.view.creation == """
        CREATE VIEW stay AS
          SELECT visit.visit_id,
            seconds / 3600.0 AS hours, NULL AS hidden
          FROM visit JOIN place USING (name);

        """)
  }

  @Test func describesAViewByItsTablesColumns() {
    #expect(
      TableTests.view.description.columns.map { "\($0.name) \($0.type): \($0.note)" } == [
        "visit_id id: id of the input", "hours real: how long",
      ])
  }

  @Test(arguments: JobKind.allCases)
  func documentsEachTableOfAKindOnce(kind: JobKind) {
    let tables = kind.tables + TableDescription.common
    #expect(Set(tables.map(\.name)).count == tables.count)
    for table in tables {
      #expect(!table.summary.isEmpty && !table.columns.isEmpty, "\(table.name)")
      #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(table.name)")
    }
  }
}
