import Foundation
import Geography
import StreetNetwork
import Transit

extension NetworkFolder {
  /// Returns the networks and timetables in a folder, as `init(_:timetable:)` finds them.
  package static func withTimetables(_ path: String) throws -> NetworkFolder {
    try NetworkFolder(path, timetable: timetable)
  }

  /// Returns the entry of a file named `NAME-KEY.timetable`; nil for other files.
  private static func timetable(_ path: String) -> Entry? {
    guard path.hasSuffix(TimetableSection.suffix) else { return nil }
    let name = (path as NSString).lastPathComponent.dropLast(TimetableSection.suffix.count)
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count > 1, let key = words.last, key.utf8.count == 12, key.allSatisfy(\.isHexDigit) else { return nil }
    let feed = "\(words.dropLast().joined(separator: "-")).zip"
    func entry(_ use: Use) -> Entry { Entry(path: path, use: use, map: feed, profile: "transit") }
    do {
      let file = try TimetableFile(path: path, check: .header)
      // If the timetable is of several feeds, the others are unknown.
      guard try Timetable(file).timeZones.count == 1 else { return entry(.inUse("of several feeds")) }
      let zip = path.folder.isEmpty ? feed : "\(path.folder)/\(feed)"
      guard let digest = try? Digest.recorded(of: zip, in: nil).0 else { return entry(.inUse("of a feed elsewhere")) }
      return entry(
        file.wasBuilt(from: Digest.of(digest))
          ? .inUse("of the feed next to it") : .obsolete("the feed next to it has changed"))
    } catch InvalidColumnFile.version(let found, let expected) where found < expected {
      return entry(.obsolete("was written in format \(found), this version reads \(expected)"))
    } catch {
      return entry(.unknown(POSIXError.reason(for: error)))
    }
  }
}
