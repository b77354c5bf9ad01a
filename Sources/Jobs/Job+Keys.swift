import Results
import Routing
import Settings
import StreetNetwork

extension Job {
  /// The keys of every kind of job; a kind's own are with its task.
  package enum Keys {
    package static let kind = SettingKey<JobKind>("kind", .choice, "what is computed", example: "routes")
    static let map = SettingKey(
      "map", .path,
      "OpenStreetMap extract: .osm.pbf, .osm, .osm.gz or .osm.bz2; or a .network file; paths start where odometer does",
      example: "map.osm.pbf")
    static let transportType = SettingKey<TransportType>(
      "transportType", .choice, "how one travels; may be left out where the map is a network file", example: "walking")
    static let profile = SettingKey<String?>(
      "profile", .path, otherwise: "the stock profile of the transportType",
      "a stock profile (\(Profile.stockNames.joined(separator: ", "))) or a file of your own, whole or with a base",
      example: "wheelchair")
    static let pace = SettingKey<Double?>(
      "pace", .number(of: "km/h", atLeast: 0.5, atMost: 20), otherwise: "that of the profile",
      "how fast one walks on the flat; slopes, stairs and bad ground slow it as they slow others", example: 4)
    static let elevation = SettingKey<String?>(
      "elevation", .path, otherwise: "none: slopes are those of incline=*",
      "heights of the ground: a raster or folder of tiles for GDAL, or N49E008.hgt, for which none is needed",
      example: "elevation.tif")
    static let output = SettingKey(
      "output", .path,
      "folder for the results; {date} in it is the day on which the run begins; --output may say it instead",
      example: "results")
    static let keep = SettingKey<Int?>(
      "keep", .wholeNumber(of: "days", 1...10_000), otherwise: "all",
      "how many days of finished results an output with {date} keeps; older ones are removed after a run", example: 14)
    static let sentinels = SettingKey<String?>(
      "sentinels", .path, otherwise: "none",
      "CSV of pairs with min_seconds, max_seconds, min_metres, max_metres; tried first, out of range ends the job with 6",
      example: "sentinels.csv")
    static let duplicates = SettingKey<DuplicateRule>(
      "duplicates", .choice, default: "reject",
      "what becomes of a row whose id an earlier one has: reject it, or number it: a, a#2, a#3")
    static let minimumShare = SettingKey<Double?>(
      "minimumShare", .share, otherwise: "at least one row",
      "share of rows that must be ok; a run with fewer is finished, and ends with exit code 7", example: 0.95)
    static let snapLimit = SettingKey(
      "snapLimit", .number(of: "metres", over: 0, atMost: Directions.Options.largestSnapLimit), default: 1000,
      "metres from a place to a street, beyond which the status is placemark_not_found")
    static let snapLegs = SettingKey<Bool?>(
      "snapLegs", .bool, otherwise: "true on foot, else false",
      "whether the straight line between a place and its street counts in time, distance and shape", example: true)
    static let coverage = SettingKey<String?>(
      "coverage", .path, otherwise: "none",
      "GeoJSON MultiPolygon; what has an end outside gets the status outside_coverage", example: "coverage.geojson")
    static let departureDate = SettingKey<Timestamp?>(
      "departureDate", date, otherwise: "none: what the map says for certain hours does not count",
      "when trips start: decides which turns, streets and ferries are open", example: "2026-11-20T08:00:00+02:00")
    static let arrivalDate = SettingKey<Timestamp?>(
      "arrivalDate", date, otherwise: "none", "when trips end, instead of departureDate",
      example: "2026-11-20T09:00:00+02:00")
    static let waitLimit = SettingKey(
      "waitLimit", .number(of: "minutes", atLeast: 0, atMost: Directions.Options.largestWaitLimit / 60), default: 60,
      "longest wait for a closed street; ferries and trains are exempt")
    static let holidays = SettingKey<Holidays?>(
      "holidays",
      SettingType<[String]>.texts.map(name: "list of dates", expected: "a list of days, e.g. 2026-12-25") { texts in
        let days = texts.compactMap { CalendarDay($0) }
        return days.count == texts.count ? Holidays(days) : nil
      },
      otherwise: "none: no day is one", "public holidays there: decides what is open at dates where the map says PH",
      example: ["2026-12-25", "2026-12-26"])
    static let requestsAlternateRoutes = SettingKey(
      "requestsAlternateRoutes", .bool, default: false,
      "whether to find up to two other good routes per pair: alternative 1 and 2 in the tables")
    static let tollPreference = SettingKey<RoutePreference>(
      "tollPreference", .choice, default: "any", "avoid: toll roads only to reach what cannot be reached otherwise")
    static let highwayPreference = SettingKey<RoutePreference>(
      "highwayPreference", .choice, default: "any", "avoid: motorways only to reach what cannot be reached otherwise")
    static let language = SettingKey(
      "language", SettingType<String>.word(of: Language.names).map { try? Language(named: $0) }, default: "en",
      "language of the instructions")
    static let verify = SettingKey<Int?>(
      "verify", .wholeNumber(of: "rows", 1...1_000_000), otherwise: "none",
      "how many random rows to compute again by plain Dijkstra at the end, when every sum is added up again, too",
      example: 1000)
    static let memory = SettingKey<Int?>(
      "memory",
      SettingType<String>.text.map(
        name: "size", expected: "a size in MB, GB, MiB or GiB, e.g. \"500 MB\"", MemoryLimit.bytes),
      otherwise: "what the machine has", "memory the job may use; a job that cannot fit is refused", example: "4 GB")

    static let first = [kind.description, map.description, transportType.description, output.description]
    static let last =
      [
        profile.description, pace.description, elevation.description, departureDate.description,
        arrivalDate.description,
      ] + HoursTask.Keys.all
      + [
        HoursTask.Keys.timeZone.description, waitLimit.description, holidays.description, tollPreference.description,
        highwayPreference.description, snapLimit.description, snapLegs.description, coverage.description,
        keep.description, sentinels.description, minimumShare.description, duplicates.description, verify.description,
        memory.description,
      ]

    private static let date = SettingType<String>.text.map(name: "date", expected: Timestamp.allowed) { Timestamp($0) }
  }
}
