import Settings
import Tables

/// The vehicle type of a line, by GTFS's `route_type`; extended codes map to their basic type.
package enum RouteType: Int, Sendable, CaseIterable {
  case tram = 0
  case metro = 1
  case rail = 2
  case bus = 3
  case ferry = 4
  case cableTram = 5
  case aerialLift = 6
  case funicular = 7
  case trolleybus = 11
  case monorail = 12

  /// The name in job files: "metro", "cableTram".
  package var name: String { "\(self)" }

  package init?(name: String) {
    guard let type = RouteType.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  package init?(code: Int) {
    switch code {
    case 100...199: self = .rail
    case 200...299, 700...799: self = .bus
    case 400...404: self = .metro
    case 405: self = .monorail
    case 800...899: self = .trolleybus
    case 900...999: self = .tram
    case 1000...1099, 1200...1299: self = .ferry
    case 1300...1399: self = .aerialLift
    case 1400...1499: self = .funicular
    default: self.init(rawValue: code)
    }
  }

  /// The setting type for a list of these names in a job file.
  package static var listType: SettingType<Set<RouteType>> {
    let names = allCases.map(\.name)
    return SettingType<[String]>.strings.map(
      expected: "a list of \(names.joined(separator: ", "))", choices: names
    ) { values in
      let types = values.compactMap(RouteType.init(name:))
      return types.count == values.count ? Set(types) : nil
    }
  }
}
