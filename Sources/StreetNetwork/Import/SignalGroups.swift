import Geography

/// Signals of one junction: at its stop lines, where its carriageways meet and at the crossings around it. A trip waits once.
///
///     ───s──c──┬──c──s───     a delay at the first s; none at c, at c and at the second s
///
/// A signal costs what it takes longer than the longest of those that stand within 50 m behind, on the straightest way there.
struct SignalGroups {
  private let list: PieceList
  private let map: OSMImport
  /// The pieces that arrive at each junction, from `first[junction]` on; twice the index, and one more where it is drawn
  /// the other way round.
  private var first: [UInt32]
  private var arriving: [UInt32] = []

  /// Metres between signals of one junction at most: across a street of six lanes, and its crossings.
  private static let reach = 50.0
  /// Pieces that are followed back at most: equally straight ones are followed side by side.
  private static let mostPieces = 8
  /// Degrees: who comes from there turns around.
  private static let around = 150.0

  /// Nil for a map without signals that cost time.
  init?(_ list: PieceList, junctionCount: Int, _ map: OSMImport) {
    guard map.delays.values.contains(where: \.isSignal) else { return nil }
    (self.list, self.map) = (list, map)
    first = Array(repeating: 0, count: junctionCount + 1)
    let ends = 0..<UInt32(list.pieces.count * 2)
    for end in ends where piece(end).forwardSpeed > 0 { first[Int(piece(end).head) + 1] += 1 }
    for junction in 0..<junctionCount { first[junction + 1] += first[junction] }
    arriving = Array(repeating: 0, count: Int(first[junctionCount]))
    var next = first
    for end in ends where piece(end).forwardSpeed > 0 {
      let junction = Int(piece(end).head)
      arriving[Int(next[junction])] = end
      next[junction] += 1
    }
  }

  /// What passing the ends of pieces costs, in milliseconds, where signals stand there: each once.
  var delays: [(piece: Int, head: UInt32, tail: UInt32)] {
    list.pieces.indices.compactMap { index in
      let piece = list.pieces[index]
      guard signal(atHeadOf: piece) ?? signal(atHeadOf: piece.reversed) != nil else { return nil }
      return (index, delay(atHeadOf: piece), delay(atHeadOf: piece.reversed))
    }
  }

  private func delay(atHeadOf piece: Piece) -> UInt32 {
    guard let own = signal(atHeadOf: piece) else { return piece.headDelay }
    return own - min(own, longest(before: piece, within: SignalGroups.reach, over: SignalGroups.mostPieces))
  }

  /// The delay of a signal at the head of a piece; nil where there is none.
  private func signal(atHeadOf piece: Piece) -> UInt32? {
    let node = list.headNode(of: piece)
    guard piece.headDelay > 0, map.delays[node]?.isSignal == true, map.crossings[node] == nil else { return nil }
    return piece.headDelay
  }

  /// The longest delay of signals so many metres behind the head of a piece, or less.
  private func longest(before piece: Piece, within metres: Double, over pieces: Int) -> UInt32 {
    let line = map.points(of: list.nodes(of: piece))
    // A gate has no length.
    let rest = metres - max(1, Polyline(points: line).length)
    guard rest > 0, pieces > 0 else { return 0 }
    let heading = line[...].initialHeading
    let junction = Int(piece.tail)
    let behind = arriving[Int(first[junction])..<Int(first[junction + 1])].map(self.piece).map { before in
      let arrival = map.points(of: list.nodes(of: before))[...].reversedHeading + 180
      return (before, angle: abs(turnAngle(from: arrival, to: heading)).rounded())
    }
    guard let straightest = behind.map(\.angle).min(), straightest < SignalGroups.around else { return 0 }
    return behind.filter { $0.angle == straightest }
      .map { max(signal(atHeadOf: $0.0) ?? 0, longest(before: $0.0, within: rest, over: pieces - 1)) }.max() ?? 0
  }

  private func piece(_ end: UInt32) -> Piece {
    let piece = list.pieces[Int(end / 2)]
    return end % 2 == 0 ? piece : piece.reversed
  }
}
