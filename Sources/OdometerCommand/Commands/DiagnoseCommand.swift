import Foundation
import Geography
import Jobs
import Tables

/// `odometer diagnose RESULTS ID`.
enum DiagnoseCommand: Command {
  static let name = "diagnose"
  static let summary = "Tell one row's story: what its places are near to, and what closes the way"
  static let operands = [Operand.results, Operand("ID")]
  static let options = [map, CommonOptions.profile, CommonOptions.cache, CommonOptions.workers]
  static let exitCodes: [ExitCode: String] = [
    .usage: "wrong usage, or the profile cannot be used",
    .input: "results cannot be read, or nothing in them is called ID",
    .output: "memory is short, or the network file or standard output cannot be written",
  ]
  static let details = """
    RESULTS is a results.sqlite or its folder, of a job of any kind, finished or not; ID is that of a pair, an origin, a
    destination, a station, a trace, or of a row that was rejected. Prints its rows as the tables have them; for each place
    the ways of the map nearest to it, and whether the job may use them: not used: access=private names the tag that closes
    one. Where there is no route, it names what would have to be open for one, the fewest things there are: a way, a gate
    (node) or a turn restriction (relation), by its id in OpenStreetMap and by the tag. Of equally few things those of the
    shortest way count, on which a class that the profile does not use (a footway, by car) counts as a kilometre.

    Reads the map again, where the job had it; --map names it elsewhere. Nothing is told of a map that is not the run's,
    and of times when something is closed: streets are as they are where no time is given.

        odometer diagnose reports/helsinki-walks 17
    """

  private static let map = Option("map", "MAP", .file, help: "where the job's map is now (default: where it was)")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let diagnosis = try RowDiagnosis(
      of: arguments.operands[1], in: database(named: arguments.operands[0]),
      at: LocatedFiles(map: arguments.text(map), profile: arguments.text(CommonOptions.profile)),
      cache: arguments.text(CommonOptions.cache),
      workers: arguments.workers(), report: console.networkEvents(isQuiet: false))
    try console.print(printable(diagnosis.text, atMost: .max))
    return .finished
  }

  /// The database of a folder, whether its run has ended or not. *Throws*: `ResultsError`.
  private static func database(named path: String) throws -> String {
    let folder = ResultsFolder(path: path)
    return folder.isUnfinished && !folder.isFinished
      ? folder.database.unfinished : try ResultsFolder.database(named: path)
  }
}
