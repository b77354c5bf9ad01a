import Dispatch
import Synchronization

/// What `transform` makes of each element: elements are taken in turns by so many threads.
func inParallel<Element: Sendable, Result: Sendable>(
  _ elements: [Element], workers: Int, _ transform: @Sendable (Element) -> Result
) -> [Result] {
  guard workers > 1 && elements.count > 1 else { return elements.map(transform) }
  let next = Atomic(0)
  let results = Mutex<[Result?]>(Array(repeating: nil, count: elements.count))
  DispatchQueue.concurrentPerform(iterations: min(workers, elements.count)) { _ in
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < elements.count else { return }
      let result = transform(elements[index])
      results.withLock { $0[index] = result }
    }
  }
  return results.withLock { $0.map { $0! } }
}
