import Foundation
import Jobs
import Tables
import Testing

struct MomentTests {
  @Test(arguments: [
    (0, 0, "1970-01-01T00:00:00Z"), (1_372_636_858_500, 3600, "2013-07-01T01:00:58.500+01:00"),
    (-1, 0, "1969-12-31T23:59:59.999Z"), (951_782_400_000, 0, "2000-02-29T00:00:00Z"),
    (1_795_420_800_007, -12_600, "2026-11-23T04:30:00.007-03:30"),
  ])
  func isWrittenAsISO8601(milliseconds: Int, secondsFromGMT: Int, text: String) {
    #expect(Moment(milliseconds: milliseconds, secondsFromGMT: secondsFromGMT).text == text)
  }

  @Test func agreesWithFoundation() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let seconds = Int.random(in: -4_000_000_000...8_000_000_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(Moment(milliseconds: seconds * 1000, secondsFromGMT: 0).text == date.formatted(.iso8601))
    }
  }

  @Test func hasTheLocalWeekdayAndHour() {
    // Half past eleven on Sunday night in Greenwich; Monday in Helsinki.
    let sunday = 1_795_390_200_000
    let (here, there) = (
      Moment(milliseconds: sunday, secondsFromGMT: 0), Moment(milliseconds: sunday, secondsFromGMT: 7200)
    )
    #expect((here.weekday, here.hour) == (6, 23) && (there.weekday, there.hour) == (0, 1))
  }
}
