import Hierarchy
import StreetNetwork

/// Consecutive pieces of a trip that are one to the traveller.
struct Stretch {
  /// A row of the network's attributes.
  var attributes: UInt32
  var weight: Weight
  /// Its first point.
  var start: Int
  /// Headings in degrees: setting out on it, and at its end.
  var leaving: Double
  var arriving: Double
}

/// Shorter pieces in passing are not worth a step: an unnamed link between two streets, and the jog by which one
/// crosses to go on along the same street; and the last metres around a corner. Centimetres.
private let shortLink: UInt32 = 15_00
private let shortJog: UInt32 = 30_00
private let shortEnd: UInt32 = 5_00

extension Router {
  /// The stretches of a trip: pieces of one street are joined, short links go to the stretch they lead to.
  func stretches(of trip: Trip, _ shape: TripShape) -> [Stretch] {
    var stretches: [Stretch] = []
    var link: Stretch?
    for (index, piece) in trip.pieces.enumerated() where piece.weight > .zero {
      let street = network.street(piece.street.street)
      var stretch = Stretch(
        attributes: street.attributes, weight: piece.weight, start: shape.starts[index],
        leaving: street.leavingHeading(piece.street.isReversed),
        arriving: street.arrivingHeading(piece.street.isReversed))
      if stretches.isEmpty && link == nil { stretch.leaving = shape.points[stretch.start...].initialHeading }
      if let last = stretches.last, link == nil, isSameStreet(last.attributes, stretch.attributes),
        isStraight(last, stretch) || !isFork(before: piece)
      {
        stretches[stretches.count - 1].extend(by: stretch)
        continue
      }
      if let pending = link {
        if isSameStreet(pending.attributes, stretch.attributes) && isStraight(pending, stretch) {
          link!.extend(by: stretch)
          stretch = link!
          link = nil
          if isLink(stretch) {
            link = stretch
            continue
          }
        } else if !isPlain(stretch.attributes) {
          stretches.append(pending)  // steps, ferries and elevators begin where they begin
          link = nil
        } else {
          stretch.take(pending)
          link = nil
        }
      }
      if isLink(stretch) { link = stretch } else { append(stretch, to: &stretches) }
    }
    if let link { append(link, to: &stretches) }
    joinShortEnds(of: &stretches)
    return stretches
  }

  /// A few metres around a corner at either end are not worth a step.
  private func joinShortEnds(of stretches: inout [Stretch]) {
    if stretches.count > 1, let last = stretches.last, last.weight.centimetres < shortEnd, isPlain(last.attributes) {
      stretches.removeLast()
      stretches[stretches.count - 1].extend(by: last)
    }
    if stretches.count > 1, stretches[0].weight.centimetres < shortEnd, isPlain(stretches[0].attributes),
      isPlain(stretches[1].attributes)
    {
      let first = stretches.removeFirst()
      stretches[0].take(first)
    }
  }

  private func append(_ stretch: Stretch, to stretches: inout [Stretch]) {
    let count = stretches.count
    if count >= 1, isSameStreet(stretches[count - 1].attributes, stretch.attributes),
      isStraight(stretches[count - 1], stretch)
    {
      stretches[count - 1].extend(by: stretch)
    } else if count >= 2, stretches[count - 1].weight.centimetres < shortJog,
      isPlain(stretches[count - 1].attributes),
      isSameStreet(stretches[count - 2].attributes, stretch.attributes), isStraight(stretches[count - 2], stretch)
    {
      let jog = stretches.removeLast()
      stretches[count - 2].extend(by: jog)
      stretches[count - 2].extend(by: stretch)
    } else {
      stretches.append(stretch)
    }
  }

  private func isLink(_ stretch: Stretch) -> Bool {
    stretch.weight.centimetres < shortLink && network.attributes(row: stretch.attributes).name == 0
      && isPlain(stretch.attributes)
  }

  private func isPlain(_ attributes: UInt32) -> Bool { network.attributes(row: attributes).kind.isWalkedPlainly }

  private func isStraight(_ a: Stretch, _ b: Stretch) -> Bool { abs(turn(from: a.arriving, to: b.leaving)) < 45 }

  /// Whether two streets are one to the traveller: of one name, or unnamed and alike.
  func isSameStreet(_ a: UInt32, _ b: UInt32) -> Bool {
    guard a != b else { return true }
    let (first, second) = (network.attributes(row: a), network.attributes(row: b))
    guard first.kind.isWalkedPlainly || first.kind == second.kind,
      first.kind.isWalkedPlainly == second.kind.isWalkedPlainly
    else { return false }
    return first.name == second.name && (first.name != 0 || first.kind.looks == second.kind.looks)
  }

  /// Whether there is another way to go where `piece` begins, besides back.
  private func isFork(before piece: TripPiece) -> Bool { network.wayCount(at: piece.street) > 2 }
}

extension Stretch {
  fileprivate mutating func extend(by next: Stretch) {
    weight = weight + next.weight
    arriving = next.arriving
  }

  /// Begins where `link`, which leads to it, begins.
  fileprivate mutating func take(_ link: Stretch) {
    weight = weight + link.weight
    start = link.start
  }
}

/// The angle of a turn in degrees, right positive, -180..<180.
func turn(from arriving: Double, to leaving: Double) -> Double {
  let angle = leaving - arriving
  return angle - 360 * ((angle + 180) / 360).rounded(.down)
}

extension Street {
  fileprivate func leavingHeading(_ isReversed: Bool) -> Double {
    degrees(isReversed ? headHeading &+ 0x8000 : tailHeading)
  }

  fileprivate func arrivingHeading(_ isReversed: Bool) -> Double {
    degrees(isReversed ? tailHeading &+ 0x8000 : headHeading)
  }

  private func degrees(_ heading: UInt16) -> Double { Double(heading) * 360 / 65_536 }
}

extension Maneuver {
  var isArrival: Bool { self == .arrive || self == .arriveLeft || self == .arriveRight }
}

extension StreetKind {
  /// Neither climbed nor ridden.
  fileprivate var isWalkedPlainly: Bool { self != .steps && self != .ferry && self != .elevator }

  /// Kinds between which the traveller sees no difference worth a step.
  fileprivate var looks: StreetKind { self == .path || self == .corridor || self == .platform ? .footway : self }
}
