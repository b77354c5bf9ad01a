import Foundation
import Fuzzing
import TestMaps
import Testing

/// Every reader with mutations of valid input: `FUZZ_INPUTS` each, from `FUZZ_SEED`. `make fuzz` runs for hours, guided
/// by coverage.
struct FuzzingTests {
  private static func setting(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
  private static let seed = UInt64(setting("FUZZ_SEED") ?? 1)

  private func count(for target: FuzzTarget) -> Int {
    FuzzingTests.setting("FUZZ_INPUTS") ?? (target.buildsNetworks ? 200 : 1000)
  }

  @Test(arguments: FuzzTarget.allCases)
  func refusesMalformedInputWithAMessage(target: FuzzTarget) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    var mutator = Mutator(target, seed: FuzzingTests.seed)
    for bytes in target.seeds {
      #expect(target.feed(bytes, in: scratch.folder) == nil, "\(target)'s own seed is refused")
    }
    // Saved, so that the input remains if a crash ends the process.
    let last = Project.path(".build/fuzz-\(target)")
    let count = count(for: target)
    var refused = 0
    for _ in 0..<count {
      let bytes = mutator.next()
      _ = FileManager.default.createFile(atPath: last, contents: bytes)
      if let sentence = target.feed(bytes, in: scratch.folder) {
        refused += 1
        #expect(sentence.contains(" "), "\(target): \(sentence.prefix(300))")
        #expect(
          !sentence.hasPrefix("Error Domain") && !sentence.contains("SwiftError"), "\(target): \(sentence.prefix(300))")
      }
    }
    unlink(last)
    if !target.mayAcceptAll { #expect(refused > 0) }
    print("\(target): \(count) inputs, \(refused) refused")
  }
}
