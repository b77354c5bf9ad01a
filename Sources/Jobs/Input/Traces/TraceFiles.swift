import Foundation

/// The files that `traces` of a job file names: a file, several, or the files of a folder.
struct TraceFiles {
  private(set) var paths: [String] = []
  /// What of a folder is not read: its path, and why.
  private(set) var skipped: [String] = []

  /// Ends of names that files of traces have, each also with .gz behind it.
  static let types = ["csv", "tsv", "txt", "gpx", "geojson", "json"]

  /// *Throws*: `InputError` where a folder has no file of traces.
  init(_ names: [String]) throws {
    for name in names {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue {
        try addFolder(name)
      } else {
        paths.append(name)
      }
    }
  }

  private mutating func addFolder(_ folder: String) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    } catch {
      throw InputError(file: folder, problem: "the folder cannot be read")
    }
    let before = paths.count
    for name in names {
      let path = "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/\(name)"
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if !isFolder.boolValue, !name.hasPrefix("."), TraceFiles.types.contains(TraceFiles.type(of: name)) {
        paths.append(path)
      } else {
        skipped.append(isFolder.boolValue ? "\(path)/" : path)
      }
    }
    guard paths.count > before else {
      throw InputError(
        file: folder,
        problem: "the folder has no file of traces, expected .\(TraceFiles.types.joined(separator: ", ."))")
    }
  }

  /// The end of a name without .gz: "gpx".
  private static func type(of name: String) -> String {
    let plain = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return (plain as NSString).pathExtension.lowercased()
  }

  /// A file's name without its folder and ends.
  static func stem(of path: String) -> String {
    let name = (path as NSString).lastPathComponent
    let plain = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return types.contains(type(of: plain)) ? (plain as NSString).deletingPathExtension : plain
  }

  /// The reader of what the file's first bytes say it is. *Throws*: `InputError`.
  static func reader(
    of path: String, _ format: TraceFormat, _ rejections: TraceRejections
  ) throws -> any TraceFileReader {
    switch try firstByte(of: path) {
    case UInt8(ascii: "<"), 0xFE, 0xFF: return try GPXTraces(path: path, format, rejections)
    case UInt8(ascii: "{"): return try FeatureTraces(path: path, format, rejections)
    default:
      let rows = try DelimitedRows(path)
      let header = try rows.header()
      return try PolylineTraces(rows, header: header, format, rejections)
        ?? PointTraces(rows, header: header, format, rejections)
    }
  }

  /// Behind a byte order mark and white space; nil where there is nothing else in the first block.
  private static func firstByte(of path: String) throws -> UInt8? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try InputBlocks(path: path).read(into: &buffer)
    return InputFile.withoutMark(Array(buffer[..<count])).first { $0 > 0x20 }
  }
}
