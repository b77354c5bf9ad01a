import Foundation

/// Unblocks signals for the calling thread and the threads it starts, in case the parent process has blocked them.
package func unblockSignals(_ numbers: [Int32]) {
  var signals = sigset_t()
  sigemptyset(&signals)
  for number in numbers { sigaddset(&signals, number) }
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}
