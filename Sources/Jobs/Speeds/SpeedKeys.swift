import Input
import OpeningHours
import Settings
import StreetNetwork
import Tables

/// The keys about speeds.
extension SpeedInputs {
  init(_ keys: inout KeyReader) throws {
    let setting = try keys.value(
      "speeds", .any("file or list of files", expected: SpeedInput.expected), otherwise: "none: free flow",
      "speed files by OpenStreetMap ids and hour, or objects with format, days, from, to, duplicates, fill",
      example: ["speeds.csv.gz"])
    let traffic = try keys.value(
      "traffic", .path, otherwise: "none",
      "slowness by road class and hour, for streets without speeds: a file, or porto (Porto taxis, weekday mornings)",
      example: "city.traffic.json5")
    do throws(RowProblem) {
      self.init(try setting.map(SpeedInput.all) ?? [], traffic: traffic)
    } catch {
      throw keys.error("speeds", error.reason)
    }
  }

  var paths: [String] { files.map(\.file) + [trafficFile].compactMap(\.self) }

  /// Adds its part to the job's identity; nothing without speeds and traffic.
  func enter(in identity: inout Entries<IdentityKey>) {
    if !files.isEmpty {
      identity.set(.speeds, files.map(\.file))
      identity[.speedsSHA256] = digest.hexadecimal
    }
    if let trafficFile { return identity.setFile("traffic", trafficFile) }
    if let traffic {
      identity[.traffic] = traffic
      identity[.trafficSHA256] = (try? TrafficTable(named: traffic))?.digest.hexadecimal
    }
  }
}

extension JobSpeeds {
  /// *Throws*: errors from `SpeedInputs.speeds`.
  init(_ inputs: SpeedInputs, on network: StreetNetwork, week: LocalTime?) throws {
    (speeds, facts) = try inputs.speeds(on: network, week: week)
  }
}
