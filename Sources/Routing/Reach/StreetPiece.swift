import Geography
import StreetNetwork

/// A part of a street that is reached, as fractions of its shape from its tail: 0 ≤ `from` < `to` ≤ 1.
package struct StreetPiece: Hashable, Sendable {
  package var street: StreetID
  package var from: Double
  package var to: Double
}

extension StreetNetwork {
  /// The points of a stretch of a street, its cut ends included.
  package func points(of piece: StreetPiece) -> [FixedCoordinate] {
    let shape = points[shape(of: piece.street)]
    guard piece.from > 0 || piece.to < 1 else { return Array(shape) }
    let lengths = zip(shape, shape.dropFirst()).map { $0.distance(to: $1) }
    let whole = lengths.reduce(0, +)
    var (cut, before): ([FixedCoordinate], Double) = ([], 0)
    for (index, length) in lengths.enumerated() {
      let (a, b) = (shape[shape.startIndex + index], shape[shape.startIndex + index + 1])
      let (start, end) = (before / whole, (before + length) / whole)
      before += length
      guard end > piece.from && start < piece.to, length > 0 else { continue }
      if cut.isEmpty { cut.append(a.towards(b, max(0, (piece.from - start) / (end - start)))) }
      cut.append(a.towards(b, min(1, (piece.to - start) / (end - start))))
    }
    return cut.count > 1 ? cut : [shape.first!, shape.first!]
  }

  /// The lines over a square from a place on it, as far as one gets within `limit` milliseconds.
  package func lines(overSquareAround end: TripEnd, within limit: UInt32) -> [[FixedCoordinate]] {
    let left = limit - min(limit, end.leg.milliseconds)
    return end.snap.positions.filter(\.isCorner).map { position in
      let part = min(1, Double(left) / Double(max(1, position.line.milliseconds)))
      return [end.snap.point, end.snap.point.towards(point(at: position), part)]
    }
  }

  /// The point of a position on its street.
  func point(at position: StreetPosition) -> FixedCoordinate {
    let shape = points[shape(of: position.street)]
    guard position.fraction > 0 else { return shape.first! }
    return points(of: StreetPiece(street: position.street, from: 0, to: position.fraction)).last!
  }

  /// Metres.
  package func length(of piece: StreetPiece) -> Double {
    Double(street(piece.street).centimetres) / 100 * (piece.to - piece.from)
  }
}

extension FixedCoordinate {
  /// The point at a fraction of the line to another.
  func towards(_ other: FixedCoordinate, _ part: Double) -> FixedCoordinate {
    FixedCoordinate(
      longitude: Int32((Double(longitude) + part * (Double(other.longitude) - Double(longitude))).rounded()),
      latitude: Int32((Double(latitude) + part * (Double(other.latitude) - Double(latitude))).rounded()))
  }
}
