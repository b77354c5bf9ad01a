/// Opening hours, with times at which they are open and closed: at 41.1 N, 8.6 W with clocks an hour ahead of
/// Greenwich; holidays are 25 and 26 December 2026 and 1 January 2027.
struct HoursExample: Sendable, CustomStringConvertible {
  var text: String
  var open: [String]
  var closed: [String]
  var description: String { text }

  init(_ text: String, open: [String] = [], closed: [String] = []) {
    (self.text, self.open, self.closed) = (text, open, closed)
  }

  /// At least one example for each rule of the grammar. 20 November 2026 is a Friday.
  static let all: [HoursExample] = rules + times + weekdays + holidays + weeks + dates + years + liberties

  private static let rules: [HoursExample] = [
    .init("24/7", open: ["2026-11-20T03:00"]),
    .init("24/7 open", open: ["2026-11-20T03:00"]),
    .init("open", open: ["2026-11-20T03:00"]),
    .init("off", closed: ["2026-11-20T03:00", "2026-11-20T12:00"]),
    .init("24/7; Dec 24 off", open: ["2026-12-23T12:00"], closed: ["2026-12-24T12:00"]),
    .init("24/7; Mo 15:00-16:00 off", open: ["2026-11-23T14:59", "2026-11-24T15:30"], closed: ["2026-11-23T15:30"]),
    // A rule replaces earlier rules on its days,
    .init("08:00-09:00; 10:00-12:00", open: ["2026-11-20T11:00"], closed: ["2026-11-20T08:30"]),
    .init(
      "Mo-Fr 08:00-18:00; We 10:00-12:00", open: ["2026-11-19T17:00", "2026-11-18T11:00"], closed: ["2026-11-18T17:00"]),
    // even a rule that began on the day before,
    .init(
      "22:00-02:00; Tu 12:00-14:00", open: ["2026-11-23T23:00", "2026-11-24T13:00", "2026-11-26T01:00"],
      closed: ["2026-11-24T01:00", "2026-11-24T23:00"]),
    // unless it only closes some hours,
    .init(
      "10:00-16:00; We 12:00-14:00 off", open: ["2026-11-18T11:00", "2026-11-18T15:00", "2026-11-19T13:00"],
      closed: ["2026-11-18T13:00"]),
    .init("10:00-16:00; We off", open: ["2026-11-19T13:00"], closed: ["2026-11-18T13:00"]),
    .init("Mo-Su 08:00-20:00; Su closed", open: ["2026-11-21T12:00"], closed: ["2026-11-22T12:00"]),
    .init("Mo-Fr 08:00-12:00; PH off", open: ["2026-12-24T09:00"], closed: ["2026-12-25T09:00"]),
    // or adds hours.
    .init(
      "Mo-Fr 08:00-16:00, We 18:00-20:00", open: ["2026-11-18T09:00", "2026-11-18T19:00"],
      closed: ["2026-11-18T17:00", "2026-11-19T19:00"]),
    .init(
      "Su-Tu 11:00-01:00, We-Th 11:00-03:00, Fr 11:00-06:00, Sa 11:00-07:00",
      open: ["2026-11-23T00:30", "2026-11-19T02:00", "2026-11-21T05:00", "2026-11-22T06:00"],
      closed: ["2026-11-23T01:00", "2026-11-22T07:00"]),
    .init("Mo-Fr 08:00-12:00 || \"by appointment\"", open: ["2026-11-20T09:00"], closed: ["2026-11-20T13:00"]),
    .init(
      "Mo-Fr 08:00-12:00 || 20:00-22:00", open: ["2026-11-20T09:00", "2026-11-20T21:00"], closed: ["2026-11-20T13:00"]),
    .init("Sa 10:00-12:00 unknown || open", open: ["2026-11-21T13:00"], closed: ["2026-11-21T11:00"]),
    .init(
      "Mo-Fr 10:00-16:00 unknown \"on call\", Sa 10:00-12:00", open: ["2026-11-21T11:00"], closed: ["2026-11-20T11:00"]),
    .init("Mo-Fr 10:00-16:00 open \"may close\"", open: ["2026-11-20T11:00"], closed: ["2026-11-20T17:00"]),
    .init("\"ring the bell\": Mo-Fr 10:00-16:00", open: ["2026-11-20T11:00"], closed: ["2026-11-20T17:00"]),
    .init("Mo-Fr: 10:00-16:00", open: ["2026-11-20T11:00"], closed: ["2026-11-21T11:00"]),
    .init("10:00-12:00;", open: ["2026-11-20T11:00"], closed: ["2026-11-20T12:00"]),
  ]

