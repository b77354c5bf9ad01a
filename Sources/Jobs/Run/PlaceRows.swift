import StreetNetwork
import Tables

/// The rows of table `place`, made one after the other while they are written.
struct PlaceRows<Places: Sequence<InputPlace>, Snapped: Sequence<SnappedPlace>>: Sequence {
  let places: Places
  let snapped: Snapped
  let network: StreetNetwork

  func makeIterator() -> Iterator {
    Iterator(places: places.makeIterator(), snapped: snapped.makeIterator(), network: network)
  }

  struct Iterator: IteratorProtocol {
    fileprivate var places: Places.Iterator
    fileprivate var snapped: Snapped.Iterator
    fileprivate let network: StreetNetwork
    /// Streets that are alike share their label, and making one costs more than all else.
    private var labels: [UInt32: String] = [:]

    fileprivate init(places: Places.Iterator, snapped: Snapped.Iterator, network: StreetNetwork) {
      (self.places, self.snapped, self.network) = (places, snapped, network)
    }

    mutating func next() -> PlaceRow? {
      guard let place = places.next(), let snapped = snapped.next() else { return nil }
      let snap = snapped.end?.snap
      return PlaceRow(
        id: place.id, role: place.role, name: place.name, coordinate: place.coordinate, snapped: snap?.point,
        snapDistance: snap.map { ($0.distance * 100).rounded() / 100 }, street: snap.map { label(of: $0.street) },
        componentSize: snap.map { network.componentSize(of: $0.street) }, passedComponentSize: snapped.passedSize,
        status: snapped.status, reason: snapped.reason(at: place.coordinate, on: network), weight: place.weight)
    }

    private mutating func label(of street: StreetID) -> String {
      let attributes = network.street(street).attributes
      if let known = labels[attributes] { return known }
      let label = network.label(of: street)
      labels[attributes] = label
      return label
    }
  }
}
