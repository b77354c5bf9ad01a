import Geography
import Testing

struct CoordinateTextTests {
  @Test(arguments: [
    ("60.1719,24.9414", 60.1719, 24.9414), ("-30,-51.23", -30, -51.23), ("60.5, 24.5", 60.5, 24.5),
    (" 0 , 0 ", 0, 0), ("1e-05,+2", 0.00001, 2), ("-90,180", -90, 180),
  ])
  func parsesLatitudeThenLongitude(text: String, latitude: Double, longitude: Double) throws {
    #expect(try Coordinate(parsing: text) == Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(arguments: [
    "", ",", "60.1", "60.1,", ",24.9", "60.1,,24.9", "60.1,24.9,", "60.1,24.9,0", "60.1,24.9 N", "60.1 24.9", "6 0,24",
    "inf,0", "nan,0", "0x3c,0", "60.1\t,24.9", "60,1;24,9", "Rautatientori",
  ])
  func rejectsAnythingButTwoNumbers(text: String) {
    #expect(throws: Coordinate.TextError.notTwoNumbers) { try Coordinate(parsing: text) }
  }

  @Test(arguments: [("91,0", true), ("24.9,181", false), ("1e9,0", false), ("-91,89", true)])
  func rejectsNumbersOutOfRange(text: String, isSwapped: Bool) {
    #expect { try Coordinate(parsing: text) } throws: { error in
      guard let error = error as? Coordinate.TextError, case .outOfRange = error else { return false }
      return error.isSwapped == isSwapped
    }
  }
}
