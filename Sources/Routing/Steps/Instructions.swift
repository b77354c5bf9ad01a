import StreetNetwork

// All words that a traveller reads stand in this file: another language is another file like it.

/// Writes instructions in English.
enum Instructions {
  /// What to do at the start of a step on a street; `heading` in degrees, for departures.
  static func text(_ maneuver: Maneuver, street: StreetLabel, heading: Double, staysOnStreet: Bool) -> String {
    switch maneuver {
    case .depart: "Head \(direction(heading)) on \(street.withArticle)"
    case .continue: "Continue onto \(street.withArticle)"
    case .turnSlightLeft: turn("Turn slightly left", street, staysOnStreet)
    case .turnLeft: turn("Turn left", street, staysOnStreet)
    case .turnSharpLeft: turn("Turn sharply left", street, staysOnStreet)
    case .turnSlightRight: turn("Turn slightly right", street, staysOnStreet)
    case .turnRight: turn("Turn right", street, staysOnStreet)
    case .turnSharpRight: turn("Turn sharply right", street, staysOnStreet)
    case .uTurn: turn("Turn around", street, staysOnStreet)
    case .takeSteps: street.name.isEmpty ? "Take the steps" : "Take the steps \(street.name)"
    case .takeFerry: street.name.isEmpty ? "Take the ferry" : "Take the ferry \(street.name)"
    case .takeElevator: "Take the elevator"
    case .arrive: "Arrive at the destination"
    case .arriveLeft: "Arrive at the destination on the left"
    case .arriveRight: "Arrive at the destination on the right"
    }
  }

  private static func turn(_ words: String, _ street: StreetLabel, _ staysOnStreet: Bool) -> String {
    "\(words) \(staysOnStreet ? "to stay on" : "onto") \(street.withArticle)"
  }

  private static func direction(_ heading: Double) -> String {
    let names = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
    return names[Int((heading / 45).rounded()) % 8]
  }

  /// What is special about walking along such a street.
  static func notice(_ attributes: StreetAttributes) -> String? {
    switch (attributes.kind, attributes.surface) {
    case (.ferry, _): "Ferry"
    case (.steps, _): "Steps"
    case (.elevator, _): "Elevator"
    case (_, .unpaved): "Unpaved"
    default: nil
    }
  }

  /// The sentence about a route whose steps have `notice`.
  static func advisory(_ notice: String) -> String {
    switch notice {
    case "Ferry": "This route takes a ferry."
    case "Steps": "This route has steps."
    case "Elevator": "This route takes an elevator."
    default: "This route has unpaved stretches."
    }
  }

  /// A route by its most significant streets, in the order they are met.
  static func routeName(_ streets: [String]) -> String { streets.joined(separator: " and ") }
}

/// How a street is spoken of: by its name, or else by what it looks like.
struct StreetLabel: Hashable {
  var name: String
  var kind: StreetKind

  /// "Mannerheimintie", "the footway".
  var withArticle: String { name.isEmpty ? "the \(kindName)" : name }
  /// "Mannerheimintie", "footway".
  var text: String { name.isEmpty ? kindName : name }

  private var kindName: String {
    switch kind {
    case .road: "road"
    case .service: "service road"
    case .pedestrian: "pedestrian street"
    case .track: "track"
    case .footway: "footway"
    case .path: "path"
    case .cycleway: "cycle path"
    case .bridleway: "bridleway"
    case .corridor: "corridor"
    case .steps: "steps"
    case .platform: "platform"
    case .pier: "pier"
    case .elevator: "elevator"
    case .ferry: "ferry"
    }
  }
}

/// Instructions and labels that were written before: most streets are met again and again.
struct PhraseCache {
  struct Key: Hashable {
    var maneuver: Maneuver
    var attributes: UInt32
    var heading: UInt8
    var staysOnStreet: Bool
  }
  var instructions: [Key: String] = [:]
  var labels: [UInt32: StreetLabel] = [:]
  /// Centimetres by name, all zero between routes.
  var lengths: [UInt32]

  init(nameCount: Int) { lengths = Array(repeating: 0, count: nameCount) }
}

extension StreetNetwork {
  /// What a street is called: its name, or else what it looks like.
  package func label(of street: StreetID) -> String {
    let attributes = attributes(of: street)
    return StreetLabel(name: name(attributes.name != 0 ? attributes.name : attributes.ref), kind: attributes.kind).text
  }
}
