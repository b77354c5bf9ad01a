import Foundation
import Fuzzing
import TestMaps
import Testing

/// Every reader, fed with mutations of good input for some seconds (`FUZZ_SECONDS`, 4 each). `make fuzz` goes on for
/// hours, led by coverage.
@Suite(.serialized)
struct FuzzingTests {
  private static let seconds = ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap { Double($0) } ?? 4

  @Test(arguments: FuzzTarget.allCases)
  func whatIsRefusedIsRefusedWithASentence(target: FuzzTarget) async throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let seed = UInt64(Date().timeIntervalSince1970) / 86_400  // another one every day, the same all day
    var mutator = Mutator(target, seed: seed)
    for bytes in target.seeds {
      #expect(target.feed(bytes, in: scratch.folder) == nil, "\(target)'s own seed is refused")
    }
    let end = ContinuousClock.now + .seconds(FuzzingTests.seconds)
    // Where a crash takes the process with it, its input stays.
    let last = Project.path(".build/fuzz-\(target)")
    var (fed, refused) = (0, 0)
    while ContinuousClock.now < end || fed < 40 {
      let bytes = mutator.next()
      _ = FileManager.default.createFile(atPath: last, contents: bytes)
      let start = ContinuousClock.now
      let sentence = target.feed(bytes, in: scratch.folder)
      #expect(ContinuousClock.now - start < .seconds(10), "\(target) took long: \(last)")
      fed += 1
      if let sentence {
        refused += 1
        #expect(sentence.contains(" "), "\(target): \(sentence.prefix(300))")
        #expect(
          !sentence.hasPrefix("Error Domain") && !sentence.contains("SwiftError"), "\(target): \(sentence.prefix(300))")
      }
      await Task.yield()
    }
    unlink(last)
    // A damaged network file is made again; an odd map may be as good as another.
    #expect((refused > 0 || target == .network || target == .map), "\(fed) inputs, \(refused) refused")
    print("\(target): \(fed) inputs, \(refused) refused")
  }
}