  private static let times: [HoursExample] = [
    .init(
      "07:00-19:00", open: ["2026-11-20T07:00", "2026-11-20T18:59"], closed: ["2026-11-20T06:59", "2026-11-20T19:00"]),
    .init("07:00-09:00,16:00-18:00", open: ["2026-11-20T17:00"], closed: ["2026-11-20T10:00"]),
    .init("07:00-09:00, 16:00-18:00", open: ["2026-11-20T08:00", "2026-11-20T17:00"], closed: ["2026-11-20T10:00"]),
    .init("00:00-24:00", open: ["2026-11-20T00:00", "2026-11-20T23:59"]),
    .init("22:00-06:00", open: ["2026-11-20T23:00", "2026-11-20T05:59"], closed: ["2026-11-20T06:00"]),
    .init(
      "Fr 20:00-28:00", open: ["2026-11-20T20:00", "2026-11-21T03:59"],
      closed: ["2026-11-21T04:00", "2026-11-20T03:00"]),
    .init("Fr 22:00-22:00", open: ["2026-11-20T22:00", "2026-11-21T21:59"], closed: ["2026-11-21T22:00"]),
    .init("Tu 23:59-48:00", open: ["2026-11-24T23:59", "2026-11-25T23:59"], closed: ["2026-11-26T00:00"]),
    .init("18:00+", open: ["2026-11-20T18:00", "2026-11-20T23:59"], closed: ["2026-11-20T17:59"]),
    .init("Fr 17:00-19:00+", open: ["2026-11-20T18:00", "2026-11-20T22:00"], closed: ["2026-11-21T00:00"]),
    .init("10:00-16:00/01:30", open: ["2026-11-20T10:00", "2026-11-20T12:40"], closed: ["2026-11-20T16:00"]),
    .init("10:00-16:00/90", open: ["2026-11-20T12:40"], closed: ["2026-11-20T17:00"]),
    // In Porto on 20 November 2026 the sun rises at 7:26 and sets at 17:10 (8:26 and 18:10 on these clocks).
    .init(
      "sunrise-sunset", open: ["2026-11-20T08:29", "2026-11-20T18:07"],
      closed: ["2026-11-20T08:22", "2026-11-20T18:14"]),
    .init("sunset-sunrise", open: ["2026-11-20T18:14", "2026-11-20T08:22"], closed: ["2026-11-20T12:00"]),
    .init(
      "dawn-dusk", open: ["2026-11-20T08:00", "2026-11-20T18:35"], closed: ["2026-11-20T07:50", "2026-11-20T18:45"]),
    .init("(sunrise-00:30)-12:00", open: ["2026-11-20T08:00"], closed: ["2026-11-20T07:50"]),
    .init("12:00-(sunset+01:30)", open: ["2026-11-20T19:35"], closed: ["2026-11-20T19:45"]),
    .init("sunset+", open: ["2026-11-20T22:00"], closed: ["2026-11-20T18:00", "2026-11-21T00:00"]),
    .init("(sunset+01:00)+", open: ["2026-11-20T19:15"], closed: ["2026-11-20T19:05"]),
    .init("21:00-sunrise", open: ["2026-11-20T21:00", "2026-11-20T08:20"], closed: ["2026-11-20T20:00"]),
  ]

