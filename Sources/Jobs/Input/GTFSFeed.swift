import CZip
import Foundation
import Geography

/// A timetable in GTFS: a zip of CSV files. What of it says where stops are, and which lines call there.
final class GTFSFeed {
  let path: String
  private let archive: OpaquePointer
  /// The index of each file in the feed's folder, which is the one that has stops.txt, by name.
  private let files: [String: UInt64]

  /// Opens the file at `path`; nil where it does not begin as zips do. *Throws*: `InputError`.
  static func open(_ path: String) throws -> GTFSFeed? {
    guard FileManager.irregularity(of: path) == nil, let file = FileHandle(forReadingAtPath: path),
      (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
    else { return nil }
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
      throw InputError(file: path, problem: "the zip is corrupt or truncated")
    }
    guard isWhole(file) else {
      zip_discard(archive)
      throw InputError(
        file: path, problem: "other bytes follow the end of the zip: copy it again, or zip its files again")
    }
    return try GTFSFeed(path, archive)
  }

  /// Whether the file ends with the zip's last record and its comment.
  private static func isWhole(_ file: FileHandle) -> Bool {
    // The record has 22 bytes, and a comment has at most 65,535.
    guard let size = try? file.seekToEnd(), (try? file.seek(toOffset: size - min(size, 22 + 65_535))) != nil,
      let end = try? file.readToEnd(), end.count >= 22
    else { return false }
    let bytes = Array(end)
    return (0...bytes.count - 22).reversed().contains { at in
      bytes[at...].starts(with: [0x50, 0x4B, 5, 6])
        && at + 22 + Int(bytes[at + 20]) + Int(bytes[at + 21]) << 8 == bytes.count
    }
  }

  /// *Throws*: `InputError` where two folders have a feed.
  private init(_ path: String, _ archive: OpaquePointer) throws {
    (self.path, self.archive) = (path, archive)
    let names = (0..<zip_get_num_entries(archive, 0)).map { index in
      zip_get_name(archive, UInt64(index), 0).map { String(cString: $0) } ?? ""
    }
    // What macOS adds is no feed.
    let feeds = names.filter { ($0 as NSString).lastPathComponent == "stops.txt" && !$0.hasPrefix("__MACOSX/") }
    let folder = feeds.first?.folder
    files = Dictionary(
      names.indices.filter { names[$0].folder == folder }.map {
        ((names[$0] as NSString).lastPathComponent, UInt64($0))
      }
    ) { first, _ in first }
    guard feeds.count < 2 else {
      throw InputError(
        file: path, problem: "two feeds in one zip, \(feeds[0]) and \(feeds[1]); expected a zip for each")
    }
  }

  deinit { zip_discard(archive) }

  /// A file of the feed, as messages name it.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The names of its files.
  var names: some Collection<String> { files.keys }

  func has(_ name: String) -> Bool { files[name] != nil }

  /// The rows of a file of the feed. *Throws*: `InputError`, also where the feed has no such file.
  func rows(of name: String) throws -> DelimitedRows {
    guard let index = files[name] else {
      throw InputError(file: path, problem: "the zip has no \(name), expected a GTFS feed")
    }
    var entry = zip_stat_t()
    zip_stat_index(archive, index, 0, &entry)
    let most = InputFile.mostBytes(unpackedFrom: Int(clamping: entry.comp_size))
    guard entry.size <= UInt64(most) else {
      throw InputError(
        file: path(of: name), problem: "it would unpack to \(entry.size >> 20) MB, expected at most \(most >> 20)")
    }
    let corrupt = InputError(file: path(of: name), problem: "the zip is corrupt or truncated")
    guard let file = zip_fopen_index(archive, index, 0) else { throw corrupt }
    let member = Member(file: file)
    // The checksum is compared when the end is read.
    var left = entry.size
    return try DelimitedRows(
      InputBuffer(path(of: name)) { buffer in
        let count = zip_fread(member.file, buffer.baseAddress, UInt64(buffer.count))
        guard count >= 0, count <= left, count > 0 || left == 0 else { throw corrupt }
        left -= UInt64(count)
        return Int(count)
      })
  }

  /// A file within the zip that is being read.
  private final class Member {
    let file: OpaquePointer
    init(file: OpaquePointer) { self.file = file }
    deinit { zip_fclose(file) }
  }
}
