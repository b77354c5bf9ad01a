import Foundation
import TestMaps

/// A PBF file made from bytes: the first byte determines whether the others are a whole file, or the content of one
/// block, which is packed correctly. Few mutations of a packed block would get past its checksum.
struct OddBlocks {
  let file: Data

  init(_ bytes: Data) {
    let rest = Data(bytes.dropFirst())
    switch (bytes.first ?? 0) % 4 {
    case 0: file = rest
    case 1: file = PBF.packed(header: PBF.header) + PBF.packed(rest)
    case 2: file = PBF.packed(header: PBF.header, isDeflated: true) + PBF.packed(rest, isDeflated: true)
    default: file = PBF.packed(header: rest, isDeflated: true) + PBF.packed(OddBlocks.nodesAndWays, isDeflated: true)
    }
  }

  static let seeds: [Data] = [
    seed(0, PBF.packed(header: PBF.header), PBF.packed(nodesAndWays), PBF.packed(relations)),
    seed(
      0, PBF.packed(header: PBF.header, isDeflated: true), PBF.packed(nodesAndWays, isDeflated: true),
      PBF.packed(relations, isDeflated: true)),
    seed(1, nodesAndWays), seed(2, nodesAndWays), seed(2, all), seed(3, PBF.header),
  ]

  private static func seed(_ kind: UInt8, _ parts: Data...) -> Data { parts.reduce(Data([kind]), +) }

  private static let strings = [
    "", "highway", "residential", "name", "Rua", "barrier", "gate", "note", "a\0b", "type", "restriction",
    "no_left_turn", "from", "via", "to", "multipolygon", "outer", "in\0ner", "area", "yes",
  ]

  private static let streets: [Data] = [
    PBF.denseNodes([(1, 10_000, []), (2, 20_000, [(5, 6), (7, 8)]), (3, 30_000, [(1, 2)])]),
    PBF.node(4, longitude: 40_000, tags: [(7, 8), (5, 6)]), PBF.way(1, nodes: [1, 2], tags: [(1, 2), (3, 4)]),
    PBF.way(2, nodes: [2, 3], tags: [(1, 2), (7, 8), (18, 19)]), PBF.way(3, nodes: [3, 4, 1], tags: [(1, 2)]),
  ]
  private static let turns: [Data] = [
    PBF.relation(1, members: [(12, 1), (13, 2), (14, 3)], tags: [(9, 10), (10, 11)]),
    PBF.relation(2, members: [(16, 1), (17, 2)], tags: [(9, 15)]),
  ]
  private static let nodesAndWays = PBF.block(strings: strings, streets)
  private static let relations = PBF.block(strings: strings, turns)
  private static let all = PBF.block(strings: strings, streets + turns)
}