  private static let weekdays: [HoursExample] = [
    .init("Fr", open: ["2026-11-20T00:00"], closed: ["2026-11-21T00:00"]),
    .init("Mo-Fr 07:00-19:00", open: ["2026-11-20T07:00"], closed: ["2026-11-20T19:00", "2026-11-21T12:00"]),
    .init("Sa,Su", open: ["2026-11-21T12:00"], closed: ["2026-11-20T12:00"]),
    .init("Sa-Mo", open: ["2026-11-23T12:00"], closed: ["2026-11-24T12:00"]),
    .init("Mo,We-Fr 10:00-12:00", open: ["2026-11-19T11:00"], closed: ["2026-11-17T11:00"]),
    .init("Fr 22:00-06:00", open: ["2026-11-21T05:00"], closed: ["2026-11-20T05:00"]),
    .init("Fr[3]", open: ["2026-11-20T12:00"], closed: ["2026-11-13T12:00", "2026-11-27T12:00"]),
    .init("Fr[-1] 10:00-12:00", open: ["2026-11-27T11:00"], closed: ["2026-11-20T11:00"]),
    .init("Fr[1,3]", open: ["2026-11-06T11:00", "2026-11-20T11:00"], closed: ["2026-11-13T11:00"]),
    .init("Fr[1-2]", open: ["2026-11-06T11:00", "2026-11-13T11:00"], closed: ["2026-11-20T11:00"]),
    .init("Th[1,2],Th[-1]", open: ["2026-11-05T11:00", "2026-11-26T11:00"], closed: ["2026-11-19T11:00"]),
    .init("Su[1] +1 day", open: ["2026-11-02T11:00"], closed: ["2026-11-09T11:00", "2026-11-01T11:00"]),
    .init("Su[-1] -2 days", open: ["2026-11-27T11:00"], closed: ["2026-11-20T11:00"]),
  ]

  private static let holidays: [HoursExample] = [
    .init("PH", open: ["2026-12-25T11:00"], closed: ["2026-12-24T11:00"]),
    .init("PH,Sa 10:00-12:00", open: ["2026-12-25T11:00", "2026-11-21T11:00"], closed: ["2026-12-24T11:00"]),
    .init("Mo-Fr,PH 10:00-12:00", open: ["2026-12-26T11:00", "2026-11-20T11:00"], closed: ["2026-11-21T11:00"]),
    .init("PH Mo-Fr", open: ["2026-12-25T11:00"], closed: ["2026-12-26T11:00", "2026-12-24T11:00"]),
    .init("PH -1 day", open: ["2026-12-24T11:00", "2026-12-31T11:00"], closed: ["2026-12-26T11:00"]),
    .init("PH +1 day 10:00-12:00", open: ["2026-12-27T11:00", "2027-01-02T11:00"], closed: ["2026-12-25T11:00"]),
    .init("SH,PH", open: ["2026-12-25T11:00"], closed: ["2026-08-01T11:00"]),
    .init("SH off; Mo-Fr 10:00-12:00", open: ["2026-08-03T11:00"], closed: ["2026-08-02T11:00"]),
  ]

  // Week 1 of 2026 begins on 29 December 2025, week 53 on 28 December 2026.
  private static let weeks: [HoursExample] = [
    .init("week 1", open: ["2025-12-29T12:00", "2026-01-04T12:00"], closed: ["2026-01-05T12:00"]),
    .init("week 47", open: ["2026-11-20T12:00"], closed: ["2026-11-23T12:00"]),
    .init("week 53", open: ["2027-01-03T12:00"], closed: ["2026-12-27T12:00", "2027-01-04T12:00"]),
    .init("week 1-53/2 Fr 09:00-12:00", open: ["2026-11-20T10:00"], closed: ["2026-11-27T10:00"]),
    .init("week 2-52/2 Fr 09:00-12:00", open: ["2026-11-27T10:00"], closed: ["2026-11-20T10:00"]),
    .init("week 1,45-47 Mo-Fr", open: ["2026-01-01T10:00", "2026-11-20T10:00"], closed: ["2026-11-27T10:00"]),
    .init("week 48-5: 08:00-10:00", open: ["2026-12-31T09:00", "2026-01-29T09:00"], closed: ["2026-11-20T09:00"]),
  ]

