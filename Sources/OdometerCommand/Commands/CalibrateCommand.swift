import Calibration
import Jobs
import StreetNetwork

/// `odometer calibrate TRIPS`.
enum CalibrateCommand: Command {
  static let name = "calibrate"
  static let summary = "Find how slow streets are by class and hours, as observed trips say"
  static let operands = [Operand("TRIPS", .file)]
  static let options = [
    CommonOptions.map, by, CommonOptions.profile, traffic, bands, interval, CommonOptions.cache, CommonOptions.workers,
  ]
  static let exitCodes = ExitCode.ofNetworks.merging([
    .notAllOK: "no table predicts the trips better than what there is: nothing is written",
    .input: "map or trips cannot be read, or fewer than 20 trips can be used",
  ]) { $1 }
  static let details = """
    TRIPS is a CSV with a row per trip: departure_time, duration in seconds, and from_lon, from_lat, to_lon, to_lat or a
    polyline; distance in metres, if there is one. Times without a zone are those of the map's clocks:

        odometer calibrate taxi-trips-1k.csv --map porto.osm.pbf > porto.traffic.json5

    Prints a traffic table for the key traffic of a job; ten lines go to the error stream: trips that are left out, and
    errors for trips that were held out, before and after. No profile is changed. Trips of less than 90 s or more than an hour are left out, as are those with an end more than 150 m from the streets, and those whose trace
    is no fastest way: longer than 1.5 times that and 300 m, or shorter than 0.7 times.
    """

  private static let by = Option(
    "by", "TYPE", .choice(Profile.stockNames),
    help: "how trips were made: automobile (default), or another stock profile")
  private static let traffic = Option(
    "traffic", "OLD", .file, help: "the traffic table there is, to do better than (default: free flow at all hours)")
  private static let bands = Option(
    "bands", "LIST",
    help: "hours with a slowness each, e.g. \"Mo-Fr 07:00-09:30, Sa 10:00-14:00\" (default: full hours)")
  private static let interval = Option(
    "interval", "SECONDS", help: "between the positions of a polyline, where trips have no duration (default: 15)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    var options = Calibration.Options()
    options.workers = try arguments.workers()
    options.traffic = try arguments.text(traffic).map { try TrafficTable(named: $0) }
    options.bands = arguments.text(bands).map { $0.split(separator: ",").map(String.init) }
    options.interval = try arguments.number(interval, 0.001...86_400, of: "seconds") ?? options.interval
    let map = try arguments.required(CommonOptions.map)
    let network = try arguments.network(of: map, by: "automobile", console)
    let calibration = try Calibration(arguments.operands[0], on: network, options)
    if let row = calibration.rejected.first {
      console.note("\(calibration.rejected.count) rows rejected, the first in line \(row.line): \(row.reason)")
    }
    console.tell(calibration.report)
    guard calibration.isBetter else { return .notAllOK }
    try console.print(calibration.traffic)
    return .finished
  }
}
