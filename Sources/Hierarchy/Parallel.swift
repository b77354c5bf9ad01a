import Dispatch
import Synchronization

/// Transforms each element in parallel; each thread takes one element at a time.
package func inParallel<Element: Sendable, Result: Sendable>(
  _ elements: [Element], workers: Int, _ transform: @Sendable (Element) -> Result
) -> [Result] { inParallel(elements, workers: workers, with: {}, { element, _ in transform(element) }) }

/// Transforms each element in parallel, with a working object per thread.
package func inParallel<Element: Sendable, Tool, Result: Sendable>(
  _ elements: [Element], workers: Int, with makeTool: @Sendable () -> Tool,
  _ transform: @Sendable (Element, Tool) -> Result
) -> [Result] {
  guard workers > 1 && elements.count > 1 else {
    let tool = makeTool()
    return elements.map { transform($0, tool) }
  }
  let next = Atomic(0)
  let results = Mutex<[Result?]>(Array(repeating: nil, count: elements.count))
  DispatchQueue.concurrentPerform(iterations: min(workers, elements.count)) { _ in
    let tool = makeTool()
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < elements.count else { return }
      let result = transform(elements[index], tool)
      results.withLock { $0[index] = result }
    }
  }
  return results.withLock { $0.map { $0! } }
}

/// Calls two functions and returns their results. If there is more than one worker, `other` runs on a second thread;
/// otherwise, it runs after `own`.
package func inParallel<Own, Other: Sendable>(
  workers: Int, _ own: () throws -> Own, _ other: @escaping @Sendable () -> Other
) rethrows -> (Own, Other) {
  guard workers > 1 else {
    let own = try own()
    return (own, other())
  }
  let box = ResultBox<Other>()
  let group = DispatchGroup()
  DispatchQueue.global().async(group: group) {
    let value = other()
    box.value.withLock { $0 = value }
  }
  defer { group.wait() }
  let own = try own()
  group.wait()
  return (own, box.value.withLock { $0! })
}

/// A value passed between threads.
private final class ResultBox<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

extension RandomAccessCollection where Index == Int {
  /// Divides the elements into at most `maximumCount` ranges of almost equal length; fewer if there are few elements.
  package func shares(_ maximumCount: Int) -> [SubSequence] {
    batches(of: Swift.max(1, (count + maximumCount - 1) / maximumCount))
  }

  /// Divides the elements into ranges of a given length; the last one may be shorter.
  @inlinable
  package func batches(of size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
  }
}
