import Foundation
import Fuzzing

// The entry point for libFuzzer: `make fuzz`. FUZZ_TARGET names the reader.

private let target = FuzzTarget(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "") ?? .places

private let folder: String = {
  let path = NSTemporaryDirectory() + "odometer-fuzz-\(getpid())"
  try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}()

@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
  _ argc: UnsafeMutablePointer<CInt>, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private func feedOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  _ = target.feed(Data(UnsafeBufferPointer(start: start, count: count)), in: folder)
  return 0
}

/// SwiftPM's name for the main function of an executable target.
@_cdecl("fuzzer_main")
public func fuzzerMain(_ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  var (argc, argv) = (argc, argv)
  // Writes the initial inputs for mutations, if a corpus folder is given.
  if let corpus = (1..<Int(argc)).compactMap({ argv[$0].map { String(cString: $0) } }).first(where: {
    !$0.hasPrefix("-")
  }) {
    for (number, seed) in target.seeds.enumerated() {
      try? seed.write(to: URL(fileURLWithPath: "\(corpus)/seed-\(number)"))
    }
  }
  return runLibFuzzer(&argc, &argv) { feedOne($0, $1) }
}
