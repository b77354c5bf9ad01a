import Foundation
import Geography
import Routing

/// `odometer route FROM TO`.
enum RouteCommand: Command {
  static let name = "route"
  static let summary = "Finds the way between two places and tells it step by step."
  static let operands = ["FROM", "TO"]
  static let options = [
    Shared.map, Shared.by, Shared.profile, Shared.snapLimit, Shared.cache,
    .init(name: "format", value: "FORMAT", help: "text (default), json or geojson"),
  ]
  static let details = """
    FROM and TO are latitude,longitude in degrees:

        odometer route 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf

    Exit codes: 0 found; 1 there is no such way, or no street near a place; 2 wrong usage; 3 bad map.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try Shared.request(arguments)
    let format = try arguments.choice("format", of: ["text", "json", "geojson"]) ?? "text"
    let directions = try Shared.directions(arguments)
    let routes: [Route]
    do {
      routes = try directions.calculate(request)
    } catch let error as DirectionsError {
      note(error.description)
      return .notAllOK
    }
    for route in routes {
      switch format {
      case "json": print(route.json)
      case "geojson": print(route.geoJSON)
      default: print(route.text)
      }
    }
    return .finished
  }
}
