import Geography
import Hierarchy
import Input
import Routing
import Tables

/// A worker that computes blocks of a matrix and encodes their rows in the requested formats; one per thread.
final class MatrixWorker {
  private let task: MatrixTask
  private let origins: [InputPlace]
  private let destinations: [InputPlace]
  private let fill: (Range<Int>) -> MatrixBlock
  /// The departures of an origin's rows; nil for rows of percentiles, or for one row without a departure.
  private let departures: Departures?
  private let order: DepartureOrder?
  /// The rows' numbers, and their names for CSV.
  private let (numbers, labels): ([Int], [String])
  private let ownCells: OwnCells
  private let cells: CellText
  private let floats: BufferPool<[Float]>
  private let deflater: Deflater?
  private let lines: CellLines?
  private let lineText = TextBytes()
  /// The destinations' weights; nil without weights.
  private let weights: [Double]?
  private let missing = MatrixBlock.unreachable

  init(
    _ task: MatrixTask, _ fill: @escaping (Range<Int>) -> MatrixBlock, from origins: [InputPlace],
    to destinations: [InputPlace], _ axis: RowAxis, at departures: Departures?, _ order: DepartureOrder?,
    _ ownCells: OwnCells, _ cells: CellText, _ floats: BufferPool<[Float]>
  ) {
    self.task = task
    self.ownCells = ownCells
    self.origins = origins
    self.destinations = destinations
    self.cells = cells
    self.floats = floats
    self.fill = fill
    (numbers, labels) = (axis.numbers, axis.labels)
    self.departures = axis.column == .departure ? departures : nil
    self.order = order
    let writesCSV = task.formats.contains(.csv)
    deflater = writesCSV ? Deflater() : nil
    lines = writesCSV ? CellLines(cells, fields: destinations.map(\.id.csvField)) : nil
    weights = destinations.contains { $0.weight != nil } ? destinations.map { $0.weight ?? 0 } : nil
  }

  func compute(_ rows: Range<Int>, into text: TextBytes) throws -> MatrixWriter.Block {
    let block = fill(rows)
    text.removeAll()
    var answer = MatrixWriter.Block(rows: rows.count, text: text)
    let hours = max(1, labels.count)
    if task.formats.contains(.sqlite) {
      cells.reserve(rows: rows.count * hours * (task.distances ? 2 : 1), columns: destinations.count, in: text)
    }
    for row in 0..<rows.count * hours {
      let (origin, hour) = (rows.lowerBound + row / hours, row % hours)
      answer.keys.append(.init(origin: origins[origin].id, departure: numbers.isEmpty ? nil : numbers[hour]))
      let times = block.times(row: row)
      let lengths = task.distances ? block.lengths(row: row) : times
      let ownColumn = ownCells[origin]
      answer.times.add(times, times: times, missing: missing, except: ownColumn)
      if task.distances { answer.lengths.add(lengths, times: times, missing: missing, except: ownColumn) }
      if let ownColumn, times[ownColumn] < missing { answer.ownTimes.add(times[ownColumn]) }
      if task.formats.contains(.sqlite) {
        cells.append(seconds: times, missing: missing, to: answer.text)
        answer.ends.append(answer.text.count)
        if task.distances {
          cells.append(metres: lengths, times: times, missing: missing, to: answer.text)
          answer.ends.append(answer.text.count)
        }
      }
      if let deflater, let lines {
        lineText.removeAll()
        lines.append(
          from: origins[origin].id.csvField, at: labels.isEmpty ? nil : labels[hour], times: times,
          lengths: task.distances ? lengths : nil, missing: missing, to: lineText)
        deflater.append(lineText)
      }
      if let summary = task.summary {
        var originSummary = self.summary(of: origin, answer.keys[row].departure, times, lengths, summary)
        if summary.waiting { originSummary.waiting = waiting(times, block.waits(row: row), except: ownColumn) }
        answer.summaries.append(originSummary)
      }
    }
    if task.formats.contains(.npy) {
      answer.travelTimes = floats.take()
      MatrixFloats.seconds(of: block, into: &answer.travelTimes)
      if task.distances {
        answer.distances = floats.take()
        MatrixFloats.metres(of: block, into: &answer.distances)
      }
    }
    for origin in rows {
      try summarizeHours(origin, rowsFrom: (origin - rows.lowerBound) * hours, of: block, to: &answer)
    }
    answer.csv = deflater?.finishBlock()
    return answer
  }