  private static let dates: [HoursExample] = [
    .init("Nov", open: ["2026-11-20T12:00"], closed: ["2026-10-31T12:00"]),
    .init("Apr-Oct", open: ["2026-10-31T12:00"], closed: ["2026-11-01T12:00"]),
    .init("Nov-Mar", open: ["2026-02-01T12:00", "2026-12-01T12:00", "2028-02-29T12:00"], closed: ["2026-06-01T12:00"]),
    .init("Jan,Mar,Nov 10:00-12:00", open: ["2026-11-20T11:00"], closed: ["2026-02-20T11:00"]),
    .init("Dec 25", open: ["2026-12-25T12:00"], closed: ["2026-12-24T12:00"]),
    .init("Dec 24,31 10:00-12:00", open: ["2026-12-31T11:00"], closed: ["2026-12-25T11:00"]),
    .init("Dec 24,Jan 6", open: ["2026-01-06T11:00"], closed: ["2026-12-06T11:00"]),
    .init("Apr 15-Oct 15", open: ["2026-10-15T12:00"], closed: ["2026-04-14T12:00", "2026-10-16T12:00"]),
    .init("Dec 15-Jan 15", open: ["2026-12-31T12:00", "2026-01-15T12:00"], closed: ["2026-11-20T12:00"]),
    .init("Nov 5-20", open: ["2026-11-20T12:00"], closed: ["2026-11-21T12:00"]),
    .init("Nov 1-30/7", open: ["2026-11-01T12:00", "2026-11-15T12:00"], closed: ["2026-11-16T12:00"]),
    .init("Feb 29", open: ["2028-02-29T12:00"], closed: ["2027-02-28T12:00", "2027-03-01T12:00"]),
    .init("Feb 20-Feb 29", open: ["2028-02-29T12:00"], closed: ["2028-03-01T12:00"]),
    .init("easter", open: ["2026-04-05T12:00", "2027-03-28T12:00"], closed: ["2026-04-06T12:00"]),
    .init("easter -2 days", open: ["2026-04-03T12:00"], closed: ["2026-04-05T12:00"]),
    .init("easter +1 day 10:00-12:00", open: ["2026-04-06T11:00"], closed: ["2026-04-05T11:00"]),
    .init("easter -2 days-easter +1 day: open", open: ["2026-04-04T11:00"], closed: ["2026-04-07T11:00"]),
    .init("easter-Oct 3", open: ["2026-04-05T12:00"], closed: ["2026-04-04T12:00", "2026-10-04T12:00"]),
    // 29 March and 25 October 2026 are the last Sundays of their months.
    .init(
      "Mar Su[-1]-Oct Su[-1]", open: ["2026-03-29T12:00", "2026-07-01T12:00", "2026-10-25T12:00"],
      closed: ["2026-03-28T12:00", "2026-10-26T12:00"]),
    .init(
      "Mar Su[-1]-Oct Su[-1] 08:00-20:00", open: ["2026-03-29T12:00", "2026-07-01T12:00"],
      closed: ["2026-07-01T21:00", "2026-12-01T12:00"]),
    .init(
      "Oct Su[-1]-Mar Su[-1] -1 day: 09:00-16:00", open: ["2026-12-01T12:00", "2026-03-28T12:00"],
      closed: ["2026-03-29T12:00"]),
    .init("Mar Su[-1] 10:00-12:00", open: ["2026-03-29T11:00"], closed: ["2026-03-22T11:00"]),
    // The Sunday before Christmas of 2026 is the 20th.
    .init("Dec 25 -Su", open: ["2026-12-20T12:00"], closed: ["2026-12-25T12:00"]),
    .init("Dec 25 +Su", open: ["2026-12-27T12:00"], closed: ["2026-12-25T12:00"]),
    .init("Dec 25 -Su -21 days-Dec 24", open: ["2026-11-29T12:00"], closed: ["2026-11-28T12:00"]),
    .init("2026 Nov 15-2027 Jan 6", open: ["2026-11-20T12:00", "2027-01-06T12:00"], closed: ["2027-11-20T12:00"]),
    .init("2026 Nov 15-Feb 6", open: ["2027-02-06T12:00"], closed: ["2026-02-06T12:00"]),
    .init("2026 Nov", open: ["2026-11-20T12:00"], closed: ["2027-11-20T12:00"]),
    .init("2026 Nov 20+", open: ["2026-11-20T12:00", "2029-01-01T12:00"], closed: ["2026-11-19T12:00"]),
    .init("2026 easter", open: ["2026-04-05T12:00"], closed: ["2027-03-28T12:00"]),
    .init(
      "Apr-Oct Mo-Fr 08:00-20:00; Nov-Mar Mo-Fr 09:00-16:00", open: ["2026-06-19T08:30"], closed: ["2026-11-20T08:30"]),
    .init(
      "Nov 15-Apr 15: Mo-Fr 07:00-09:00", open: ["2026-11-20T08:00", "2027-04-15T08:00"],
      closed: ["2026-11-21T08:00", "2026-11-13T08:00"]),
    .init(
      "Nov 15-Apr 15: 07:00-09:00", open: ["2026-11-21T08:00"], closed: ["2026-11-21T10:00", "2026-11-13T08:00"]),
    .init("Nov 15-Apr 15: 24/7", open: ["2026-11-21T03:00"], closed: ["2026-11-13T08:00"]),
    .init("Nov-Mar: 24/7", open: ["2026-11-21T03:00"], closed: ["2026-10-13T08:00"]),
    .init(
      "Apr 15: 10:00-12:00; Nov 15: off", open: ["2027-04-15T11:00"], closed: ["2027-04-15T15:00", "2027-04-16T11:00"]),
    .init("2026 Nov 15: Su 07:00-09:00", open: ["2026-11-15T08:00"], closed: ["2026-11-22T08:00"]),
    .init("Nov-Mar: Mo-Fr: 09:00-16:00", open: ["2026-11-20T10:00"], closed: ["2026-11-21T10:00"]),
  ]

