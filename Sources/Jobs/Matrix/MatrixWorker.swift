import Geography
import Hierarchy
import Results
import Routing

/// Computes blocks of a matrix and puts their rows into the forms that are wanted: one worker per thread.
final class MatrixWorker {
  private let task: MatrixTask
  private let origins: [InputPlace]
  private let destinations: [InputPlace]
  private let query: TripMatrixQuery
  private let block: MatrixBlock
  private let cells: CellText
  private let deflater: Deflater?
  /// The destinations' names as CSV has them.
  private let labels: [String]
  /// The destinations' weights; nil where none has one.
  private let weights: [Double]?
  private let missing = MatrixBlock.unreachable

  init(
    _ task: MatrixTask, _ trips: TripMatrix, from origins: [InputPlace], to destinations: [InputPlace],
    _ cells: CellText
  ) {
    self.task = task
    self.origins = origins
    self.destinations = destinations
    self.cells = cells
    query = TripMatrixQuery(trips)
    block = MatrixBlock(trips.matrix)
    let writesCSV = task.formats.contains(.csv)
    deflater = writesCSV ? Deflater() : nil
    labels = writesCSV ? destinations.map { $0.id.csvField } : []
    weights = destinations.contains { $0.weight != nil } ? destinations.map { $0.weight ?? 0 } : nil
  }

  func compute(_ rows: Range<Int>, into text: TextBytes) -> MatrixWriter.Block {
    query.fill(block, rows: rows)
    text.removeAll()
    var answer = MatrixWriter.Block(origins: origins[rows].map(\.id), text: text)
    for row in rows.indices.map({ $0 - rows.lowerBound }) {
      let times = block.times(row: row)
      let lengths = task.distances ? block.lengths(row: row) : times
      answer.times.add(times, times: times, missing: missing)
      if task.distances { answer.lengths.add(lengths, times: times, missing: missing) }
      if task.formats.contains(.sqlite) {
        cells.append(seconds: times, missing: missing, to: answer.text)
        answer.ends.append(answer.text.count)
        if task.distances {
          cells.append(metres: lengths, times: times, missing: missing, to: answer.text)
          answer.ends.append(answer.text.count)
        }
      }
      if task.formats.contains(.npy) {
        answer.travelTimes += floats(times, times, per: 1000)
        if task.distances { answer.distances += floats(lengths, times, per: 100) }
      }
      if let deflater { append(csv: row + rows.lowerBound, times, lengths, to: deflater) }
      if let summary = task.summary {
        answer.summaries.append(self.summary(of: row + rows.lowerBound, times, lengths, summary))
      }
    }
    answer.csv = deflater?.finishBlock()
    return answer
  }

  private func floats(
    _ values: UnsafeBufferPointer<UInt32>, _ times: UnsafeBufferPointer<UInt32>, per scale: Float
  ) -> [Float] {
    zip(values, times).map { value, time in time < missing ? Float(value) / scale : .nan }
  }

  private func append(
    csv row: Int, _ times: UnsafeBufferPointer<UInt32>, _ lengths: UnsafeBufferPointer<UInt32>, to deflater: Deflater
  ) {
    let origin = origins[row].id.csvField
    var text = TextBuffer(capacity: 48 * times.count + 64)
    for (column, time) in times.enumerated() {
      text.append(text: origin)
      text.append(",")
      text.append(text: labels[column])
      text.append(",")
      if time < missing { text.append(decimal: Int64(time), places: 3) }
      if task.distances {
        text.append(",")
        if time < missing { text.append(decimal: Int64(lengths[column]), places: 2) }
      }
      text.append("\n")
    }
    deflater.append(text)
  }

  /// Nearness is time, then distance, then the order of the destinations.
  private func summary(
    of row: Int, _ times: UnsafeBufferPointer<UInt32>, _ lengths: UnsafeBufferPointer<UInt32>, _ wanted: SummaryTask
  ) -> OriginSummary {
    var summary = OriginSummary(origin: origins[row].id)
    var nearest = -1
    var (timeSum, lengthSum): (UInt64, UInt64) = (0, 0)
    for (column, time) in times.enumerated() where time < missing {
      summary.reachable += 1
      timeSum += UInt64(time)
      lengthSum += UInt64(lengths[column])
      if nearest < 0 || (time, lengths[column]) < (times[nearest], lengths[nearest]) { nearest = column }
    }
    if wanted.nearest && nearest >= 0 {
      summary.nearest = .init(
        destination: destinations[nearest].id, milliseconds: times[nearest],
        centimetres: task.distances ? lengths[nearest] : nil)
    }
    if wanted.mean && summary.reachable > 0 {
      summary.meanTravelTime = Double(timeSum) / Double(summary.reachable) / 1000
      if task.distances { summary.meanDistance = Double(lengthSum) / Double(summary.reachable) / 100 }
    }
    summary.within = wanted.within.map { threshold in
      let limit = UInt32(threshold) * 1000
      let columns = times.indices.lazy.filter { times[$0] < self.missing && times[$0] <= limit }
      return .init(
        threshold: threshold, destinations: columns.count,
        weight: weights.map { weights in columns.reduce(0) { $0 + weights[$1] } })
    }
    return summary
  }
}
