import Foundation
import Geography
import Input
import Jobs
import OdometerCommand
import Routing
import Settings
import StreetNetwork
import Tables
import TestMaps
import Testing

struct ExitCodeTests {
  @Test func codesAreStableForScripts() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 70, 130])
  }

  @Test(
    arguments: [
      (OdometerError.settings(file: "job.json5", problem: ""), .usage),
      (OdometerError(file: "map.osm.pbf", problem: ""), .input),
      (OdometerError(file: "pairs.csv", problem: ""), .input),
      (ResultsError(path: "out", problem: "", cause: .output), .output),
      (ResultsError(path: "out", problem: "", cause: .input), .input),
      (ResultsError(path: "out", problem: "", cause: .changed), .input),
      (ResultsError(path: "out", problem: "", cause: .fault), .fault),
      (OdometerError("", cause: .input), .input), (OdometerError("", cause: .output), .output),
      (OdometerError("", cause: .different), .different),
      (DirectionsError.directionsNotFound, .notAllOK), (DirectionsError.placemarkNotFound(source: true), .notAllOK),
      (DirectionsError.offMap(source: true, distance: 5), .notAllOK),
      (DirectionsError.invalidPlace(source: true), .usage),
      (DirectionsError.transportTypeUnavailable(.walking), .usage), (DirectionsError.cancelled, .interrupted),
    ] as [(any Error, ExitCode)])
  func everyKnownErrorHasItsCode(error: any Error, code: ExitCode) {
    #expect(ExitCode(error) == code)
  }

  @Test func unknownErrorsAreInternalErrors() {
    #expect(ExitCode(POSIXError(.EIO)) == .fault)
    #expect(ExitCode(CocoaError(.fileReadUnknown)) == .fault)
    #expect(ExitCode(CancellationError()) == .interrupted)
    #expect(
      ExitCode.fault.sentence(about: UnknownError()) == "internal error: the sky fell; please report this with the "
        + "command and the output of odometer --version")
  }

  private struct UnknownError: Error, CustomStringConvertible {
    var description: String { "the sky fell" }
  }
}
