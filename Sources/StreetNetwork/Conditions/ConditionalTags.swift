import COsmium
import Foundation

/// The `…:conditional` tags and opening hours of an object, read for one vehicle; records unreadable values.
struct ConditionalTags {
  let tags: Tags
  private let vehicle: Vehicle
  /// Whether there are no `…:conditional` tags, as on most objects.
  private let isEmpty: Bool
  /// Unreadable tags, as `key=value`; also tags with school holidays, of which the other parts are read.
  private(set) var unreadable: [String] = []

  init(_ tags: Tags, for vehicle: Vehicle) {
    (self.tags, self.vehicle) = (tags, vehicle)
    isEmpty = !tags.hasKey(endingWith: ":conditional")
  }

  /// Returns the clauses of `key:conditional` with known values, in order.
  ///
  /// - Parameters:
  ///   - isNumber: Whether unrecognized values are recorded as unreadable; otherwise they are assumed to apply to other
  ///     vehicles.
  ///   - users: Conditions that hold for trips that start or end there: `yes @ destination`.
  mutating func clauses<Value>(
    _ key: String, isNumber: Bool = false, by users: Set<String> = [], _ meaning: (String) -> Value?
  ) -> [Timed<Value>.Clause] {
    guard !isEmpty, let text = tags[key + ":conditional"] else { return [] }
    let values = ConditionalValue.all(in: text)
    if values.isEmpty { note(key + ":conditional", text) }
    return values.compactMap { value in
      guard let meaning = meaning(value.value) else {
        if isNumber { note(key + ":conditional", "\(value.value) @ (\(value.condition))") }
        return nil
      }
      let condition = Condition(value.condition, for: vehicle, by: users)
      if condition?.usesSchoolHolidays != false {
        note(key + ":conditional", "\(value.value) @ (\(value.condition))")
      }
      return condition.map { .init(value: meaning, condition: $0) }
    }
  }

  /// Returns the vehicle's access by time, according to limits: a limit that the vehicle exceeds may be raised at
  /// certain times (`maxweight:conditional=none @ (22:00-06:00)`).
  mutating func access(underLimitsFor classes: [String], _ direction: Direction?) -> Timed<AccessRules.Access> {
    let vehicle = vehicle
    let usual = Timed(vehicle.isStopped(by: tags) ? AccessRules.Access.forbidden : .allowed)
    return vehicle.exceededLimits(tags, by: classes, direction).reduce(usual) { access, limit in
      let clauses = limit.keys.flatMap { key in
        self.clauses(key, by: ["destination", "delivery"]) { text in
          vehicle.exceeds(text, key).map { $0 ? limit.access : .allowed }
        }
      }
      // The limit's access already includes exemptions for trips that end there.
      return access.combined(Timed(limit.access, clauses.filter { !$0.condition.isForEnds })) { max($0, $1) }
    }
  }

  /// Returns the times at which the vehicle is too large: `maxweight:conditional=7.5 @ (Mo-Fr 07:00-19:00)`.
  mutating func closings(by classes: [String], _ direction: Direction?) -> [Timed<AccessRules.Access>.Clause] {
    guard !isEmpty else { return [] }
    let vehicle = vehicle
    return vehicle.limitKeys(by: classes, direction).flatMap { key in
      clauses(key) { vehicle.exceeds($0, key) == true ? .forbidden : nil }
    }
  }

  /// Returns the closure of an object with `opening_hours`, as text; nil without them.
  mutating func openingHours() -> String? {
    guard let text = tags["opening_hours"] else { return nil }
    let hours = Condition(text, for: vehicle).flatMap { $0.text.isEmpty ? nil : $0 }
    if hours?.usesSchoolHolidays != false { note("opening_hours", text) }
    return hours.map { Closing.text(openAt: $0) }
  }

  private mutating func note(_ key: String, _ value: String) {
    let text = "\(key)=\(value)"
    if !unreadable.contains(text) { unreadable.append(text) }
  }
}

/// A conditional value: `no_left_turn @ (Mo-Fr 07:00-09:00)`, as in the wiki's "Conditional restrictions".
struct ConditionalValue: Equatable {
  var value: String
  var condition: String

  /// Returns the values of a `…:conditional` tag, separated by semicolons outside parentheses. A part without `@`
  /// continues the previous condition: `no @ Mo-Fr 07:00-09:00; Sa 10:00-12:00`.
  static func all(in text: String) -> [ConditionalValue] {
    var values: [ConditionalValue] = []
    for part in parts(of: text) {
      if let at = part.firstIndex(of: "@") {
        values.append(
          ConditionalValue(
            value: part[..<at].trimmingSpaces, condition: part[part.index(after: at)...].withoutParentheses))
      } else if !values.isEmpty, !part.trimmingSpaces.isEmpty {
        values[values.count - 1].condition += "; " + part.trimmingSpaces
      }
    }
    return values
  }

  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var (start, depth, isComment) = (text.startIndex, 0, false)
    for index in text.indices {
      switch text[index] {
      case "\"": isComment.toggle()
      case "(" where !isComment: depth += 1
      case ")" where !isComment: depth -= 1
      case ";" where depth <= 0 && !isComment:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return parts + [text[start...]]
  }
}
