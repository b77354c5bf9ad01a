import Foundation
import Settings

/// Profiles that say only what differs from another one, and the layers that a profile's text has.
extension Profile {
  /// The stock profile of a name, else the profile in the file at that path.
  ///
  /// - Throws: `SettingsError`: file, line, key, what it got and what it expected.
  package static func named(_ name: String) throws -> Profile {
    if stockNames.contains(name) { return try stock(name) }
    guard name.contains(where: { "./".contains($0) }) || FileManager.default.fileExists(atPath: name) else {
      throw SettingsError(
        file: "profile \(name)",
        problem: "no such stock profile or file, expected \(stockNames.joined(separator: ", ")) or a file")
    }
    return try Profile(path: name)
  }

  /// A profile's file, laid over the one that it is based on.
  static func complete(_ file: SettingsFile) throws -> SettingsFile {
    guard file.root.has("base") else { return file }
    let base = try file.root.choice("base", of: stockNames)
    guard file.root.has("name") else {
      throw file.root.error("base", "a profile that is based on another one needs a name of its own; add name: \"…\"")
    }
    return file.patching(try complete(stockFile(base)))
  }

  /// A profile by the texts that `text` is, each laid over the next.
  ///
  /// - Throws: `SettingsError`, whose file is `name`.
  init(name: String, text: Data, avoiding avoids: Avoidance, elevation: Elevation? = nil) throws {
    let layers = try text.split(separator: 0, omittingEmptySubsequences: false).map {
      try SettingsFile(name: name, bytes: Data($0))
    }
    let base = layers[layers.count - 1]
    try self.init(
      complete: layers.dropLast().reversed().reduce(base) { $1.patching($0) }, avoiding: avoids, elevation: elevation)
  }

  static func stockFile(_ name: String) throws -> SettingsFile {
    guard let text = stockTexts[name] else {
      throw SettingsError(
        file: "profile \(name)", problem: "no such stock profile, expected \(stockNames.joined(separator: ", "))")
    }
    return try SettingsFile(name: "data/profiles/\(name).json5", bytes: Data(text))
  }

  private static let stockTexts = [
    "automobile": PackageResources.automobile_json5, "cycling": PackageResources.cycling_json5,
    "truck": PackageResources.truck_json5, "van": PackageResources.van_json5,
    "walking": PackageResources.walking_json5, "wheelchair": PackageResources.wheelchair_json5,
    "pram": PackageResources.pram_json5,
  ]
}
