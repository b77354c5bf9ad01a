import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables

/// Computes the areas around the places of a chunk: one worker per thread.
final class IsochroneWorker {
  private let task: IsochroneTask
  private let places: [InputPlace]
  private let snapped: SnappedPlaces
  private let reached: ReachedHours
  private let axis: RowAxis
  /// The number of each hour or percentile; a single nil in a job without hours.
  private let numbers: [Int?]
  private let network: StreetNetwork
  private let areas = AreaContext()
  private let features = FeatureList()
  private let streets = FeatureList()
  private let deflater = Deflater()
  private var grids: [TravelTimeGridRow] = []

  /// - Parameter departures: The hours of each place; empty without hours.
  init(
    _ task: IsochroneTask, _ places: [InputPlace], _ snapped: SnappedPlaces, _ reached: ReachedHours,
    at axis: RowAxis, on network: StreetNetwork
  ) {
    self.task = task
    self.places = places
    self.snapped = snapped
    self.network = network
    self.reached = reached
    self.axis = axis
    numbers = axis.column == nil ? [nil] : axis.numbers
  }

  func compute(_ rows: Range<Int>) -> IsochroneWriter.Chunk {
    let isochrones = rows.map { self.isochrones(around: $0) }
    defer { grids = [] }
    var chunk = IsochroneWriter.Chunk()
    (chunk.rows, chunk.areas, chunk.grids) = (rows.count, isochrones.flatMap(\.self), grids)
    chunk.features = features.finishBlock()
    if task.hasStreets { chunk.streets = streets.finishBlock() }
    return chunk
  }

  private func isochrones(around origin: Int) -> [IsochroneRow] {
    let thresholds = task.reach.thresholds
    guard let end = snapped[origin].usableEnd else {
      return numbers.indices.flatMap { hour in
        thresholds.indices.map { row(origin, hour, $0, snapped[origin].status, nil) }
      }
    }
    let states = reached.states(origin, end, UInt32(task.reach.longest) * 1000)
    return numbers.indices.flatMap { isochrones(around: origin, end, states[$0], hour: $0) }
  }

  private func isochrones(around origin: Int, _ end: TripEnd, _ states: [Seed], hour: Int) -> [IsochroneRow] {
    let thresholds = task.reach.thresholds
    let longest = task.reach.longest
    let stretches = reached.stretches(end, states, hour, UInt32(longest) * 1000)
    if let grid = TravelTimeGrid(stretches, within: Int(longest), buffer: task.buffer, on: network) {
      grids.append(TravelTimeGridRow(grid, of: places[origin].id, at: numbers[hour], deflater))
    }
    let builder = AreaBuilder(around: end.place, buffer: task.buffer, smooth: task.smooth, areas)
    var text = TextBuffer(capacity: 1 << 16)
    var drawn: [StreetPiece] = []
    return thresholds.indices.map { index in
      let limit = UInt32(thresholds[index]) * 1000
      let pieces = reached.pieces(end, states, hour, limit)
      let whole = builder.add(network.lines(of: pieces.without(drawn), around: end, within: limit))
      drawn = pieces
      let area = task.hasBands ? builder.lastBand : whole
      // A place too far from its street for the time reaches nothing.
      guard !pieces.isEmpty else { return row(origin, hour, index, .beyondLimit, nil) }
      let length = pieces.reduce(0) { $0 + network.length(of: $1) }
      let row = row(origin, hour, index, .ok, IsochroneRow.Found(area, streetMetres: length))
      features.append(&text) { $0.append(row, axis, at: hour, area) }
      if task.hasStreets {
        // A section shorter than the coordinate grid is not a line.
        let lines = pieces.map(network.points).filter { $0.count > 2 || $0[0] != $0[1] }
        streets.append(&text) { $0.append(row, axis, at: hour, streets: lines) }
      }
      return row
    }
  }

  private func row(
    _ origin: Int, _ hour: Int, _ threshold: Int, _ status: RowStatus, _ found: IsochroneRow.Found?
  ) -> IsochroneRow {
    IsochroneRow(
      place: places[origin].id, departure: numbers[hour],
      fromThreshold: task.hasBands && threshold > 0 ? task.reach.thresholds[threshold - 1] : 0,
      threshold: task.reach.thresholds[threshold], status: status, found: found)
  }
}
