import CCrypto
import Foundation
import Geography

/// The recorded SHA-256 of a large file: one line in a small file, so that unchanged files need not be read again.
///
///     porto.network
///     porto.network.verified   odometer-verified 2 5e1f… DEVICE INODE SIZE MODIFIED CHANGED
///
/// The note is optional. Anyone who can change a file and its times can forge it: it protects against corrupt copies,
/// not attackers.
package struct DigestNote {
  static let suffix = ".verified"
  /// Version 1 did not cover the column rules (`ColumnRule`).
  private static let version = "2"
  /// Reading a smaller file takes a millisecond, so a note is not worth it.
  static let minimumFileSize = 1 << 20
  /// The time in nanoseconds for which a file must be unchanged before a note is written: file systems record times
  /// with a resolution of some milliseconds.
  private static let settlingTime = 25_000_000

  let path: String
  private let file: String

  /// Creates the note of `file`: in `folder`, or next to the file if nil.
  package init(of file: String, in folder: String? = nil) {
    self.file = file
    path = (folder.map { "\($0)/\((file as NSString).lastPathComponent)" } ?? file) + DigestNote.suffix
  }

  /// Returns the recorded digest if the file is unchanged; nil if unknown.
  func digest(of identity: FileIdentity) -> [UInt8]? {
    guard identity.size >= DigestNote.minimumFileSize, let text = FileManager.default.contents(atPath: path) else {
      return nil
    }
    let words = String(decoding: text.prefix(1000), as: UTF8.self).split(separator: " ", maxSplits: 3)
    guard words.count == 4, words[0] == "odometer-verified", words[1] == DigestNote.version, words[3] == "\(identity)\n"
    else { return nil }
    return [UInt8](hexadecimal: words[2])
  }

  /// Waits until any further change would alter the file's times. Returns nil if the file is too small for a note,
  /// its age is unknown, or it was replaced.
  func waitUntilSettled(_ identity: FileIdentity) -> FileIdentity? {
    guard identity.size >= DigestNote.minimumFileSize else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec) - max(identity.changed, identity.modified)
    // The age is unknown if the clock of the file system is ahead of ours.
    guard age >= 0 else { return nil }
    if age < DigestNote.settlingTime { usleep(UInt32((DigestNote.settlingTime - age) / 1000)) }
    return FileIdentity(path: file) == identity ? identity : nil
  }

  /// Records the digest of a file that was read after `waitUntilSettled` returned. Ignores failures.
  func write(_ digest: [UInt8], of identity: FileIdentity?) {
    guard let identity else { return }
    let text = "odometer-verified \(DigestNote.version) \(digest.hexadecimal) \(identity)\n"
    guard let note = try? StagedFile(path) else { return }
    try? Array(text.utf8).withUnsafeBytes { try note.write($0) }
    try? note.finish()
  }

  func remove() { unlink(path) }
}

extension Digest {
  /// Returns the digest of a file: from the note in `folder` or next to the file if the file is unchanged, otherwise
  /// computed. *Throws*: `POSIXError`.
  package static func recorded(of path: String, in folder: String? = nil) throws -> ([UInt8], of: WatchedFile) {
    let (file, identity) = try FileIdentity.opened(path)
    defer { close(file) }
    let watched = WatchedFile(path: path, identity)
    let note = DigestNote(of: path, in: folder)
    if let known = note.digest(of: identity) { return (known, watched) }
    let settled = note.waitUntilSettled(identity)
    let digest = try Digest.of(open: file)
    note.write(digest, of: settled)
    return (digest, watched)
  }
}

extension [UInt8] {
  /// Returns nil unless the text encodes 32 bytes in the format of `hexadecimal`.
  fileprivate init?(hexadecimal text: Substring) {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == 64, text.count == 64 else { return nil }
    self = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

/// A SHA-256 computation in progress.
package final class Digest {
  private let context = EVP_MD_CTX_new()!

  package init() {
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { preconditionFailure("libcrypto has no SHA-256") }
  }

  deinit { EVP_MD_CTX_free(context) }

  package func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

  /// Returns the digest, 32 bytes. Must be called only once.
  package func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &bytes, nil)
    return bytes
  }

  /// Returns the digest of a file's bytes. *Throws*: `POSIXError`.
  package static func of(file path: String) throws -> [UInt8] {
    let (file, _) = try FileIdentity.opened(path)
    defer { close(file) }
    return try Digest.of(open: file)
  }

  /// Reads in blocks instead of mapping the file: a limited address space may have no room for a mapping.
  private static func of(open file: Int32) throws -> [UInt8] {
    let digest = Digest()
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(file, &block, block.count)
      guard count >= 0 else { throw POSIXError.last }
      guard count > 0 else { return digest.finish() }
      block.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  package static func of(_ bytes: some ContiguousBytes) -> [UInt8] {
    let digest = Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }
}

extension [UInt8] {
  /// The bytes as text, with two hexadecimal digits each.
  package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
