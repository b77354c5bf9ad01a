import Synchronization

/// A value that is created on first use, once, by whichever thread needs it first.
final class Lazy<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    known.withLock { known in
      if let known { return known }
      let value = make()
      known = value
      return value
    }
  }
}
