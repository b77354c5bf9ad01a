import Foundation
import Geography

/// A read-only memory-mapped file; the mapping lasts as long as the object.
final class MappedFile: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// The file's identity when it was opened.
  let identity: FileIdentity
  /// The identity together with the path.
  let watched: WatchedFile

  /// - Parameter holdsColumns: Whether numbers in the file are used as indices.
  /// - Throws: `POSIXError`, with `EISDIR` for a folder, and `ESPIPE` for a pipe, a socket or a device; `OdometerError`
  ///   if there is no address space.
  init(path: String, holdsColumns: Bool = false) throws {
    let file: Int32
    (file, identity) = try FileIdentity.opened(path)
    var isKept = false
    defer { if !isKept { close(file) } }
    watched = WatchedFile(path: path, identity)
    let size = identity.size
    guard size > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let start = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), start != MAP_FAILED else {
      let error = POSIXError.last
      guard error.code == .ENOMEM else { throw error }
      throw OdometerError(
        "\(path): there is no address space to map its \(size) bytes; allow more (ulimit -v)", cause: .output)
    }
    bytes = UnsafeRawBufferPointer(start: start, count: size)
    isKept = MappedRanges.add(bytes, path, file, identity, holdsColumns: holdsColumns)
  }

  deinit {
    guard let start = bytes.baseAddress else { return }
    MappedRanges.remove(bytes)
    munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
  }
}
