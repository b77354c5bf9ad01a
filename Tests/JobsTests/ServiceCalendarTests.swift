import Geography
import Input
import Jobs
import OpeningHours
import StreetNetwork
import Testing
import Transit
import TransitNetwork

/// The trips that run on a date, and the instants of their times.
struct ServiceCalendarTests {
  /// GTFS Schedule Reference, type *Time*; the instants are those in nigiri's `gtfs_to_utc_test`.
  @Test(arguments: [
    ("2019-10-27", 0, 1_572_130_800), ("2019-10-27", 119 * 60, 1_572_137_940), ("2019-10-27", 7200, 1_572_138_000),
    ("2019-10-27", 10_800, 1_572_141_600), ("2019-03-31", 7200, 1_553_990_400), ("2019-03-31", 10_740, 1_553_993_940),
    ("2019-03-31", 10_800, 1_553_994_000),
  ])
  func timesCountFromNoon(date: String, time: Int, moment: Int) throws {
    let feed = try FeedScene(["calendar.txt": week.replacing("2026", with: "2019")]).read()
    let calendar = try feed.calendar(date)
    let day = calendar.days.first { $0.day == CalendarDay(date)!.number }!
    #expect(LocalClock(timeZone: "Europe/Berlin")!.time(ofLocalSeconds: day.day * 86_400) + day.start + time == moment)
  }

  private var week: String { FeedScene().files["calendar.txt"]! }

  /// Two days before the date and one day after it, which overlap the date in other time zones.
  @Test func includesAdjacentDays() throws {
    let calendar = try FeedScene().read().calendar("2026-03-29")
    #expect(calendar.days.map(\.start) == [-172_800, -86_400, -3600, 82_800])
    #expect(calendar.notes.isEmpty)
  }

  @Test func timesInOtherZonesCountFromTheJobsMidnight() throws {
    let calendar = try FeedScene().read().calendar("2026-11-10", zone: "Europe/Lisbon")
    #expect(calendar.days.map(\.start) == [-176_400, -90_000, -3600, 82_800])
    #expect(calendar.notes.count == 1)
    #expect(calendar.notes[0].hasSuffix("0.zip: its times are in Europe/Berlin, the job's in Europe/Lisbon"))
  }

  /// Returns the services that run on each of three days from 2026-11-09, a Monday.
  private func running(_ files: [String: String]) throws -> [[Bool]] {
    let timetable = try FeedScene(files).read().timetable
    let first = CalendarDay("2026-11-09")!.number
    return (first..<first + 3).map { day in timetable.serviceFeeds.indices.map { timetable.runs($0, on: day) } }
  }

  @Test func calendarSufficesWithoutCalendarDates() throws {
    let mondays = week.replacing("s,1,1,1,1,1,1,1", with: "s,1,0,0,0,0,0,0")
    #expect(try running(["calendar.txt": mondays]) == [[true], [false], [false]])
    #expect(try running(["calendar.txt": week.replacing("20261231", with: "20261110")]) == [[true], [true], [false]])
  }

  @Test func calendarDatesSufficeWithoutCalendar() throws {
    var scene = FeedScene(["calendar_dates.txt": "service_id,date,exception_type\ns,20261110,1"])
    scene.files["calendar.txt"] = nil
    #expect(try scene.read().calendar("2026-11-10").trips == [2])
    #expect(throws: OdometerError.self) { try scene.read().calendar("2026-11-11") }
    scene.files["calendar_dates.txt"] = nil
    #expect(scene.problem() == "0.zip: the zip has no calendar.txt and no calendar_dates.txt, expected one")
  }

  @Test func calendarDatesAddAndRemoveDays() throws {
    let mondays = week.replacing("s,1,1,1,1,1,1,1", with: "s,1,0,0,0,0,0,0")
    let dates = "service_id,date,exception_type\ns,20261109,2\ns,20261111,1"
    #expect(try running(["calendar.txt": mondays, "calendar_dates.txt": dates]) == [[false], [false], [true]])
  }

