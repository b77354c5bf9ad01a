import Jobs
import Routing
import Settings
import StreetNetwork
import Tables

extension ExitCode {
  /// The code of an error that ends a command. No command decides it itself.
  package init(_ error: any Error) {
    switch error {
    case is UsageError, is SettingsError, is LinkError, is CalibrationError: self = .usage
    case is MapError, is InputError, is CoverageError, is SpeedError: self = .input
    case is CacheError, is CapacityError, is StandardOutput.Failure: self = .output
    case let error as ResultsError:
      switch error.cause {
      case .input, .changed: self = .input
      case .output: self = .output
      case .fault: self = .fault
      }
    case is BenchmarkError: self = .different
    case is SentinelFailure: self = .implausible
    case let error as DirectionsError:
      switch error {
      case .directionsNotFound, .tooLong, .placemarkNotFound: self = .notAllOK
      case .transportTypeUnavailable: self = .usage
      case .cancelled: self = .interrupted
      }
    default: self = .fault
    }
  }

  /// The sentence for a person about an error that ends a command with this code.
  package func sentence(about error: any Error) -> String {
    guard self == .fault else { return "\(error)" }
    return "internal error: \(error); please report this with the command and the output of odometer --version"
  }
}
