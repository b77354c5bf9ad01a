import CZip
import Foundation
import Geography

/// A timetable in GTFS: a zip of CSV files. What of it says where stops are, and which lines call there.
final class GTFSFeed {
  let path: String
  private let archive: OpaquePointer

  /// Opens the file at `path`; nil where it does not begin as zips do. *Throws*: `InputError`.
  static func open(_ path: String) throws -> GTFSFeed? {
    guard FileManager.irregularity(of: path) == nil, let file = FileHandle(forReadingAtPath: path),
      (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
    else { return nil }
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
      throw InputError(file: path, problem: "the zip is corrupt or truncated")
    }
    return GTFSFeed(path, archive)
  }

  private init(_ path: String, _ archive: OpaquePointer) { (self.path, self.archive) = (path, archive) }

  deinit { zip_discard(archive) }

  /// A file of the feed, as messages name it.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// A file of the feed, also where the zip has it in a folder. Nil where it has none. *Throws*: `InputError`.
  func bytes(of name: String) throws -> [UInt8]? {
    let index = zip_name_locate(archive, name, UInt32(ZIP_FL_NODIR))
    guard index >= 0 else { return nil }
    var entry = zip_stat_t()
    zip_stat_index(archive, UInt64(index), 0, &entry)
    let most = InputFile.mostBytes(unpackedFrom: Int(clamping: entry.comp_size))
    guard entry.size <= UInt64(most) else {
      throw InputError(
        file: path(of: name), problem: "it would unpack to \(entry.size >> 20) MB, expected at most \(most >> 20)")
    }
    let corrupt = InputError(file: path(of: name), problem: "the zip is corrupt or truncated")
    guard let file = zip_fopen_index(archive, UInt64(index), 0) else { throw corrupt }
    defer { zip_fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(entry.size)) { buffer, count in
      count = max(0, Int(zip_fread(file, buffer.baseAddress, entry.size)))
    }
    // The checksum is compared when the end is read.
    var next: UInt8 = 0
    guard bytes.count == Int(entry.size), zip_fread(file, &next, 1) == 0 else { throw corrupt }
    return InputFile.withoutMark(bytes)
  }

  /// *Throws*: `InputError` also where the feed has no such file.
  func requiredBytes(of name: String) throws -> [UInt8] {
    guard let bytes = try bytes(of: name) else {
      throw InputError(file: path, problem: "the zip has no \(name), expected a GTFS feed")
    }
    return bytes
  }
}
