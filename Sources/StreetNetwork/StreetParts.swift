import Hierarchy

/// The parts of all streets, street by street, in the format of the network file.
struct StreetParts: Sendable {
  /// The index of each street's first part, then the total number of parts.
  let first: Column<UInt32>
  let records: Column<Record>

  /// The record has no padding, since it is written as bytes.
  struct Record: Sendable, BitwiseCopyable {
    var way: Int64
    /// An index within the street's shape.
    var firstPoint: UInt32
    var flags: UInt32

    var isReversed: Bool { flags & 1 == 1 }
  }
}

extension StreetParts {
  /// Collects the parts of streets, one street after another.
  struct Builder {
    private var first: [UInt32] = [0]
    private var records: [Record] = []

    init(streetCount: Int) {
      first.reserveCapacity(streetCount + 1)
      records.reserveCapacity(streetCount)
    }

    /// Appends the parts of a street; merges successive parts that continue along the same way.
    mutating func append(_ parts: [PiecePart], of map: OSMImport) {
      var point: UInt32 = 0
      var last: PiecePart?
      for part in parts {
        if last?.continues(in: part, on: map) != true {
          records.append(Record(way: map.ways[Int(part.way)].id, firstPoint: point, flags: part.isReversed ? 1 : 0))
        }
        point += part.segments
        last = part
      }
      first.append(UInt32(records.count))
    }

    /// Appends the parts of further streets.
    mutating func append(_ other: Builder) {
      let start = UInt32(records.count)
      for end in other.first.dropFirst() { first.append(start + end) }
      records += other.records
    }

    var parts: StreetParts { StreetParts(first: Column(first), records: Column(records)) }
  }
}