  @Test func tripsWithoutAServiceNeverRun() throws {
    let feed = try FeedScene(["trips.txt": "trip_id,route_id,service_id\nt,r,s\nu,r,x"]).read()
    #expect(try feed.calendar("2026-11-10").trips == [1])
    #expect(
      feed.feeds[0].facts.notes == ["trips.txt: 1 trip has a service_id that neither calendar has; it never runs"])
  }

  @Test func datesWithoutServiceAreRefused() throws {
    let feed = try FeedScene().read()
    let error = #expect(throws: OdometerError.self) { try feed.calendar("2027-01-05") }
    #expect(
      error?.problem == "nothing runs on 2027-01-05 (Tuesday), but trips run from 2026-01-01 to 2026-12-31: "
        + "at least 2 trips run on 2026-12-15, 2026-12-22, 2026-12-29")
  }

  @Test func errorOfADateWithoutServiceNamesARejectedRow() throws {
    let feed = try FeedScene(["calendar_dates.txt": "service_id,date,exception_type\ns,2027-01-05,1"]).read()
    let error = #expect(throws: OdometerError.self) { try feed.calendar("2027-01-05") }
    #expect(error?.problem.contains("; calendar_dates.txt, line 2 is rejected: date") == true, "\(error!)")
  }

  /// Service s has one trip on every day of 2026; service w has five more until 20 December.
  @Test func datesWithFarFewerTripsAreRefused() throws {
    let feed = try FeedScene([
      "calendar.txt": week + "\nw,1,1,1,1,1,1,1,20260101,20261220",
      "trips.txt": "trip_id,route_id,service_id\nt,r,s\n" + (0..<5).map { "u\($0),r,w" }.joined(separator: "\n"),
      "stop_times.txt": FeedScene.times(
        ["t,a,1,7:00:00", "t,b,2,7:05:00"] + (0..<5).flatMap { ["u\($0),a,1,7:00:00", "u\($0),b,2,7:05:00"] }),
    ]).read()
    #expect(try feed.calendar("2026-12-14").usualTrips == [6])
    let error = #expect(throws: OdometerError.self) { try feed.calendar("2026-12-28") }
    #expect(error?.problem.hasPrefix("1 trip runs on 2026-12-28 (Monday), usually 6 on this weekday") == true)
  }

  /// The trip runs until 25:30 on the last day with service.
  @Test func nightsBelongToThePreviousDay() throws {
    let night = try FeedScene(["stop_times.txt": FeedScene.times("t,a,1,7:00:00", "t,c,2,25:30:00")]).read()
    func calendar(_ hours: Int...) throws -> ServiceCalendar {
      try night.calendar("2027-01-01", at: hours.map { $0 * 3600 })
    }
    #expect(try calendar(0, 1).notes.first?.hasSuffix("trips of 2026-12-31 run at the job's times") == true)
    #expect(try calendar(0, 2, 7).notes.first?.hasSuffix("trips of 2026-12-31 run at 1 of the job's 3 times") == true)
    #expect(throws: OdometerError.self) { try calendar(2, 7) }
  }

  @Test func daysAreInTheFeedsTimeZone() throws {
    let wednesdays = week.replacing("s,1,1,1,1,1,1,1", with: "s,0,0,1,0,0,0,0")
    let tokyo = try FeedScene([
      "calendar.txt": wednesdays, "agency.txt": "agency_name,agency_timezone\nA,Asia/Tokyo",
    ]).read()
    // 23:30 on Tuesday in Berlin is 7:30 on Wednesday in Tokyo.
    #expect(
      try tokyo.calendar("2026-11-24", at: [84_600]).notes.last?
        .hasSuffix("trips of 2026-11-25 run at the job's times") == true)
  }

  @Test func weekdaysAreZeroOrOne() throws {
    let feed = try FeedScene(["calendar.txt": week + "\nx,1,1,yes,1,1,1,1,20260101,20261231"]).read()
    #expect(feed.rejections == ["calendar.txt:3: wednesday is neither 0 nor 1"])
  }

  @Test func calendarsWithoutDaysAreExplained() {
    #expect(
      FeedScene(["calendar.txt": week.replacing("20260101", with: "2026-01-01")]).problem().hasSuffix(
        "no trip runs on any day of calendar.txt or calendar_dates.txt (rejected rows, most: start_date is not a day "
          + "from 1970 to 2099, expected e.g. 20261123, first in line 2 of calendar.txt: "
          + "s,1,1,1,1,1,1,1,2026-01-01,20261231)"))
  }

  @Test func oneOfSeveralFeedsMayHaveNoService() throws {
    let early = FeedScene(["calendar.txt": week.replacing("2026", with: "2025")])
    let feeds = try FeedScene.read(early, FeedScene())
    let calendar = try feeds.calendar("2026-11-10")
    #expect(calendar.trips == [0, 2])
    #expect(calendar.notes.count == 1 && calendar.notes[0].contains("0.zip: nothing runs on 2026-11-10"))
    #expect(throws: OdometerError.self) { try feeds.calendar("2027-11-10") }
  }

  @Test func unknownZonesRequireTheJobsZone() throws {
    let feed = try FeedScene(["agency.txt": "agency_name,agency_timezone\nA,PST"]).read()
    let error = #expect(throws: OdometerError.self) { try feed.calendar("2026-11-10") }
    #expect(
      error?.problem == "agency_timezone \"PST\" is not a time zone; "
        + "expected the name of a time zone, e.g. Europe/Lisbon, or timeZone in the job")
    #expect(try feed.calendar("2026-11-10", isNamed: true).notes.count == 1)
  }

  @Test func agenciesMustShareATimeZone() {
    let agencies = "agency_id,agency_name,agency_timezone\n1,A,Europe/Berlin\n2,B,Europe/Paris"
    #expect(
      FeedScene(["agency.txt": agencies]).problem()
        == "0.zip/agency.txt: agencies are in two time zones, Europe/Berlin and Europe/Paris; expected one for all (GTFS)"
    )
  }
}
