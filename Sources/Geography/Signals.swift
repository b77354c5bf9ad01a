import Foundation

/// Lets the calling thread, and threads that it starts, receive signals that the parent process may have blocked.
package func unblockSignals(_ numbers: [Int32]) {
  var signals = sigset_t()
  sigemptyset(&signals)
  for number in numbers { sigaddset(&signals, number) }
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}
