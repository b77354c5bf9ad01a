import COsmium
import Foundation

/// The `…:conditional` tags of an object and its opening hours, for one vehicle; keeps what cannot be read.
struct ConditionalTags {
  let tags: Tags
  private let vehicle: Vehicle
  /// Whether there are any: most objects have none.
  private let isEmpty: Bool
  /// Tags that cannot be read, as `key=value`.
  private(set) var unreadable: [String] = []

  init(_ tags: Tags, for vehicle: Vehicle) {
    (self.tags, self.vehicle) = (tags, vehicle)
    isEmpty = !tags.hasKey(endingWith: ":conditional")
  }

  /// The clauses of `key:conditional` with values that have a meaning, in their order.
  ///
  /// - Parameter isNumber: Whether a value without a meaning is one that cannot be read, rather than one about others.
  mutating func clauses<Value>(
    _ key: String, isNumber: Bool = false, _ meaning: (String) -> Value?
  ) -> [Timed<Value>.Clause] {
    guard !isEmpty, let text = tags[key + ":conditional"] else { return [] }
    let values = ConditionalValue.all(in: text)
    if values.isEmpty { note(key + ":conditional", text) }
    return values.compactMap { value in
      guard let meaning = meaning(value.value) else {
        if isNumber { note(key + ":conditional", "\(value.value) @ (\(value.condition))") }
        return nil
      }
      guard let condition = Condition(value.condition, for: vehicle) else {
        note(key + ":conditional", "\(value.value) @ (\(value.condition))")
        return nil
      }
      return .init(value: meaning, condition: condition)
    }
  }

  /// When the vehicle is too large: `maxweight:conditional=7.5 @ (Mo-Fr 07:00-19:00)`.
  mutating func closings(by classes: [String], _ direction: Direction?) -> [Timed<AccessRules.Access>.Clause] {
    guard !isEmpty else { return [] }
    let vehicle = vehicle
    return vehicle.limitKeys(by: classes, direction).flatMap { key in
      clauses(key) { vehicle.exceeds($0, key) == true ? .forbidden : nil }
    }
  }

  /// The closing of something that is open at its `opening_hours`; nil where it has none.
  mutating func openingHours() -> String? {
    guard let text = tags["opening_hours"] else { return nil }
    guard let hours = Condition(text, for: vehicle), !hours.text.isEmpty else {
      note("opening_hours", text)
      return nil
    }
    return Closing.text(openAt: hours)
  }

  private mutating func note(_ key: String, _ value: String) {
    let text = "\(key)=\(value)"
    if !unreadable.contains(text) { unreadable.append(text) }
  }
}
