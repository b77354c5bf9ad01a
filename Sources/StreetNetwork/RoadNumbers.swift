/// The numbers of a road; several if roads share a section: "A 3, A 28".
struct RoadNumbers {
  let numbers: [String]

  /// Creates a list of these numbers, without duplicates.
  init(_ numbers: [String]) {
    self.numbers = numbers.enumerated().filter { !numbers[..<$0.offset].contains($0.element) }.map(\.element)
  }

  /// Parses the numbers of a tag: `ref=A 3;A 28`.
  init(tag: String?) { self.init((tag ?? "").split(separator: ";").map(\.trimmingSpaces).filter { !$0.isEmpty }) }

  /// Parses the `text` of a list.
  init(text: String) { numbers = text.isEmpty ? [] : text.split(separator: RoadNumbers.separator).map(String.init) }

  var text: String { numbers.count == 1 ? numbers[0] : numbers.joined(separator: RoadNumbers.separator) }

  /// Returns whether the roads have a number in common.
  private func overlap(_ other: RoadNumbers) -> Bool { numbers.contains(where: other.numbers.contains) }

  /// Returns whether two lists, as `text`, have a number in common; most contain only one number.
  static func overlap(_ a: String, _ b: String) -> Bool {
    let comma = UInt8(ascii: ",")
    guard a.utf8.contains(comma) || b.utf8.contains(comma) else { return a == b }
    return RoadNumbers(text: a).overlap(RoadNumbers(text: b))
  }

  private static let separator = ", "
}
