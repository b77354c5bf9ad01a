import Hierarchy

/// The street ends at each junction; a loop has two.
///
/// An end is its street in the direction in which it leaves the junction: forward from the tail, reversed from the
/// head. The ends at junction `j` are `ends[first[j] ..< first[j + 1]]`, in the order of the streets. A street knows
/// its indices among them (`tailEnd`, `headEnd`).
package struct StreetEnds: Sendable {
  package let first: Column<UInt32>
  package let ends: Column<DirectedStreet>
}

extension StreetEnds {
  /// Creates the ends, and stores their indices in the streets. At most 65,535 streets meet at a junction.
  init(_ streets: inout [Street], junctionCount: Int) {
    var first = [UInt32](repeating: 0, count: junctionCount + 1)
    for street in streets {
      first[Int(street.tail) + 1] += 1
      first[Int(street.head) + 1] += 1
    }
    for junction in 0..<junctionCount { first[junction + 1] += first[junction] }
    var next = first
    var ends = [DirectedStreet](repeating: DirectedStreet(index: 0), count: streets.count * 2)
    for index in streets.indices {
      for isReversed in [false, true] {
        let junction = Int(streets[index].start(isReversed: isReversed))
        let end = UInt16(next[junction] - first[junction])
        if isReversed { streets[index].headEnd = end } else { streets[index].tailEnd = end }
        ends[Int(next[junction])] = DirectedStreet(StreetID(index), isReversed: isReversed)
        next[junction] += 1
      }
    }
    self.init(first: Column(first), ends: Column(ends))
  }

  package var junctionCount: Int { first.count - 1 }

  package func count(at junction: Int) -> Int { Int(first[junction + 1] - first[junction]) }

  /// The number of pairs of ends at the same junction, including each end paired with itself.
  var pairCount: Int { (0..<junctionCount).reduce(0) { $0 + count(at: $1) * count(at: $1) } }

  package subscript(junction: Int) -> Slice<Column<DirectedStreet>> {
    ends[Int(first[junction])..<Int(first[junction + 1])]
  }

  package subscript(junction: Int, index: Int) -> DirectedStreet { ends[Int(first[junction]) + index] }
}

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
