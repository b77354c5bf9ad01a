import Geography
import Hierarchy
import StreetNetwork

/// A straight line along which trips cross a square, with the milliseconds between the place and each end of the line.
package struct TimedRay: Sendable {
  fileprivate let line: SquareRay
  /// The line as a section of street.
  fileprivate let street: TimedWeight
  let start: UInt32
  /// `UInt32.max` if no trip passes the whole line.
  package let end: UInt32

  func point(at fraction: Double) -> FixedCoordinate {
    fraction <= 0 ? line.from : fraction < 1 ? line.from.towards(line.to, fraction) : line.to
  }
}

/// The times of straight lines across squares, as of a street, on trips from or to a place at one time.
package struct SquareTimes {
  let times: any StreetTimes

  /// Returns whether the place is on a square that is partly within `limit` milliseconds.
  package func contain(_ end: TripEnd, within limit: UInt32) -> Bool {
    var isReached = false
    if let square = end.snap.square, let street = street(square) {
      forEachPart(of: street, end.leg.milliseconds, within: limit) { isReached = isReached || !$0.isEmpty }
    }
    return isReached
  }

  /// Calls `body` with the parts of a line that trips travel within a limit, as fractions from its start.
  func forEachPart(of ray: TimedRay, within limit: UInt32, _ body: (Range<Double>) -> Void) {
    forEachPart(of: ray.street, ray.start, within: limit, body)
  }

  private func forEachPart(
    of street: TimedWeight, _ start: UInt32, within limit: UInt32, _ body: (Range<Double>) -> Void
  ) {
    guard start < limit else { return }
    times.forEachPart(of: street, start, within: limit) { if !$0.isEmpty { body($0) } }
  }

  /// Returns the street that represents a square; nil if the square is closed at all times.
  private func street(_ square: StreetID) -> TimedWeight? {
    times.weight(of: DirectedStreet(square, isReversed: false), as: .any)
  }

  /// Returns straight lines across the squares within `limit` milliseconds of a place: from the place to the corners
  /// and, unless the buffer in metres is too narrow to fill squares, in all directions from the place and from the
  /// corners at which trips arrive along `stretches`.
  package func rays(
    around end: TripEnd, _ stretches: [TimedStretch], within limit: UInt32, buffer: Double
  ) -> [TimedRay] {
    let network = times.reach.network
    var rays: [TimedRay] = []
    func add(_ lines: [SquareRay], over square: StreetID, from start: UInt32) {
      guard let known = street(square) else { return }
      for line in lines {
        let weight = Weight(milliseconds: max(1, line.milliseconds), centimetres: 0)
        let street = TimedWeight(weight, profile: known.profile, closing: known.closing)
        rays.append(TimedRay(line: line, street: street, start: start, end: times.farTime(street, start) ?? .max))
      }
    }
    let (place, isWide) = (end.snap, buffer >= AreaBuilder.minimumOutlined)
    if let square = place.square {
      let lines = place.positions.filter(\.isCorner).map {
        SquareRay(from: place.point, to: network.point(at: $0), milliseconds: $0.line.milliseconds)
      }
      add(lines + (isWide ? network.rays(from: place, buffer: buffer) : []), over: square, from: end.leg.milliseconds)
    }
    let corners = network.squareCorners
    guard isWide, !corners.isEmpty else { return rays }
    var arrivals: [SquareCorner: UInt32] = [:]
    for stretch in stretches {
      for (fraction, time) in [(stretch.from, stretch.start), (stretch.to, stretch.end)]
      where (fraction == 0 || fraction == 1) && time < limit {
        for corner in corners[DirectedStreet(stretch.street, isReversed: fraction == 0)] ?? [] {
          arrivals[corner] = min(arrivals[corner] ?? .max, time)
        }
      }
    }
    func rank(_ corner: SquareCorner) -> (UInt32, Int32, Int32) {
      (corner.square.index, corner.point.longitude, corner.point.latitude)
    }
    for (corner, time) in arrivals.sorted(by: { rank($0.key) < rank($1.key) }) {
      add(network.rays(from: corner, buffer: buffer), over: corner.square, from: time)
    }
    return rays
  }
}
