import CZlib
import Foundation

/// Returns a zip (APPNOTE 6.3) that stores the given files uncompressed, in order.
public func storedZip(_ files: [(name: String, content: Data)]) -> Data {
  func bytes(_ numbers: [(Int, size: Int)]) -> Data {
    Data(numbers.flatMap { number, size in (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
  }
  var (zip, directory) = (Data(), Data())
  for (name, content) in files {
    let sum = Int(content.withUnsafeBytes { crc32(0, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) })
    let head = [
      (20, 2), (0, 2), (0, 2), (0, 4), (sum, 4), (content.count, 4), (content.count, 4), (name.utf8.count, 2), (0, 2),
    ]
    directory +=
      bytes([(0x0201_4B50, 4), (20, 2)] + head + [(0, 2), (0, 2), (0, 2), (0, 4), (zip.count, 4)]) + Data(name.utf8)
    zip += bytes([(0x0403_4B50, 4)] + head) + Data(name.utf8) + content
  }
  let end = [
    (0x0605_4B50, 4), (0, 2), (0, 2), (files.count, 2), (files.count, 2), (directory.count, 4), (zip.count, 4), (0, 2),
  ]
  return zip + directory + bytes(end)
}
