import Foundation
import Geography
import Synchronization

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

/// The mapped files, which are watched for changes: if one is written to, a search in it may read out of bounds or
/// never terminate, so the process exits.
enum MappedRanges {
  private struct Range {
    var start = 0
    /// The path given by the user.
    var path: UnsafeMutablePointer<CChar>?
    /// Kept open, so that the file is watched even if it is renamed.
    var file: Int32 = -1
    var identity: FileIdentity?
    /// Whether numbers in the file are used as indices while it is mapped.
    var holdsColumns = false
  }

  /// The maximum number of watched files.
  private static let maximumFiles = 256
  /// Read by a signal handler, which must not wait for a lock.
  nonisolated(unsafe) private static let ranges = {
    let ranges = UnsafeMutablePointer<Range>.allocate(capacity: maximumFiles)
    ranges.initialize(repeating: Range(), count: maximumFiles)
    return ranges
  }()
  private static let lock = Mutex(())
  nonisolated(unsafe) private static var exitCode: Int32 = 1

  /// Adds a mapped file. Returns whether the file is watched; `remove` then closes `file`.
  static func add(
    _ bytes: UnsafeRawBufferPointer, _ path: String, _ file: Int32, _ identity: FileIdentity, holdsColumns: Bool
  ) -> Bool {
    lock.withLock { _ in
      guard let free = (0..<maximumFiles).first(where: { ranges[$0].path == nil }), let start = bytes.baseAddress
      else { return false }
      ranges[free] = Range(
        start: Int(bitPattern: start), path: strdup(path), file: file, identity: identity, holdsColumns: holdsColumns)
      return true
    }
  }

  static func remove(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress.map { Int(bitPattern: $0) }
    lock.withLock { _ in
      guard let known = (0..<maximumFiles).first(where: { ranges[$0].path != nil && ranges[$0].start == start }) else {
        return
      }
      let (path, file) = (ranges[known].path, ranges[known].file)
      ranges[known].path = nil
      free(path)
      close(file)
    }
  }

  /// Exits with a message if a mapped file has been written to. Makes only async-signal-safe calls, unless `action`
  /// runs first.
  private static func exitIfFilesChanged(columnsOnly: Bool = false, beforeExit action: (() -> Void)? = nil) {
    for index in 0..<maximumFiles where ranges[index].holdsColumns || !columnsOnly {
      var status = stat()
      guard let path = ranges[index].path, let identity = ranges[index].identity,
        fstat(ranges[index].file, &status) == 0, FileIdentity(status).hasBeenWritten(since: identity)
      else { continue }
      if let action {
        isEnding.store(true, ordering: .relaxed)
        // Neither the disk nor a full pipe may delay the exit.
        unblockSignals([SIGALRM])
        signal(SIGALRM) { _ in _exit(MappedRanges.exitCode) }
        alarm(1)
        action()
      }
      printError("odometer: ")
      _ = write(STDERR_FILENO, path, strlen(path))
      printError(": ")
      printError(WatchedFile.problem)
      printError("\n")
      _exit(exitCode)
    }
  }

  private static func printError(_ text: StaticString) {
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static let faults = [SIGBUS, SIGSEGV, SIGILL, SIGTRAP]
  private static let isWatching = Atomic<Bool>(false)
  /// Whether a thread is about to exit the process.
  private static let isEnding = Atomic<Bool>(false)

  /// While `body` runs, exits with `code` and a message if a mapped file is written to. Checks networks and speeds
  /// twenty times a second, and all files on each fault signal.
  ///
  /// - Parameter action: Called before exiting, unless a fault signal comes first.
  static func exitingWithMessage<R>(
    code: Int32, beforeExit action: @escaping @Sendable () -> Void, during body: () -> R
  ) -> R {
    // An application that uses the library may run commands in parallel; only one of them watches the files.
    guard !isWatching.exchange(true, ordering: .relaxed) else { return body() }
    exitCode = code
    // These are initialized here, since a signal handler must not initialize them.
    _ = (ranges, WatchedFile.problem, isEnding.load(ordering: .relaxed))
    unblockSignals(faults)
    let previous = faults.map { number in
      signal(number) { number in
        while MappedRanges.isEnding.load(ordering: .relaxed) { pause() }
        MappedRanges.exitIfFilesChanged()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    let thread = Thread {
      while isWatching.load(ordering: .relaxed) {
        usleep(50_000)
        lock.withLock { _ in exitIfFilesChanged(columnsOnly: true, beforeExit: action) }
      }
    }
    thread.start()
    defer {
      isWatching.store(false, ordering: .relaxed)
      for (number, handler) in zip(faults, previous) { signal(number, handler) }
    }
    return body()
  }
}

extension StreetNetwork {
  /// While `body` runs, exits with `code` and a message if a mapped file is written to.
  ///
  /// - Parameter action: Called before exiting, unless a fault signal comes first.
  package static func exitingIfFilesChange<R>(
    code: Int32, beforeExit action: @escaping @Sendable () -> Void, during body: () -> R
  ) -> R { MappedRanges.exitingWithMessage(code: code, beforeExit: action, during: body) }
}