  private static let years: [HoursExample] = [
    .init("2026", open: ["2026-11-20T12:00"], closed: ["2027-01-01T12:00"]),
    .init("2020-2026", open: ["2026-11-20T12:00"], closed: ["2027-01-01T12:00"]),
    .init("2020-2030/2", open: ["2026-11-20T12:00"], closed: ["2027-01-01T12:00"]),
    .init("2026+", open: ["2040-11-20T12:00"], closed: ["2025-11-20T12:00"]),
    .init("2024,2026 Mo-Fr 10:00-12:00", open: ["2026-11-20T11:00"], closed: ["2025-11-20T11:00"]),
    .init("2020-2026 Nov-Dec", open: ["2026-11-20T12:00"], closed: ["2026-10-20T12:00"]),
    .init("2026 week 47 Fr", open: ["2026-11-20T12:00"], closed: ["2026-11-19T12:00"]),
  ]

  /// Not in the grammar, but in common use and unambiguous.
  private static let liberties: [HoursExample] = [
    .init("mo-fr 7:00-19:00", open: ["2026-11-20T12:00"], closed: ["2026-11-21T12:00"]),
    .init("MO-FR 07.00-19.00", open: ["2026-11-20T12:00"], closed: ["2026-11-20T19:00"]),
    .init("Mo–Fr 07:00–19:00", open: ["2026-11-20T12:00"], closed: ["2026-11-20T19:00"]),
    .init("Mo-Fr 7-19", open: ["2026-11-20T12:00"], closed: ["2026-11-20T19:00"]),
    .init("Mon-Fri 7am-7pm", open: ["2026-11-20T12:00"], closed: ["2026-11-20T19:00"]),
    .init("12:00 am-12:30pm", open: ["2026-11-20T00:00", "2026-11-20T12:29"], closed: ["2026-11-20T13:00"]),
    .init("Monday - Friday 07:00 - 19:00", open: ["2026-11-20T12:00"], closed: ["2026-11-20T19:00"]),
    .init("07:00-19:00 Mo-Fr", open: ["2026-11-20T12:00"], closed: ["2026-11-21T12:00"]),
    .init("Fr08:00-12:00", open: ["2026-11-20T09:00"], closed: ["2026-11-21T09:00"]),
    .init("January-April, November", open: ["2026-11-20T09:00"], closed: ["2026-10-21T09:00"]),
  ]

  /// Neither in the grammar nor unambiguous, or without opening times.
  static let unreadable = [
    "", " ", ";", "wet", "snow", "2026-11-20", "Mo-Xx", "25:61-26:00", "26:00-27:00", "10:00-49:00", "@", "speed<30",
    "07:00", "Mo 07:00,09:00", "\"by appointment\"", "Mo-Fr 10:00-12:00 unknown", "sunset-", "(sunset)-10:00",
    "Mo[6]", "Mo[0]", "Mo[1", "week 0", "week 54", "week", "Jan 32-Feb 40", "2020-2010", "Jan, Mo 10:00-12:00", "10-",
    "12 Dec", "Mo 10:00-12:00 Tu", "10:00-12:00 | 13:00-14:00", "\"open", "Mo-Fr 10:00-12:00 maybe", "13pm-14pm",
    "10:00-12:00/0", "99999", "Jan 1-2027 Feb 1", "24/8", "24/7 24/7",
  ]
}
