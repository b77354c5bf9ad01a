/// The identity of streets from the traveller's point of view.
extension StreetAttributes {
  package var isNamed: Bool { name != 0 || ref != 0 }

  /// The identifying names, as one or two indices: a highway's numbers; a trunk road's name and numbers; otherwise the
  /// name or, without one, the numbers.
  package var label: (UInt32, UInt32) {
    if roadClass == .motorway && ref != 0 { return (ref, 0) }
    if name == 0 { return (ref, 0) }
    return (name, roadClass == .trunk && ref != name ? ref : 0)
  }

  /// Returns whether two streets are the same to travellers: with the same name, a common number, or unnamed and
  /// similar. Names that are not shown, such as those of highways, are ignored. `text` returns names by index.
  package func isSameStreet(as other: StreetAttributes, _ text: (UInt32) -> String) -> Bool {
    guard kind.isBoarded == other.kind.isBoarded, !kind.isBoarded || kind == other.kind else { return false }
    let areNumbered = label.0 == ref && other.label.0 == other.ref && ref != 0 && other.ref != 0
    if name != 0 && other.name != 0 && !areNumbered { return name == other.name }
    if ref != 0 || other.ref != 0 {
      guard ref != other.ref else { return true }
      return ref != 0 && other.ref != 0 && RoadNumbers.overlap(text(ref), text(other.ref))
    }
    return name == other.name && kind.displayedKind == other.kind.displayedKind
      && traits.contains(.link) == other.traits.contains(.link)
  }
}

extension StreetKind {
  /// The representative of all kinds between which no separate step is needed.
  var displayedKind: StreetKind {
    switch self {
    case .path, .corridor, .platform: .footway
    case .ramp, .linkRoad, .roundabout: .road
    case .carPark, .driveway, .alley: .service
    default: self
    }
  }
}
