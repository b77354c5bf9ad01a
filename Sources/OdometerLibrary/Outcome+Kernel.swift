import COdometer
import Foundation
import OdometerCommand
import Routing

/// The return values of the library's C functions, and each thread's last error message.
enum Outcome {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { free($0) }
    return key
  }()
  private static let none: StaticString = ""

  static var message: UnsafePointer<CChar> {
    (pthread_getspecific(key).map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(none.utf8Start))
      .assumingMemoryBound(to: CChar.self)
  }

  /// Runs the body of a function and converts an error to an exit code and a message.
  static func of(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return ExitCode.finished.rawValue
    } catch {
      let code = ExitCode(error)
      free(pthread_getspecific(key))
      pthread_setspecific(key, strdup(code.sentence(about: error)))
      return code.rawValue
    }
  }
}

/// Returns C strings as Swift strings, without null pointers.
func words(_ pointers: UnsafePointer<UnsafePointer<CChar>?>, _ count: Int32) -> [String] {
  (0..<max(0, Int(count))).compactMap { pointers[$0].map { String(cString: $0) } }
}
