/// Which streets are one from the traveller's point of view.
extension StreetAttributes {
  package var isNamed: Bool { name != 0 || ref != 0 }

  /// Its identifying names, by one or two indices: a highway by its numbers, a trunk road by its name and its numbers,
  /// others by their name, or else by their numbers.
  package var label: (UInt32, UInt32) {
    if roadClass == .motorway && ref != 0 { return (ref, 0) }
    if name == 0 { return (ref, 0) }
    return (name, roadClass == .trunk && ref != name ? ref : 0)
  }

  /// Whether two streets are one for the traveller: with the same name, a common number, or unnamed and alike. Names
  /// that are not shown, as those of highways, are ignored. `text`: names by index.
  package func isSameStreet(as other: StreetAttributes, _ text: (UInt32) -> String) -> Bool {
    guard kind.isBoarded == other.kind.isBoarded, !kind.isBoarded || kind == other.kind else { return false }
    let areNumbered = label.0 == ref && other.label.0 == other.ref && ref != 0 && other.ref != 0
    if name != 0 && other.name != 0 && !areNumbered { return name == other.name }
    if ref != 0 || other.ref != 0 {
      guard ref != other.ref else { return true }
      return ref != 0 && other.ref != 0 && RoadNumbers.overlap(text(ref), text(other.ref))
    }
    return name == other.name && kind.looks == other.kind.looks
      && traits.contains(.link) == other.traits.contains(.link)
  }
}

extension StreetKind {
  /// Kinds that need no separate step.
  package var looks: StreetKind {
    switch self {
    case .path, .corridor, .platform: .footway
    case .ramp, .linkRoad, .roundabout: .road
    case .carPark, .driveway, .alley: .service
    default: self
    }
  }
}
