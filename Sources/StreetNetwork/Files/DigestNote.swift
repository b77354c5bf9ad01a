import Foundation
import Geography

/// What a large file's SHA-256 was when it was read here: a line in a small file, so that a file that has not changed since is
/// not read again.
///
///     porto.network
///     porto.network.verified   odometer-verified 2 5e1f… DEVICE INODE SIZE MODIFIED CHANGED
///
/// It is written where it can be, and never needed. Whoever can change a file and its times can forge it: it guards against
/// copies that went wrong, not against people.
package struct DigestNote {
  static let suffix = ".verified"
  /// 1 did not say that columns hold what they may (`ColumnRule`).
  private static let version = "2"
  /// Reading fewer bytes than these takes a millisecond: not worth a file.
  static let smallestFile = 1 << 20
  /// File systems stamp times by a clock of a few milliseconds: a file is noted once it has been as it is for longer.
  private static let settling = 25_000_000

  let path: String
  private let file: String

  /// Of `file`; in `folder`, or next to it where that is nil.
  package init(of file: String, in folder: String? = nil) {
    self.file = file
    path = (folder.map { "\($0)/\((file as NSString).lastPathComponent)" } ?? file) + DigestNote.suffix
  }

  /// The digest of the file as it is; nil where nothing is known of it.
  func digest(of identity: FileIdentity) -> [UInt8]? {
    guard identity.size >= DigestNote.smallestFile, let text = FileManager.default.contents(atPath: path) else {
      return nil
    }
    let words = String(decoding: text.prefix(1000), as: UTF8.self).split(separator: " ", maxSplits: 3)
    guard words.count == 4, words[0] == "odometer-verified", words[1] == DigestNote.version, words[3] == "\(identity)\n"
    else {
      return nil
    }
    return [UInt8](hexadecimal: words[2])
  }

  /// Waits until any change from now on would show in the file's times. Nil where it is too small to be noted, or is another
  /// one than that at its path.
  func settled(_ identity: FileIdentity) -> FileIdentity? {
    guard identity.size >= DigestNote.smallestFile else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec) - max(identity.changed, identity.modified)
    // By a clock that is ahead of ours nothing can be said.
    guard age >= 0 else { return nil }
    if age < DigestNote.settling { usleep(UInt32((DigestNote.settling - age) / 1000)) }
    return FileIdentity(path: file) == identity ? identity : nil
  }

  /// Notes the digest of a file that was read after it was `settled`. Where no note can be written there is none.
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
  /// Of a file's bytes. Where the file is as it was when it was read last, the note in `folder`, or next to it, says it.
  /// *Throws*: `POSIXError`.
  package static func noted(of path: String, in folder: String? = nil) throws -> ([UInt8], of: WatchedFile) {
    let file = try MappedFile(path: path)
    let note = DigestNote(of: path, in: folder)
    if let known = note.digest(of: file.identity) { return (known, file.watched) }
    let settled = note.settled(file.identity)
    let digest = Digest()
    withExtendedLifetime(file) { digest.update(file.bytes) }
    let bytes = digest.finish()
    note.write(bytes, of: settled)
    return (bytes, file.watched)
  }
}

extension [UInt8] {
  /// Nil unless these are 32 bytes as `hexadecimal` writes them.
  fileprivate init?(hexadecimal text: Substring) {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == 64, text.count == 64 else { return nil }
    self = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
