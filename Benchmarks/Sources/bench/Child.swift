import Foundation

/// Runs a program to its end, and measures its time and memory.
struct Child {
  let wallSeconds: Double
  let cpuSeconds: Double
  let peakMegabytes: Double

  init(_ program: String, _ arguments: [String]) throws {
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var quiet = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&quiet)
    defer { posix_spawn_file_actions_destroy(&quiet) }
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let start = ContinuousClock.now
    var process = pid_t()
    guard posix_spawn(&process, program, &quiet, nil, words, environ) == 0 else { throw Failed(program: program) }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, 0, &usage) == process, status == 0 else { throw Failed(program: program) }
    wallSeconds = (ContinuousClock.now - start) / .seconds(1)
    cpuSeconds = Child.seconds(usage.ru_utime) + Child.seconds(usage.ru_stime)
    peakMegabytes = Double(usage.ru_maxrss) / 1024
  }

  struct Failed: Error { var program: String }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
