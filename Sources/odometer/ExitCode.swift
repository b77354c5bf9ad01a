import Jobs
import Results
import Routing
import StreetNetwork

/// What scripts read. The only place that knows which error means which code.
enum ExitCode: Int32 {
  case finished = 0
  /// Finished, with `--strict`, and a row is not ok; or a single route that does not exist.
  case notAllOK = 1
  case usage = 2
  case input = 3
  case output = 4
  case interrupted = 130

  init(_ error: any Error) {
    switch error {
    case is MapError, is InputError, is CoverageError: self = .input
    case is CacheError, is ResultsError, is CapacityError: self = .output
    default: self = .usage
    }
  }
}
