import Geography
import StreetNetwork

/// The reached parts of each street, collected from both of its ends and around a place on it. Reusable; each thread
/// needs its own object.
final class StreetCover {
  /// For each street, the fraction reached from its tail and the fraction reached from its head; zero between uses.
  private let parts: UnsafeMutablePointer<SIMD2<Double>>
  /// One bit per street, set if it has a part.
  private let marks: UnsafeMutablePointer<UInt64>
  private let words: Int
  /// Parts that were not marked from an end of their street.
  private var own: [StreetPiece] = []

  init(streetCount: Int) {
    words = (streetCount + 63) / 64
    parts = .allocate(capacity: max(1, streetCount))
    parts.initialize(repeating: .zero, count: streetCount)
    marks = .allocate(capacity: max(1, words))
    marks.initialize(repeating: 0, count: words)
  }

  /// Returns the bytes for `streetCount` streets.
  static func memory(streetCount: Int) -> Int { streetCount * MemoryLayout<SIMD2<Double>>.stride + streetCount / 8 }

  deinit {
    parts.deallocate()
    marks.deallocate()
  }

  private func mark(_ street: StreetID) { marks[Int(street.index >> 6)] |= 1 << UInt64(street.index & 63) }

  /// Marks a fraction of a street from its start or from its end.
  func cover(_ directed: DirectedStreet, isFromEnd: Bool, _ part: Double) {
    guard part > 0 else { return }
    let (street, side) = (directed.street, directed.isReversed == isFromEnd ? 0 : 1)
    mark(street)
    parts[Int(street.index)][side] = max(parts[Int(street.index)][side], part)
  }

  /// Marks a part of a street, given as fractions from its start or from its end.
  func cover(_ directed: DirectedStreet, isFromEnd: Bool, _ part: Range<Double>) {
    guard part.lowerBound > 0 else { return cover(directed, isFromEnd: isFromEnd, part.upperBound) }
    let isFromTail = directed.isReversed == isFromEnd
    let end = StreetPosition(street: directed.street, fraction: isFromTail ? 0 : 1, segment: 0)
    cover(end, isAfter: isFromTail, part)
  }

  /// Marks a part of a street, given as fractions of the street before or after a point on it.
  func cover(_ point: StreetPosition, isAfter: Bool, _ part: Range<Double>) {
    let stretch =
      isAfter
      ? (point.fraction + part.lowerBound, point.fraction + part.upperBound)
      : (point.fraction - part.upperBound, point.fraction - part.lowerBound)
    let (low, high) = (max(0, stretch.0), min(1, stretch.1))
    guard low < high else { return }
    own.append(StreetPiece(street: point.street, from: low, to: high))
    mark(point.street)
  }

