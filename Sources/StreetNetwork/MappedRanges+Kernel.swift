import Foundation
import Geography
import Synchronization

/// The files that are mapped, to end a process that computes with one into which somebody writes: whatever it reads there then
/// may lead outside of all arrays, or nowhere for ever.
enum MappedRanges {
  private struct Range {
    var start = 0
    var path: UnsafeMutablePointer<CChar>?
    var file = stat()
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
  private static let advice: StaticString =
    ": the file changed while it was read; start again when it is complete, and replace files by renaming new ones\n"

  static func add(_ bytes: UnsafeRawBufferPointer, _ path: String, _ file: stat) {
    lock.withLock { _ in
      guard let free = (0..<most).first(where: { ranges[$0].path == nil }), let start = bytes.baseAddress
      else { return }
      ranges[free] = Range(start: Int(bitPattern: start), path: strdup(path), file: file)
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
      var now = stat()
      guard let path = ranges[index].path, stat(path, &now) == 0 else { continue }
      let file = ranges[index].file
      guard now.st_dev == file.st_dev, now.st_ino == file.st_ino,
        now.st_size != file.st_size || now.st_mtim.tv_sec != file.st_mtim.tv_sec
          || now.st_mtim.tv_nsec != file.st_mtim.tv_nsec
      else { continue }
      _ = write(STDERR_FILENO, "odometer: ", 10)
      _ = write(STDERR_FILENO, path, strlen(path))
      _ = write(STDERR_FILENO, advice.utf8Start, advice.utf8CodeUnitCount)
      _exit(endCode)
    }
  }

  /// From now on the process ends with `code` and a sentence where somebody writes into a mapped file: twenty times a second that
  /// is looked for, and where reading it has led to a fault.
  static func endWithSentence(code: Int32) {
    endCode = code
    _ = ranges
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
  /// From now on the process ends with an exit code and a sentence where somebody writes into a file that it has mapped.
  package static func endWhereFilesAreWrittenTo(code: Int32) { MappedRanges.endWithSentence(code: code) }
}
