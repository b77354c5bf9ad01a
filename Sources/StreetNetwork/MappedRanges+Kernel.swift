import Foundation
import Synchronization

/// The addresses of mapped files, for the end of a process that reads behind the end of one: somebody made it shorter.
enum MappedRanges {
  private struct Range {
    var start = 0
    var end = 0
    var path: UnsafeMutablePointer<CChar>?
  }

  /// More files than these are not known by name.
  private static let most = 256
  /// Read by a signal handler, which may not wait for a lock.
  nonisolated(unsafe) private static let ranges = {
    let ranges = UnsafeMutablePointer<Range>.allocate(capacity: most)
    ranges.initialize(repeating: Range(), count: most)
    return ranges
  }()
  private static let lock = Mutex(())
  private static let advice: StaticString =
    ": the file became shorter while it was read; start again, and replace files by renaming new ones\n"

  static func add(_ bytes: UnsafeRawBufferPointer, _ path: String) {
    lock.withLock { _ in
      guard let free = (0..<most).first(where: { ranges[$0].path == nil }), let start = bytes.baseAddress
      else { return }
      ranges[free] = Range(start: Int(bitPattern: start), end: Int(bitPattern: start) + bytes.count, path: strdup(path))
    }
  }

  static func remove(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress.map { Int(bitPattern: $0) }
    lock.withLock { _ in
      guard let known = (0..<most).first(where: { ranges[$0].path != nil && ranges[$0].start == start }) else { return }
      free(ranges[known].path)
      ranges[known] = Range()
    }
  }

  /// From now on the process ends with `code` and a sentence where a mapped file has become shorter, not by SIGBUS.
  static func endWithSentence(code: Int32) {
    endCode = code
    _ = ranges
    var action = sigaction()
    action.sa_flags = SA_SIGINFO
    action.__sigaction_handler.sa_sigaction = { _, info, _ in
      let address = info.map { Int(bitPattern: $0.pointee._sifields._sigfault.si_addr) } ?? 0
      for index in 0..<MappedRanges.most {
        let range = MappedRanges.ranges[index]
        guard let path = range.path, range.start <= address, address < range.end else { continue }
        _ = write(STDERR_FILENO, path, strlen(path))
        _ = write(STDERR_FILENO, MappedRanges.advice.utf8Start, MappedRanges.advice.utf8CodeUnitCount)
        _exit(MappedRanges.endCode)
      }
      signal(SIGBUS, SIG_DFL)
    }
    sigaction(SIGBUS, &action, nil)
  }

  nonisolated(unsafe) private static var endCode: Int32 = 1
}

extension StreetNetwork {
  /// From now on the process ends with an exit code and a sentence where a file that it has mapped becomes shorter.
  package static func endWhereFilesBecomeShorter(code: Int32) { MappedRanges.endWithSentence(code: code) }
}