  /// Returns the covered parts in order of street, and clears them.
  func takePieces() -> [StreetPiece] {
    own.sort { $0.street.index < $1.street.index }
    var pieces: [StreetPiece] = []
    var ownPieces = own[...]
    for word in 0..<words {
      var bits = marks[word]
      marks[word] = 0
      while bits != 0 {
        let street = UInt32(word * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
        let end = ownPieces.firstIndex { $0.street.index != street } ?? ownPieces.endIndex
        append(StreetID(street), ownPieces[..<end], to: &pieces)
        ownPieces = ownPieces[end...]
        parts[Int(street)] = .zero
      }
    }
    own.removeAll(keepingCapacity: true)
    return pieces
  }

  /// Appends the parts of a street, with overlapping and adjacent ones merged.
  private func append(_ street: StreetID, _ own: ArraySlice<StreetPiece>, to pieces: inout [StreetPiece]) {
    let (tail, head) = (parts[Int(street.index)][0], 1 - parts[Int(street.index)][1])
    // Most streets need no arrays.
    if own.isEmpty {
      let isWhole = tail > 0 && head < 1 && head <= tail
      if isWhole {
        pieces.append(StreetPiece(street: street, from: min(0, head), to: max(tail, 1)))
      } else {
        if tail > 0 { pieces.append(StreetPiece(street: street, from: 0, to: tail)) }
        if head < 1 { pieces.append(StreetPiece(street: street, from: head, to: 1)) }
      }
      return
    }
    let ends = [StreetPiece(street: street, from: 0, to: tail), StreetPiece(street: street, from: head, to: 1)]
    let stretches = (ends + own).filter { $0.from < $0.to }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    guard var current = stretches.first else { return }
    for stretch in stretches.dropFirst() {
      if stretch.from <= current.to {
        current.to = max(current.to, stretch.to)
      } else {
        pieces.append(current)
        current = stretch
      }
    }
    pieces.append(current)
  }
}

/// A reached part of a street, as fractions of its shape from its tail: 0 ≤ `from` < `to` ≤ 1.
package struct StreetPiece: Hashable, Sendable {
  package var street: StreetID
  package var from: Double
  package var to: Double

  var isWhole: Bool { from <= 0 && to >= 1 }
}

extension [StreetPiece] {
  /// Returns the pieces that are not in `others`. Both lists must come from a `StreetCover`, and `others` must lie
  /// within this list's pieces.
  package func without(_ others: [StreetPiece]) -> [StreetPiece] {
    var rest = others[...]
    return filter { piece in
      rest = rest.drop { ($0.street.index, $0.from) < (piece.street.index, piece.from) }
      return rest.first != piece
    }
  }
}

extension StreetNetwork {
  /// Returns the points of a part of a street, including its cut ends, without consecutive duplicates. A part shorter
  /// than the resolution of coordinates has the same point twice.
  package func points(of piece: StreetPiece) -> [FixedCoordinate] {
    let shape = points[shape(of: piece.street)]
    guard !piece.isWhole else { return Array(shape) }
    let lengths = zip(shape, shape.dropFirst()).map { $0.distance(to: $1) }
    let whole = lengths.reduce(0, +)
    var (cut, before): ([FixedCoordinate], Double) = ([], 0)
    for (index, length) in lengths.enumerated() {
      let (a, b) = (shape[shape.startIndex + index], shape[shape.startIndex + index + 1])
      let (start, end) = (before / whole, (before + length) / whole)
      before += length
      guard end > piece.from && start < piece.to, length > 0 else { continue }
      if cut.isEmpty { cut.append(a.towards(b, max(0, (piece.from - start) / (end - start)))) }
      let next = a.towards(b, min(1, (piece.to - start) / (end - start)))
      if cut.last != next { cut.append(next) }
    }
    let point = cut.first ?? shape.first!
    return cut.count > 1 ? cut : [point, point]
  }

  /// Returns the lines along pieces of streets (for ferries and trains, only the points at their ends), and across
  /// squares up to `limit` milliseconds.
  package func lines(
    of pieces: [StreetPiece], _ rays: [TimedRay], _ squares: SquareTimes, around end: TripEnd, within limit: UInt32
  ) -> LineList {
    var lines = LineList()
    for piece in pieces {
      guard !attributes(of: piece.street).kind.isVehicle else {
        // Trips leave a ferry or a train only at its ends.
        let shape = points[shape(of: piece.street)]
        if piece.from <= 0 { lines.append([shape.first!, shape.first!]) }
        if piece.to >= 1 { lines.append([shape.last!, shape.last!]) }
        continue
      }
      guard piece.isWhole else {
        lines.append(points(of: piece))
        continue
      }
      let shape = shape(of: piece.street)
      lines.append(UnsafeBufferPointer(start: points.base + shape.lowerBound, count: shape.count))
    }
    if squares.contain(end, within: limit) { lines.append([end.snap.point, end.snap.point]) }
    for ray in rays {
      squares.forEachPart(of: ray, within: limit) {
        lines.append([ray.point(at: $0.lowerBound), ray.point(at: $0.upperBound)])
      }
    }
    return lines
  }

  func point(at position: StreetPosition) -> FixedCoordinate {
    let shape = points[shape(of: position.street)]
    guard position.fraction > 0 else { return shape.first! }
    return points(of: StreetPiece(street: position.street, from: 0, to: position.fraction)).last!
  }

  /// Returns the length of a piece in metres; zero on a ferry or a train.
  package func length(of piece: StreetPiece) -> Double {
    guard !attributes(of: piece.street).kind.isVehicle else { return 0 }
    return Double(street(piece.street).centimetres) / 100 * (piece.to - piece.from)
  }
}
