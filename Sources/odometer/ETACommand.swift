import Routing

/// `odometer eta FROM TO`.
enum ETACommand: Command {
  static let name = "eta"
  static let summary = "Tells how long it takes between two places, and how far it is."
  static let operands = ["FROM", "TO"]
  static let options = [
    Shared.map, Shared.by, Shared.profile, Shared.snapLimit, Shared.depart, Shared.arrive, Shared.avoid, Shared.cache,
  ]
  static let details = """
    FROM and TO are latitude,longitude in degrees:

        odometer eta 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

    Prints one line: seconds, then metres, with a tab between them.
    Exit codes: 0 found; 1 there is no such way, or no street near a place; 2 wrong usage; 3 bad map.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try Shared.request(arguments)
    do {
      let eta = try Shared.directions(arguments).calculateETA(request)
      print("\(decimal(eta.expectedTravelTime, 3))\t\(decimal(eta.distance, 2))")
      return .finished
    } catch let error as DirectionsError {
      note(error.description)
      return .notAllOK
    }
  }
}
