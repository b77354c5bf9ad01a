import Synchronization

/// A value that is created on first use, once, by whichever thread needs it first.
final class Lazy<Value: Sendable>: Sendable {
  private let stored = Mutex<Value?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    stored.withLock { stored in
      if let stored { return stored }
      let value = make()
      stored = value
      return value
    }
  }
}
