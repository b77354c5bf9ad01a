import Geography

extension StreetNetwork {
  /// What the network is made of, as names and values for a person to read.
  package var facts: [(String, String)] {
    let kilometres = streets.reduce(0.0) { $0 + Double($1.centimetres) } / 100_000
    let endsOnly = streets.count { $0.flags.contains(.endsOnly) }
    let notSnapped = streets.count { !$0.flags.contains(.snappable) }
    let (southWest, northEast) = (
      FixedCoordinate(longitude: box.minLongitude, latitude: box.minLatitude).coordinate,
      FixedCoordinate(longitude: box.maxLongitude, latitude: box.maxLatitude).coordinate
    )
    return [
      ("ways used", "\(counts.ways), \(counts.incompleteWays) of them lack nodes in the file"),
      ("streets", "\(streets.count), \(Int(kilometres.rounded())) km"),
      ("  for a trip's ends", "\(endsOnly)"),
      ("  off the network", "\(notSnapped) on islands and stubs that places are not put on"),
      ("  left out as too long", "\(counts.tooLongStreets)"),
      ("junctions", "\(states.junctions.count)"),
      ("states, arcs", "\(states.arcs.stateCount), \(states.arcs.arcCount)"),
      ("upward arcs", "\(hierarchy.arcCount)"),
      (
        "area",
        "\(southWest.latitude),\(southWest.longitude) to \(northEast.latitude),\(northEast.longitude)"
      ),
      ("map sha-256", fingerprints.map),
      ("profile sha-256", fingerprints.profile),
      ("network sha-256", fingerprints.network),
    ]
  }
}
