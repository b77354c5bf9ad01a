import Foundation
import Geography
import Tables

/// Tables of travel times: a row per trip, or a row per origin with a column per destination.
extension TravelTimeFile {
  /// *Throws*: `InputError`, `ResultsError`.
  func table() throws -> TravelTimes {
    let rows = try DelimitedRows(path)
    // Destinations may be any number of columns.
    let header = try rows.header(most: .max)
    guard let columns = try TravelTimeColumns(header, file: path) else { return try wideTable(rows, header) }
    return try longTable(rows, header, columns)
  }

  // MARK: A row per trip

  private func longTable(
    _ rows: DelimitedRows, _ header: [String], _ columns: TravelTimeColumns
  ) throws -> TravelTimes {
    let departures = try results.departures()
    let hasHours = columns.hour != nil && !departures.isEmpty
    var draft = TravelTimeDraft(
      path: path, hours: hasHours ? departures.count : 1, isUnitGiven: unit != nil,
      areOfPairs: columns.destination == nil)
    let factor = (unit ?? columns.unit).seconds
    var (count, areWhole) = (0, true)
    while try rows.next() {
      func refused(_ problem: String) -> InputError { InputError(file: path, line: rows.line, problem: problem) }
      do { try rows.check(header.count) } catch { throw refused(error.reason) }
      let (origin, destination) = (rows[columns.origin].text, columns.destination.map { rows[$0].text } ?? "")
      guard !origin.isEmpty, columns.destination == nil || !destination.isEmpty else {
        throw refused("\(header[origin.isEmpty ? columns.origin : columns.destination ?? 0]) is empty")
      }
      let field = rows[columns.time]
      let time = DecimalText.number(field.bytes) ?? TravelTimeFile.number(field.text, rows.hasDecimalCommas)
      guard let time else {
        throw refused("\(header[columns.time]): got \"\(field.text)\", expected a number or nothing")
      }
      let hour = try hasHours ? columns.hour.map { try self.hour(rows[$0].text, departures, rows.line) } ?? 0 : 0
      if time.isFinite, time != time.rounded() { areWhole = false }
      count += 1
      draft.add(
        origin: draft.origin(origin), hour: hour, destination: draft.destination(destination),
        seconds: time.isFinite && time >= 0 ? time * factor : nil)
    }
    guard count > 0 else { throw InputError(file: path, problem: "the file has no rows below its header") }
    let unread = header.indices.filter { !columns.indices.contains($0) }.map { header[$0] }
    let more = unread.isEmpty ? "" : "; not compared: \(unread.prefix(8).joined(separator: ", "))"
    let names = [columns.origin, columns.destination, columns.time].compactMap { $0.map { header[$0] } }
    let rounded =
      areWhole && factor >= 60
      ? [
        "\(path): its times are whole \((unit ?? columns.unit).rawValue); --threshold \(Int(factor))s is as exact as they are"
      ] : []
    return draft.finished(
      notes: [note("\(count) times by \(names.joined(separator: ", "))", columns.unit, more)] + rounded)
  }

  /// The number of an hour, from 0. *Throws*: `InputError`.
  private func hour(_ text: String, _ departures: [DepartureRow], _ line: Int) throws -> Int {
    if let number = Int(text), (1...departures.count).contains(number) { return number - 1 }
    // A date may have a T or a space, and seconds and a zone or none.
    let plain = text.replacing("T", with: " ")
    if let index = departures.firstIndex(where: { hour in
      let own = hour.text.replacing("T", with: " ")
      return own == plain || (plain.count >= 16 && own.hasPrefix(plain))
    }) {
      return index
    }
    throw InputError(
      file: path, line: line,
      problem: "got the hour \"\(text)\", expected one of table departure: 1 to \(departures.count), or as "
        + "\(departures[0].text)")
  }

  /// A number as some write it; NaN for nothing, infinity for no route; nil for what is none.
  private static func number(_ field: String, _ hasDecimalCommas: Bool) -> Double? {
    if ["inf", "infinity", "-inf", "+inf"].contains(field.lowercased()) { return .infinity }
    var column = NumberColumn("", decimalCommas: hasDecimalCommas)
    let number = column.number(field, row: 0)
    return number == .infinity ? nil : number
  }

  // MARK: A column per destination

  private func wideTable(_ rows: DelimitedRows, _ header: [String]) throws -> TravelTimes {
    guard header.count > 1 else {
      throw InputError(
        file: path, noColumnFor: "travel time", in: header, of: TravelTimeColumns.examples)
    }
    let hours = try results.departures().count
    guard hours <= 1, results.kind == .matrix || hours == 0 else {
      throw InputError(
        file: path, problem: "a table with a column per destination has no hours, \(results.path) has \(hours)")
    }
    var draft = TravelTimeDraft(path: path, isUnitGiven: unit != nil)
    let destinations = header.dropFirst().map { draft.destination($0) }
    guard Set(destinations).count == destinations.count else {
      throw InputError(file: path, line: 1, problem: "a destination is there twice in the header; expected each once")
    }
    let (factor, hasDecimalCommas) = ((unit ?? .seconds).seconds, rows.hasDecimalCommas)
    var known: Set<String> = []
    while try rows.next() {
      func refused(_ problem: String) -> InputError { InputError(file: path, line: rows.line, problem: problem) }
      do { try rows.check(header.count) } catch { throw refused(error.reason) }
      let fields = rows.texts
      guard !fields[0].isEmpty, known.insert(fields[0]).inserted else {
        throw refused(fields[0].isEmpty ? "the origin is empty" : "the origin \(fields[0]) is there twice")
      }
      let origin = draft.origin(fields[0])
      for (column, field) in zip(destinations, fields.dropFirst()) {
        guard let time = Double(decimal: field) ?? TravelTimeFile.number(field, hasDecimalCommas) else {
          throw refused("\(header[column + 1]): got \"\(field)\", expected a time; \(TravelTimeFile.expected)")
        }
        draft.add(
          origin: origin, destination: column, seconds: time.isFinite && time >= 0 ? time * factor : nil)
      }
    }
    guard !known.isEmpty else { throw InputError(file: path, problem: "the file has no rows below its header") }
    return draft.finished(
      notes: [note("a table of \(known.count) origins and \(destinations.count) destinations", .seconds)])
  }

  /// What tables of travel times are.
  private static let expected =
    "a table has columns from_id, to_id and travel_time (docs/operations.md, \"Compare\"), or an origin in the first "
    + "column and a column per destination"
}
