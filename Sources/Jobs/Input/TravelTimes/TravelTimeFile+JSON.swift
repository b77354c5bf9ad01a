import Foundation
import Tables

/// Answers of routing servers to requests for matrices.
extension TravelTimeFile {
  /// OSRM's and openrouteservice's `durations`, GraphHopper's `times`, Valhalla's `sources_to_targets`. *Throws*: `InputError`.
  func answer() throws -> TravelTimes {
    let bytes = try InputFile.bytes(of: path)
    guard let answer = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      throw InputError(file: path, problem: "the JSON cannot be read: it is truncated or corrupt")
    }
    if let code = answer["code"] as? String, code != "Ok" {
      throw InputError(
        file: path, problem: "the server answered \(code): \(answer["message"] as? String ?? "no times")")
    }
    let names = ["durations", "times", "sources_to_targets"]
    guard let name = names.first(where: { answer[$0] is [Any] }), let rows = answer[name] as? [Any] else {
      throw InputError(
        file: path,
        problem: "the JSON has none of \(names.joined(separator: ", ")); it has "
          + "\(answer.keys.sorted().prefix(8).joined(separator: ", "))")
    }
    let times = try rows.map { row in
      guard let row = row as? [Any] else { throw InputError(file: path, problem: "\(name) is not a list of lists") }
      return try row.map(time)
    }
    let columns = times.first?.count ?? 0
    guard times.allSatisfy({ $0.count == columns }) else {
      throw InputError(file: path, problem: "the lists of \(name) differ in length")
    }
    return try draft(shape: [times.count, columns]) { row, _, column in times[row][column] }
      .finished(notes: [note("\(times.count) x \(columns) \(name)", .seconds)])
  }

  /// A cell; nil where there is no route.
  private func time(_ cell: Any) throws -> Double? {
    switch cell {
    case is NSNull: return nil
    // Before it is a dictionary, since numbers bridge.
    case let number as NSNumber:
      let time = number.doubleValue
      return time.isFinite && time >= 0 ? time : nil
    case let cell as [String: Any] where cell["time"] is NSNumber || cell["time"] is NSNull:
      return (cell["time"] as? NSNumber)?.doubleValue
    default: throw InputError(file: path, problem: "got \(cell) among the times, expected a number or null")
    }
  }
}
