import Synchronization

/// A large value that threads share, and that is let go of before those that hold this are gone.
final class Held<Value: Sendable>: Sendable {
  private let held: Mutex<Value?>

  init(_ value: Value) { held = Mutex(value) }

  var value: Value {
    guard let value = held.withLock({ $0 }) else { preconditionFailure("it is gone already") }
    return value
  }

  func release() { held.withLock { $0 = nil } }
}
