import Hierarchy
import StreetNetwork

/// The instructions of steps in the phrases of a language. Most phrases recur, so each is built only once.
struct Instructions {
  private let network: StreetNetwork
  private let phrases: Phrases
  private var known: [UInt64: Phrase] = [:]

  init(_ network: StreetNetwork, _ language: Language) {
    self.network = network
    phrases = language.phrases
  }

  struct Phrase {
    /// The index of the phrase: equal for steps with the same text.
    var index: Int
    var instructions: String
    var notice: String?
    var street: String
  }

  mutating func phrase(for step: StepDraft) -> Phrase {
    // The properties that determine the words, packed into one integer, which is fast to hash.
    let detail = step.maneuver == .depart ? eighth(of: step.heading) : step.exits
    let key =
      UInt64(step.attributes) << 32 | UInt64(step.maneuver.rawByte) << 25 | UInt64(detail & 0xFF) << 17
      | UInt64(step.notices.rawValue) << 1 | (step.staysOnStreet ? 1 : 0)
    if let known = known[key] { return known }
    let attributes = network.attributes(row: step.attributes)
    let phrase = Phrase(
      index: known.count, instructions: instructions(step, attributes), notice: notice(step.notices, attributes),
      street: name(of: attributes))
    known[key] = phrase
    return phrase
  }

  private func instructions(_ step: StepDraft, _ attributes: StreetAttributes) -> String {
    let forms = forms(of: attributes)
    let templates = phrases.maneuvers[step.maneuver]!
    var text = step.staysOnStreet ? templates[templates.count - 1] : templates[0]
    let destination = network.name(attributes.destination)
    switch step.maneuver {
    case .depart: text = text.filling("{heading}", with: phrases.headings[Int(eighth(of: step.heading))])
    case .roundabout: text = text.filling("{nth}", with: nth(Int(step.exits)))
    case .rampLeft, .rampRight, .exitLeft, .exitRight, .takeFerry, .takeCarTrain, .takeTrain, .takeSteps,
      .takeEscalator, .takeElevator:
      if attributes.exit != 0, let numbered = phrases.numberedExit[step.maneuver] {
        text = numbered.filling("{exit}", with: network.name(attributes.exit))
      }
      if attributes.isNamed && destination.isEmpty { text += attributes.kind.isBoarded ? phrases.by : phrases.rampOnto }
      if !destination.isEmpty { text += phrases.toward }
    case .keepLeft, .keepStraight, .keepRight:
      if !destination.isEmpty { text += phrases.toward }
    default: break
    }
    for (mark, words) in [
      ("{onto}", forms.onto), ("{on}", forms.on), ("{name}", forms.name), ("{toward}", destination),
    ] { text = text.filling(mark, with: words) }
    return text
  }

  private func nth(_ count: Int) -> String {
    count <= phrases.nth.count
      ? phrases.nth[max(0, count - 1)] : phrases.nthBeyond.filling("{number}", with: String(count))
  }

  private func forms(of attributes: StreetAttributes) -> Phrases.StreetForms {
    let label = attributes.label
    guard label.0 != 0 else { return phrases.kinds[attributes.kind]! }
    var name = network.name(label.0)
    if label.1 != 0 {
      name = phrases.numbered.filling("{name}", with: name).filling("{number}", with: network.name(label.1))
    }
    return Phrases.StreetForms(
      name: name, on: phrases.named.on.filling("{name}", with: name),
      onto: phrases.named.onto.filling("{name}", with: name))
  }

  /// Returns a street's name, or a description if it has none.
  func name(of attributes: StreetAttributes) -> String { forms(of: attributes).name }

  /// Returns the notice of a step; nil if there is none.
  private func notice(_ notices: Notices, _ attributes: StreetAttributes) -> String? {
    let strings = phrases.notices.filter { notices.contains($0.notice) }.map {
      $0.step.filling("{minutes}", with: String(attributes.waiting))
    }
    return strings.isEmpty ? nil : strings.joined(separator: ", ")
  }

  /// Returns the advisory sentences for a route whose steps have these notices.
  func advisories(_ notices: Notices) -> [String] {
    phrases.notices.filter { notices.contains($0.notice) }.map(\.route)
  }

  // MARK: Public transport

  /// Returns the instruction at the start of a ride, and the notice about its end.
  func words(of ride: TransitRide) -> (instructions: String, notice: String) {
    let templates = phrases.maneuvers[ride.staysSeated ? .staySeated : .board]!
    let stops = ride.stops == 1 ? phrases.stops[0] : phrases.stops[1].filling("{number}", with: String(ride.stops))
    var text = ride.headsign.isEmpty ? templates[templates.count - 1] : templates[0]
    for (mark, words) in [
      ("{vehicle}", phrases.vehicles[ride.vehicle]!), ("{line}", ride.line), ("{headsign}", ride.headsign),
      ("{stop}", ride.stop), ("{time}", ride.time), ("{stops}", stops),
    ] { text = text.filling(mark, with: words) }
    return (text, phrases.alight.filling("{stop}", with: ride.lastStop).filling("{time}", with: ride.lastTime))
  }

  /// Returns the instruction at a stop, or at the destination if the name is nil.
  func words(_ maneuver: Maneuver, at stop: String?) -> String {
    let templates = phrases.maneuvers[maneuver]!
    return stop.map { templates[0].filling("{stop}", with: $0) } ?? templates[templates.count - 1]
  }

  func routeName(_ streets: [String]) -> (streets: String, title: String) {
    let streets = streets.joined(separator: phrases.and)
    return (streets, phrases.via.filling("{streets}", with: streets))
  }
}

extension String {
  /// Returns the string with `words` in place of `mark`. Ten times as fast as `replacing`, which handles patterns.
  fileprivate func filling(_ mark: String, with words: String) -> String {
    let (text, mark) = (Array(utf8), Array(mark.utf8))
    var filled: [UInt8] = []
    var next = 0
    while next < text.count {
      if text[next] == mark[0], text[next...].starts(with: mark) {
        filled += words.utf8
        next += mark.count
      } else {
        filled.append(text[next])
        next += 1
      }
    }
    return String(decoding: filled, as: UTF8.self)
  }
}

/// Returns the nearest of the eight compass directions: 0 for north, then clockwise.
private func eighth(of heading: Double) -> UInt8 { UInt8((heading / 45).rounded()) % 8 }

extension StreetAttributes {
  /// The index of the street's name in route names: highways by number, others by name.
  var labelName: UInt32 {
    if roadClass <= .trunk && ref != 0 { return ref }
    return name != 0 ? name : ref
  }
}

extension StreetNetwork {
  /// Returns the English name of a street, or a description if it has none.
  package func label(of street: StreetID) -> String { Instructions(self, .english).name(of: attributes(of: street)) }
}

/// A step before it is put into words.
struct StepDraft {
  var maneuver: Maneuver
  /// A row of the network's attributes.
  var attributes: UInt32
  var notices: Notices = []
  /// The heading of a departure, in degrees.
  var heading = 0.0
  /// For a roundabout: the number of exits up to the one taken.
  var exits: UInt8 = 0
  var staysOnStreet = false
  var isPushed = false
  var weight = Weight.zero
  var climb = Climb()
  /// The index of the step's first point.
  var start: Int
}
