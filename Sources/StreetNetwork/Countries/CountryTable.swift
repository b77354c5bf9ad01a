import Foundation
import Settings

/// The countries of the world, their rules and their outlines: `data/countries`.
struct CountryTable: Sendable {
  private let countries: [String: Country]
  /// Smaller ones first: where simplified outlines overlap, the small country is meant.
  let territories: [Territory]

  /// The table that comes with the program, read when it is first needed.
  static let stock: CountryTable = {
    do {
      return try CountryTable(rules: CountryTable.rules, outlines: CountryTable.outlines)
    } catch { preconditionFailure("the table of countries cannot be read: \(error)") }
  }()

  init(rules: Data, outlines: Data) throws {
    let rules = try SettingsFile(name: "data/countries/rules.json5", bytes: rules).root
    countries = try Dictionary(
      uniqueKeysWithValues: rules.keys.map { ($0, try Country(rules.object($0), code: $0)) })
    let file = try SettingsFile(name: "data/countries/outlines.json5", bytes: outlines).root
    let known = countries
    territories = try file.keys.map { code in
      guard let country = known[code] else { throw file.error(code, "this country has no rules") }
      return Territory(outline: Outline(texts: try file.strings(code)), country: country)
    }.sorted { $0.outline.area < $1.outline.area }
  }

  /// A country by its code in tags: `PT`; `UK` means `GB`, and a state its country: `US-CA`.
  subscript(code: some StringProtocol) -> Country? {
    let country = code.prefix { $0 != "-" }.uppercased()
    return countries[country == "UK" ? "GB" : country]
  }
}
