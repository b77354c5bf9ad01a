import Reports
import Tables
import Testing

struct ReportTableTests {
  private let table = ReportTable(
    "Trips & more", note: "table trip", heads: ["name", "#time, min"],
    rows: [
      [.text("<a>"), .number(1.25) { "\($0) <" }],
      [.link("b & c", "https://x/?a=1&b=\"2\""), .number(nil) { "\($0)" }],
      [.link("d", nil), .number(3) { "\(Int($0))" }],
    ])

  @Test func isEmptyWithoutRows() { #expect(ReportTable("Empty", heads: ["a"], rows: []).html == "") }

  @Test func escapesEverything() {
    let html = table.html
    #expect(html.contains("<caption>Trips &amp; more <small>table trip</small></caption>"))
    #expect(html.contains("<td>&lt;a&gt;</td>"))
    #expect(html.contains("<a href=\"https://x/?a=1&amp;b=&quot;2&quot;\"><bdi>b &amp; c</bdi></a>"))
    #expect(html.contains("<td><bdi>d</bdi></td>"))
  }

  @Test func rightToLeftNamesAreIsolated() {
    let names = ["Rua 5", "רחוב 5", "شارع", "\u{202E}5"].map(Format.isolated)
    #expect(names == ["Rua 5", "\u{2068}רחוב 5\u{2069}", "\u{2068}شارع\u{2069}", "\u{2068}\u{202E}5\u{2069}"])
  }

  @Test func sortsNumbersByValue() {
    let html = table.html
    #expect(html.contains("<th scope=\"col\">name</th><th scope=\"col\" class=\"n\">time, min</th>"))
    #expect(html.contains("<td class=\"n\" data-value=\"1.25\">1.25 &lt;</td>"))
    #expect(html.contains("<td class=\"n\" data-value=\"\">–</td>"), "missing values come last")
    #expect(html.contains("<td class=\"n\" data-value=\"3.0\">3</td>"))
  }
}
