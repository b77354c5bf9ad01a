/// A stretch of a street on one OpenStreetMap way: between the street's ends, and the nodes where one way ends and the
/// next begins.
///
///     a══way 7══b══way 7══c──way 8──d        one street from a to d, in two parts: nothing that matters is at b
///
/// The parts of a street cover it from tail to head. A line across a square is drawn by Odometer, not by a mapper: its
/// way is 0, its nodes are real. Gates and boardings have no length, and no parts.
package struct StreetPart: Hashable, Sendable {
  /// OpenStreetMap's IDs; a part is a run of the way's nodes, in their order or against it.
  package var way: Int64
  package var tailNode: Int64
  package var headNode: Int64
  /// Whether it runs against the way's drawn direction from tail to head.
  package var isReversed: Bool
  /// Its points among the network's, both ends included.
  package var points: Range<Int>
  /// Its share of the street's length: those of all parts add up to it.
  package var centimetres: UInt32
}

extension StreetNetwork {
  /// The parts of a street, from its tail to its head; none for a gate or a boarding.
  package func parts(of street: StreetID) -> [StreetPart] {
    let records = partRecords(of: street)
    let shape = shape(of: street)
    var (metres, before) = (0.0, 0.0)
    return records.map { index in
      let record = parts.records[index]
      let first = shape.lowerBound + Int(record.firstPoint)
      let isLast = index + 1 == records.upperBound
      let last = isLast ? shape.upperBound - 1 : shape.lowerBound + Int(parts.records[index + 1].firstPoint)
      for point in first..<last { metres += points[point].distance(to: points[point + 1]) }
      // As the street's own length is rounded, so that the shares add up.
      let after = isLast ? Double(self.street(street).centimetres) : (metres * 100).rounded()
      defer { before = after }
      return StreetPart(
        way: record.way, tailNode: pointNodes[first], headNode: pointNodes[last], isReversed: record.isReversed,
        points: first..<last + 1, centimetres: UInt32(max(0, after - before)))
    }
  }

  private func partRecords(of street: StreetID) -> Range<Int> {
    Int(parts.first[Int(street.index)])..<Int(parts.first[Int(street.index) + 1])
  }
}
