import Foundation

extension Coordinate {
  /// What keeps a text from being a coordinate.
  package enum TextError: Error, Equatable {
    /// It is not two decimal numbers with a comma between them.
    case notTwoNumbers
    /// It is, but a number is beyond its range.
    case outOfRange(Coordinate)
  }

  /// Reads "latitude,longitude" in degrees, as 60.1719,24.9414; spaces may surround each number, nothing else may.
  package init(parsing text: String) throws(TextError) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(Coordinate.degrees)
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { throw .notTwoNumbers }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { throw .outOfRange(self) }
  }

  /// A number in decimal digits. `Double` alone would read "inf", "nan" and "0x3c", too.
  private static func degrees(_ text: Substring) -> Double? {
    let number = text.trimmingCharacters(in: CharacterSet(charactersIn: " "))
    guard number.allSatisfy({ "0123456789+-.eE".contains($0) }) else { return nil }
    return Double(number)
  }
}

extension Coordinate.TextError {
  /// Whether the two numbers would be a coordinate the other way round.
  package var isSwapped: Bool {
    guard case .outOfRange(let point) = self else { return false }
    return Coordinate(latitude: point.longitude, longitude: point.latitude).isValid
  }
}
