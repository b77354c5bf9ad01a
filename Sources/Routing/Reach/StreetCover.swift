import StreetNetwork

/// How much of each street is reached, from both of its ends and around a place on it. Filled again and again; one object
/// per thread.
final class StreetCover {
  /// By street; zero between fillings.
  private var fromTail: [Double]
  private var fromHead: [Double]
  private var touched: [UInt32] = []
  private var own: [StreetPiece] = []

  init(streetCount: Int) {
    fromTail = Array(repeating: 0, count: streetCount)
    fromHead = fromTail
  }

  /// Marks a part of a street from where it starts in its direction, or from where it ends.
  func cover(_ directed: DirectedStreet, isFromEnd: Bool, _ part: Double) {
    let street = directed.street.index
    guard part > 0 else { return }
    touched.append(street)
    if directed.isReversed == isFromEnd {
      fromTail[Int(street)] = max(fromTail[Int(street)], part)
    } else {
      fromHead[Int(street)] = max(fromHead[Int(street)], part)
    }
  }

  /// Marks so much of a street before a point of it, and behind it.
  func cover(around point: StreetPosition, before: Double, behind: Double) {
    let (low, high) = (max(0, point.fraction - before), min(1, point.fraction + behind))
    guard low < high else { return }
    own.append(StreetPiece(street: point.street, from: low, to: high))
    touched.append(point.street.index)
  }

  /// What is covered, by street; nothing is from then on.
  func takePieces() -> [StreetPiece] {
    touched.sort()
    var pieces: [StreetPiece] = []
    var last = UInt32.max
    for street in touched where street != last {
      last = street
      append(StreetID(street), to: &pieces)
      fromTail[Int(street)] = 0
      fromHead[Int(street)] = 0
    }
    touched.removeAll(keepingCapacity: true)
    own.removeAll(keepingCapacity: true)
    return pieces
  }

  /// The stretches of a street, those that touch merged.
  private func append(_ street: StreetID, to pieces: inout [StreetPiece]) {
    var stretches = [(from: 0.0, to: fromTail[Int(street.index)]), (from: 1 - fromHead[Int(street.index)], to: 1.0)]
    for piece in own where piece.street == street { stretches.append((piece.from, piece.to)) }
    stretches = stretches.filter { $0.from < $0.to }.sorted { $0 < $1 }
    guard var open = stretches.first else { return }
    for stretch in stretches.dropFirst() {
      if stretch.from <= open.to {
        open.to = max(open.to, stretch.to)
      } else {
        pieces.append(StreetPiece(street: street, from: open.from, to: open.to))
        open = stretch
      }
    }
    pieces.append(StreetPiece(street: street, from: open.from, to: open.to))
  }
}
