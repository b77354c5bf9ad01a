import Calibration
import Geography
import Jobs
import StreetNetwork

enum CalibrateCommand: Command {
  static let name = "calibrate"
  static let summary = "Calibrate speeds by road class and hour from observed trips"
  static let operands = [Operand("TRIPS", .file)]
  static let options = [
    CommonOptions.map, by, CommonOptions.profile, traffic, bands, interval, CommonOptions.cache, CommonOptions.workers,
  ]
  static let exitCodes = ExitCode.ofNetworks.merging([
    .notAllOK: "no table predicts the trips better than the existing one: nothing is written",
    .input: "map or trips cannot be read, or fewer than 20 trips can be used",
  ]) { $1 }
  static let details = """
    TRIPS is a CSV with one row per trip: departure_time, duration in seconds, from_lon, from_lat, to_lon, to_lat or a
    polyline, and optionally distance in metres. Times without a zone are in the map's time zone:

        odometer calibrate taxi-trips-1k.csv --map porto.osm.pbf > porto.traffic.json5

    Prints a traffic table for the key traffic of a job. A summary goes to stderr: ignored trips, and errors on held-out
    trips, before and after. Profiles are not changed. Trips are ignored if they take less than 90 s or more than an
    hour, if an end is more than 150 m from a street, if there is no route, if the fastest route takes less than 10 s,
    or if their length is more than 1.5 times the fastest route's plus 300 m, or less than 0.7 times the fastest
    route's. A polyline with only two positions is often too short: use from_lon, from_lat, to_lon and to_lat instead.
    """

  private static let by = Option(
    "by", "TYPE", .choice(Profile.stockNames), help: "stock profile of the trips (default: automobile)")
  private static let traffic = Option(
    "traffic", "OLD", .file, help: "existing traffic table to improve (default: free flow at all hours)")
  private static let bands = Option(
    "bands", "LIST",
    help: "groups of hours with one slowness, e.g. \"Mo-Fr 07:00-09:30, Sa 10:00-14:00\" (default: full hours)")
  private static let interval = Option(
    "interval", "SECONDS", help: "time between the positions of a polyline, if trips have no duration (default: 15)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    var options = Calibration.Options()
    options.workers = try arguments.workers()
    options.traffic = try arguments.text(traffic).map { try TrafficTable(named: $0) }
    options.bands = arguments.text(bands).map { $0.split(separator: ",").map(String.init) }
    options.interval = try arguments.number(interval, 0.001...86_400, of: "seconds") ?? options.interval
    let map = try arguments.required(CommonOptions.map)
    let file = try arguments.existingFile()
    let network = try arguments.network(of: map, by: "automobile", console)
    let calibration = try Calibration(file, on: network, options)
    if let row = calibration.rejected.first {
      console.warn(
        "\(calibration.rejected.count.counted("row")) rejected, the first in line \(row.line): \(row.reason)")
    }
    console.tell(calibration.report)
    guard calibration.isBetter else { return .notAllOK }
    return try console.finish(calibration.traffic)
  }
}
