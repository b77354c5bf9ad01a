/// The heads of a geometry in well-known binary (OGC 06-103r4, and PostGIS' flags), without its positions.
struct WKBHeads {
  private let bytes: [UInt8]
  private var at = 0

  /// Whether the bytes are a point, a line or a polygon, or several of one of them: nothing deeper.
  static func areFlat(_ bytes: [UInt8]) -> Bool {
    var heads = WKBHeads(bytes: bytes)
    return heads.skipFlat() != nil
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private struct Head {
    var isLittle: Bool
    /// 1 point, 2 line, 3 polygon, 4 to 6 several of these.
    var type: UInt32
    var dimensions: Int
  }

  /// Nil where there is something else, or too little.
  private mutating func skipFlat() -> Void? {
    guard let head = head() else { return nil }
    guard (4...6).contains(head.type) else { return skipSimple(head) }
    guard let count = number(head.isLittle) else { return nil }
    for _ in 0..<count {
      guard let part = self.head(), part.type == head.type - 3, skipSimple(part) != nil else { return nil }
    }
    return ()
  }

  private mutating func head() -> Head? {
    guard at < bytes.count, bytes[at] <= 1 else { return nil }
    let isLittle = bytes[at] == 1
    at += 1
    guard let code = number(isLittle) else { return nil }
    let (flags, plain) = (code >> 29, code & 0x1FFF_FFFF)
    // PostGIS: the fourth bit from above for height, the next for a measure, the next for a system of coordinates.
    if flags & 1 == 1, number(isLittle) == nil { return nil }
    let more = Int(flags >> 2 & 1) + Int(flags >> 1 & 1) + [0, 1, 1, 2, 0][min(4, Int(plain / 1000))]
    return Head(isLittle: isLittle, type: plain % 1000, dimensions: 2 + more)
  }

  private mutating func skipSimple(_ head: Head) -> Void? {
    switch head.type {
    case 1: return skip(positions: 1, head)
    case 2: return number(head.isLittle).flatMap { skip(positions: Int($0), head) }
    case 3:
      guard let rings = number(head.isLittle) else { return nil }
      for _ in 0..<rings {
        guard let count = number(head.isLittle), skip(positions: Int(count), head) != nil else { return nil }
      }
      return ()
    default: return nil
    }
  }

  private mutating func skip(positions count: Int, _ head: Head) -> Void? {
    let length = count * head.dimensions * 8
    guard length <= bytes.count - at else { return nil }
    at += length
    return ()
  }

  private mutating func number(_ isLittle: Bool) -> UInt32? {
    guard bytes.count - at >= 4 else { return nil }
    let four = bytes[at..<at + 4]
    at += 4
    return (isLittle ? Array(four.reversed()) : Array(four)).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
