import CZlib
import Foundation

/// The part of the PBF format needed for a few nodes, ways and relations:
/// https://wiki.openstreetmap.org/wiki/PBF_Format
///
/// Tags are pairs of indices into the strings of a block, for key and value; roles are such indices, too.
public enum PBF {
  /// Returns a node on the equator, in units of 1e-7 degrees.
  public static func node(_ id: Int, longitude: Int, tags: [(Int, Int)] = []) -> Data {
    bytes(1, number(1, zigzag(id)) + pairs(tags) + number(8, 0) + number(9, zigzag(longitude)))
  }

  /// Returns nodes on the equator in the dense format that most programs write.
  public static func denseNodes(_ nodes: [(id: Int, longitude: Int, tags: [(Int, Int)])]) -> Data {
    let tags = nodes.flatMap { node -> [UInt64] in node.tags.flatMap { [UInt64($0.0), UInt64($0.1)] } + [0] }
    return bytes(
      2,
      packed(1, steps(nodes.map(\.id))) + packed(8, nodes.map { _ in 0 }) + packed(9, steps(nodes.map(\.longitude)))
        + packed(10, tags))
  }

  public static func way(_ id: Int, nodes: [Int], tags: [(Int, Int)]) -> Data {
    bytes(3, number(1, UInt64(id)) + pairs(tags) + packed(8, steps(nodes)))
  }

  /// Returns a relation of ways.
  public static func relation(_ id: Int, members: [(role: Int, way: Int)], tags: [(Int, Int)]) -> Data {
    bytes(
      4,
      number(1, UInt64(id)) + pairs(tags) + packed(8, members.map { UInt64($0.role) })
        + packed(9, steps(members.map(\.way))) + packed(10, members.map { _ in 1 }))
  }

  /// The first block of a file.
  public static let header = bytes(4, Data("OsmSchema-V0.6".utf8)) + bytes(4, Data("DenseNodes".utf8))

  public static func block(strings: [String], _ objects: [Data]) -> Data {
    let table = strings.reduce(into: Data()) { $0 += bytes(1, Data($1.utf8)) }
    return bytes(1, table) + objects.reduce(into: Data()) { $0 += bytes(2, $1) }
  }

  public static func file(strings: [String], _ objects: [Data]) -> Data {
    packed(header: header) + packed(block(strings: strings, objects))
  }

  public static func packed(header: Data, isDeflated: Bool = false) -> Data { blob("OSMHeader", header, isDeflated) }
  public static func packed(_ block: Data, isDeflated: Bool = false) -> Data { blob("OSMData", block, isDeflated) }

  private static func blob(_ type: String, _ block: Data, _ isDeflated: Bool) -> Data {
    let blob = isDeflated ? number(2, UInt64(block.count)) + bytes(3, deflated(block)) : bytes(1, block)
    let head = bytes(1, Data(type.utf8)) + number(3, UInt64(blob.count))
    return withUnsafeBytes(of: UInt32(head.count).bigEndian) { Data($0) } + head + blob
  }

  private static func deflated(_ block: Data) -> Data {
    var size = compressBound(uLong(block.count))
    var deflated = [UInt8](repeating: 0, count: Int(size))
    precondition(compress(&deflated, &size, Array(block), uLong(block.count)) == Z_OK)
    return Data(deflated[..<Int(size)])
  }

  private static func pairs(_ tags: [(Int, Int)]) -> Data {
    packed(2, tags.map { UInt64($0.0) }) + packed(3, tags.map { UInt64($0.1) })
  }

  private static func bytes(_ field: Int, _ contents: Data) -> Data {
    varint(UInt64(field << 3 | 2)) + varint(UInt64(contents.count)) + contents
  }

  private static func number(_ field: Int, _ value: UInt64) -> Data { varint(UInt64(field << 3)) + varint(value) }

  private static func packed(_ field: Int, _ values: [UInt64]) -> Data {
    bytes(field, values.reduce(into: Data()) { $0 += varint($1) })
  }

  private static func steps(_ values: [Int]) -> [UInt64] { zip(values, [0] + values).map { zigzag($0 - $1) } }

  private static func zigzag(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value << 1 ^ value >> 63)) }

  private static func varint(_ value: UInt64) -> Data {
    var (data, value) = (Data(), value)
    while value > 127 {
      data.append(UInt8(value & 127) | 128)
      value >>= 7
    }
    data.append(UInt8(value))
    return data
  }
}