  /// Adds the summaries of an origin's cells over each day, and checks the arrival order of a sample of origins.
  private func summarizeHours(
    _ origin: Int, rowsFrom first: Int, of block: MatrixBlock, to answer: inout MatrixWriter.Block
  ) throws {
    let isChecked = order != nil && origin % DepartureOrder.interval == 0
    guard let departures, task.hours != nil || isChecked else { return }
    let hours = departures.hours
    for (column, destination) in destinations.enumerated() {
      let times = hours.indices.map { block.times(row: first + $0)[column] }
      if isChecked { try order?.check(times, missing: missing, from: origins[origin].id, to: destination.id) }
      guard let summary = task.hours else { continue }
      for day in departures.days {
        answer.hours.append(
          CellHours(
            origin: origins[origin].id, destination: destination.id, weekday: hours[day.lowerBound].weekday.rawValue,
            times: Array(times[day]), numbers: day.lowerBound + 1..<day.upperBound + 1, missing: missing,
            percentiles: summary.percentiles))
      }
    }
  }

  /// Returns the waits of the reachable destinations of a row, other than the origin itself.
  private func waiting(
    _ times: UnsafeBufferPointer<UInt32>, _ waits: UnsafeBufferPointer<UInt32>, except ownColumn: Int?
  ) -> OriginSummary.Waiting {
    let reached = times.indices.lazy.filter { times[$0] < self.missing && $0 != ownColumn }.map { waits[$0] }
    let sum = reached.reduce(0) { $0 + UInt64($1) }
    let count = reached.count { _ in true }
    return .init(
      destinations: reached.count { $0 > LongWait.seconds * 1000 },
      mean: count > 0 ? Double(sum) / Double(count) / 1000 : nil)
  }

  /// Returns the summary of a row. Destinations are ranked by time, then distance, then index. An origin's trip to
  /// itself counts neither as nearest nor in a mean.
  private func summary(
    of row: Int, _ departure: Int?, _ times: UnsafeBufferPointer<UInt32>, _ lengths: UnsafeBufferPointer<UInt32>,
    _ requested: SummaryTask
  ) -> OriginSummary {
    var summary = OriginSummary()
    (summary.origin, summary.departure) = (origins[row].id, departure)
    let ownColumn = ownCells[row]
    var (nearest, others) = (-1, 0)
    var (timeSum, lengthSum): (UInt64, UInt64) = (0, 0)
    for (column, time) in times.enumerated() where time < missing {
      summary.reachable += 1
      guard column != ownColumn else { continue }
      others += 1
      timeSum += UInt64(time)
      lengthSum += UInt64(lengths[column])
      if nearest < 0 || (time, lengths[column]) < (times[nearest], lengths[nearest]) { nearest = column }
    }
    if requested.nearest && nearest >= 0 {
      summary.nearest = .init(
        destination: destinations[nearest].id, milliseconds: times[nearest],
        centimetres: task.distances ? lengths[nearest] : nil)
    }
    if requested.mean && others > 0 {
      summary.meanTravelTime = Double(timeSum) / Double(others) / 1000
      if task.distances { summary.meanDistance = Double(lengthSum) / Double(others) / 100 }
    }
    summary.within = requested.within.map { threshold in
      let limit = UInt32(threshold) * 1000
      let columns = times.indices.lazy.filter { times[$0] < self.missing && times[$0] <= limit }
      return .init(
        threshold: threshold, destinations: columns.count,
        weight: weights.map { weights in columns.reduce(0) { $0 + weights[$1] } })
    }
    return summary
  }
}
