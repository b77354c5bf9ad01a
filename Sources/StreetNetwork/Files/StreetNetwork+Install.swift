import Foundation
import Geography

/// Installation of network files from elsewhere.
extension StreetNetwork {
  /// Copies a network file into a folder, unless it is already there, under the name that a network built from its map
  /// would have. If several processes do so at the same time, only one copy is written. The copy is verified before it
  /// gets its name, and is read-only.
  ///
  /// - Returns: The path of the copy.
  /// - Throws: `OdometerError` about the file or the folder.
  package static func install(_ file: String, in folder: String) throws -> String {
    let (origin, path) = try NetworkFile.reading(file) {
      let header = try NetworkFile(path: file, check: .header)
      let name = networkName(map: try header.text(.mapName), profile: try header.profile(), header.origin)
      return (header.origin, "\(folder)/\(name)")
    }
    do {
      try FileManager.makeFolder(folder)
      let lock = try FolderLock(folder)
      return try withExtendedLifetime(lock) {
        let note = DigestNote(of: path)
        if (try? NetworkFile(path: path, origin, check: .unlessNoted(note))) != nil { return path }
        if lock.isHeld { removeUnfinished(path) }
        try copy(file, to: path, origin, isReadOnly: true)
        return path
      }
    } catch let error as OdometerError where error.cause == .input {
      throw error
    } catch {
      throw OdometerError.unwritable(path, error)
    }
  }

  /// Builds the network of a location in the file at `path`, or copies an existing one there.
  ///
  /// - Throws: `OdometerError` about the map or the file.
  package static func build(
    _ location: NetworkLocation, to path: String, workers: Int, report: (NetworkEvent) throws -> Void
  ) throws {
    let output = location.moved(to: path)
    let exists = (try? output.opened(.unlessNoted(output.note))) != nil
    if !exists, (try? location.opened(.unlessNoted(location.note))) != nil {
      do {
        return try copy(location.path, to: path, location.origin, isReadOnly: false)
      } catch let error as POSIXError {
        throw OdometerError.unwritable(path, error, remedy: output.remedy)
      }
    }
    _ = try StreetNetwork(at: output, workers: workers, report: report)
  }

  /// Copies the network file at `source` if it is intact, and records the copy's digest. *Throws*: `OdometerError`,
  /// `POSIXError`.
  static func copy(_ source: String, to path: String, _ origin: ColumnOrigin, isReadOnly: Bool) throws {
    let copy = try StagedFile(path)
    let original = try NetworkFile.reading(source) { try MappedFile(path: source) }
    try withExtendedLifetime(original) { try copy.write(original.bytes) }
    var content: [UInt8] = []
    try copy.finish(isReadOnly: isReadOnly) { temporary in
      content = try NetworkFile.reading(source) { try NetworkFile(path: temporary, origin).contentDigest }
    }
    // The renamed file has the bytes that were verified.
    let note = DigestNote(of: path)
    note.write(content, of: FileIdentity(path: path).flatMap(note.waitUntilSettled))
  }

  /// Removes a file's unfinished copies left by killed processes; no process may be writing it.
  private static func removeUnfinished(_ path: String) {
    let (folder, name) = (path.folder.isEmpty ? "." : path.folder, (path as NSString).lastPathComponent)
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where file.hasPrefix(name + ".") && file.hasSuffix(StagedFile.suffix) { unlink("\(folder)/\(file)") }
  }
}

extension NetworkFile {
  func text(_ section: NetworkSection) throws -> String {
    try String(decoding: column(section, of: UInt8.self).buffer, as: UTF8.self)
  }
}

/// A lock that lets only one process at a time write into a folder. The system releases it when the process ends for
/// any reason.
private final class FolderLock {
  private let folder: Int32
  /// False on a file system without locks: several processes may then write at the same time, each under its own name.
  let isHeld: Bool

  /// Waits for the lock. *Throws*: `POSIXError`.
  init(_ path: String) throws {
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw POSIXError.last }
    var isHeld = flock(folder, LOCK_EX) == 0
    while !isHeld && errno == EINTR { isHeld = flock(folder, LOCK_EX) == 0 }
    self.isHeld = isHeld
  }

  deinit { close(folder) }
}
