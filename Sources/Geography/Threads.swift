import Foundation
import Synchronization

/// Unblocks signals for the calling thread and the threads it starts, in case the parent process has blocked them.
package func unblockSignals(_ numbers: [Int32]) {
  var signals = sigset_t()
  sigemptyset(&signals)
  for number in numbers { sigaddset(&signals, number) }
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}

extension Mutex {
  /// Returns the value. Creates it under the lock on first use.
  @inlinable
  package func value<Stored: Sendable, Failure>(
    _ make: () throws(Failure) -> Stored
  ) throws(Failure) -> Stored where Value == Stored? {
    try withLock { stored throws(Failure) in
      if let stored { return stored }
      let value = try make()
      stored = value
      return value
    }
  }

  /// Returns the value of a key. Creates it under the lock on first use.
  @inlinable
  package func value<Key: Hashable & Sendable, Stored: Sendable, Failure>(
    for key: Key, _ make: () throws(Failure) -> Stored
  ) throws(Failure) -> Stored where Value == [Key: Stored] {
    try withLock { values throws(Failure) in
      if let value = values[key] { return value }
      let value = try make()
      values[key] = value
      return value
    }
  }
}
