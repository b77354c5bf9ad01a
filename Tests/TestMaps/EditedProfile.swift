import Foundation
import StreetNetwork

extension Profile {
  /// Returns a stock profile with one text replaced, as if a user had edited a copy.
  public static func stock(_ type: TransportType, replacing old: String, with new: String) throws -> Profile {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let text = String(decoding: try Profile.stock(type).bytes, as: UTF8.self)
    precondition(text.contains(old), "\(old) is not in the profile")
    let path = scratch.path("edited.json5")
    try Data(text.replacing(old, with: new).utf8).write(to: URL(fileURLWithPath: path))
    return try Profile(path: path)
  }

  /// Returns a profile that contains only the differences from a stock profile: `vehicle: { height: 3 }`.
  public static func over(_ base: String, _ settings: String) throws -> Profile {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("{ base: '\(base)', name: 'mine', \(settings) }", to: "mine.json5")
    return try Profile(path: scratch.path("mine.json5"))
  }
}
