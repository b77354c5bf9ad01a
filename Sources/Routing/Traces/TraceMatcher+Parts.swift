import Geography
import Hierarchy
import StreetNetwork

extension TraceMatcher {
  func name(of part: MatchedPart) -> String {
    router.name(
      of: part.pieces.map { piece in
        StepDraft(
          maneuver: .depart, attributes: network.street(piece.street.street).attributes, weight: piece.weight, start: 0)
      })
  }

  func fastest(_ part: MatchedPart) -> Weight? {
    func end(_ street: DirectedStreet, _ centimetres: Int, _ point: FixedCoordinate) -> TripEnd {
      let length = Int(network.street(street.street).centimetres)
      let fromTail = street.isReversed ? length - centimetres : centimetres
      let fraction = length > 0 ? Double(fromTail) / Double(length) : 0
      let position = StreetPosition(street: street.street, fraction: fraction, segment: 0)
      return TripEnd(place: point, snap: Snap(position: position, point: point, distance: 0), leg: .zero)
    }
    let (first, last) = (part.pieces[0], part.pieces[part.pieces.count - 1])
    return router.weight(
      from: end(first.street, first.from, part.polyline.points.first!),
      to: end(last.street, last.to, part.polyline.points.last!))
  }
}
