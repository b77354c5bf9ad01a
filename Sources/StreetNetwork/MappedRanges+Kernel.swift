import Foundation
import Geography
import Synchronization

/// The mapped files. If somebody writes to one, a process that computes with it may read outside of arrays or search for ever, so
/// the process is ended.
enum MappedRanges {
  private struct Range {
    var start = 0
    var path: UnsafeMutablePointer<CChar>?
    var identity: FileIdentity?
  }

  /// More files than these are not watched.
  private static let most = 256
  /// Read by a signal handler, which may not wait for a lock.
  nonisolated(unsafe) private static let ranges = {
    let ranges = UnsafeMutablePointer<Range>.allocate(capacity: most)
    ranges.initialize(repeating: Range(), count: most)
    return ranges
  }()
  private static let lock = Mutex(())
  nonisolated(unsafe) private static var endCode: Int32 = 1

  static func add(_ bytes: UnsafeRawBufferPointer, _ path: String, _ identity: FileIdentity) {
    lock.withLock { _ in
      guard let free = (0..<most).first(where: { ranges[$0].path == nil }), let start = bytes.baseAddress
      else { return }
      ranges[free] = Range(start: Int(bitPattern: start), path: strdup(path), identity: identity)
    }
  }

  static func remove(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress.map { Int(bitPattern: $0) }
    lock.withLock { _ in
      guard let known = (0..<most).first(where: { ranges[$0].path != nil && ranges[$0].start == start }) else { return }
      let path = ranges[known].path
      ranges[known].path = nil
      free(path)
    }
  }

  /// Ends the process with a sentence if somebody has written into a mapped file. Does what a signal handler may do.
  private static func endWhereWritten() {
    for index in 0..<most {
      var status = stat()
      guard let path = ranges[index].path, let identity = ranges[index].identity, stat(path, &status) == 0,
        FileIdentity(status).isWritten(since: identity)
      else { continue }
      say("odometer: ")
      _ = write(STDERR_FILENO, path, strlen(path))
      say(": ")
      say(WatchedFile.problem)
      say("\n")
      _exit(endCode)
    }
  }

  private static func say(_ text: StaticString) { _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount) }

  /// From now on ends the process with `code` and a sentence if somebody writes to a mapped file. Looks twenty times a second, and
  /// at each fault.
  static func endWithSentence(code: Int32) {
    endCode = code
    // Made here: a signal handler may not make them.
    _ = (ranges, WatchedFile.problem)
    for number in [SIGBUS, SIGSEGV, SIGILL, SIGTRAP] {
      signal(number) { number in
        MappedRanges.endWhereWritten()
        signal(number, SIG_DFL)
      }
    }
    let thread = Thread {
      while true {
        usleep(50_000)
        lock.withLock { _ in endWhereWritten() }
      }
    }
    thread.start()
  }
}

extension StreetNetwork {
  /// From now on ends the process with an exit code and a sentence if somebody writes to a file that it has mapped.
  package static func endWhereFilesAreWrittenTo(code: Int32) { MappedRanges.endWithSentence(code: code) }
}
