import StreetNetwork

// All words that a traveller reads stand in this file: another language is another file like it.

/// Writes instructions in English.
enum Instructions {
  /// What to do at the start of a step on a street; `heading` in degrees, for departures.
  static func text(_ maneuver: Maneuver, street: StreetLabel, heading: Double, staysOnStreet: Bool) -> String {
    switch maneuver {
    case .depart: "Head \(direction(eighth(of: heading))) on \(street.withArticle)"
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

  /// The nearest of eight directions, 0 for north, clockwise.
  static func eighth(of heading: Double) -> UInt8 { UInt8((heading / 45).rounded()) % 8 }

  private static func direction(_ eighth: UInt8) -> String {
    let names = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
    return names[Int(eighth)]
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

/// What was put into words before: most streets are met again and again.
struct PhraseCache {
  /// All that decides the words, in one number: quick to hash.
  struct Key: Hashable {
    private let packed: UInt64

    init(_ maneuver: Maneuver, attributes: UInt32, eighth: UInt8, staysOnStreet: Bool) {
      packed =
        UInt64(attributes) << 32 | UInt64(maneuver.number) << 16 | UInt64(eighth) << 8 | (staysOnStreet ? 1 : 0)
    }
  }

  struct Phrase {
    var number: Int
    var instructions: String
    var street: String
  }

  var phrases: [Key: Phrase] = [:]
  /// Centimetres by name, all zero between routes.
  var lengths: [UInt32]

  init(nameCount: Int) { lengths = Array(repeating: 0, count: nameCount) }
}

extension StreetNetwork {
  /// What a street is called: its name, or else what it looks like.
  package func label(of street: StreetID) -> String { label(attributes(of: street)).text }

  func label(_ attributes: StreetAttributes) -> StreetLabel {
    StreetLabel(name: name(attributes.name != 0 ? attributes.name : attributes.ref), kind: attributes.kind)
  }
}
