import COdometer
import Geography
import Hierarchy
import Jobs
import OdometerCommand
import Routing

/// See `odometer.h`.
@c @implementation
public func odometer_matrix(
  _ network: OpaquePointer, _ origins: UnsafePointer<odometer_places>, _ destinations: UnsafePointer<odometer_places>,
  _ departure: Int64, _ stride: Int64, _ travelTimes: UnsafeMutablePointer<Float>,
  _ distances: UnsafeMutablePointer<Float>?
) -> Int32 {
  Outcome.of {
    let network = OpenNetwork.at(network)
    let isCancelled = network.directions.cancellation()
    let (from, to) = try (origins.pointee.coordinates("origins"), destinations.pointee.coordinates("destinations"))
    let (times, lengths, stride) = (Output(travelTimes), distances.map { Output($0) }, Int(stride))
    guard stride >= to.count else { throw .usage("stride: got \(stride), expected at least \(to.count)") }
    guard !to.isEmpty else { return }
    let matrix = try network.directions.prepareMatrix(
      from: from, to: to, at: network.time(departure), distances: distances != nil, isCancelled)
    try network.run(matrix.blocks, isCancelled) {
      let fill = matrix.makeFill()
      return { rows in
        let block = fill(rows)
        for row in 0..<rows.count {
          let (start, cells) = ((rows.lowerBound + row) * stride, block.times(row: row))
          MatrixFloats.seconds(cells, into: times.base + start)
          if let lengths { MatrixFloats.metres(block.lengths(row: row), cells, into: lengths.base + start) }
        }
      }
    }
  }
}

/// See `odometer.h`.
@c @implementation
public func odometer_transit_matrix(
  _ network: OpaquePointer, _ origins: UnsafePointer<odometer_places>, _ destinations: UnsafePointer<odometer_places>,
  _ moments: UnsafePointer<Int64>, _ momentCount: Int64, _ areArrivals: Int32, _ percentiles: UnsafePointer<Int32>?,
  _ percentileCount: Int64, _ travelTimes: UnsafeMutablePointer<Float>
) -> Int32 {
  Outcome.of {
    let network = OpenNetwork.at(network)
    let isCancelled = network.directions.cancellation()
    let (from, to) = try (origins.pointee.coordinates("origins"), destinations.pointee.coordinates("destinations"))
    guard (1...10_000).contains(momentCount) else {
      throw .usage("got \(momentCount) departures, expected 1 to 10000")
    }
    guard (0...101).contains(percentileCount) else {
      throw .usage("got \(percentileCount) percentiles, expected up to 101")
    }
    let times = Output(travelTimes)
    let percentiles = percentiles.map { UnsafeBufferPointer(start: $0, count: Int(percentileCount)).map { Int($0) } }
    let rows = percentiles?.count ?? Int(momentCount)
    let moments = try network.moments(
      Array(UnsafeBufferPointer(start: moments, count: Int(momentCount))), isArrival: areArrivals != 0)
    guard !from.isEmpty, !to.isEmpty, rows > 0 else { return }
    let matrix = try network.directions.prepareTransitMatrix(
      from: from, to: to, at: moments, percentiles: percentiles, isCancelled)
    try network.run(matrix.blocks, isCancelled) {
      let fill = matrix.makeFill()
      return { origins in
        let block = fill(origins)
        for row in 0..<origins.count * rows {
          MatrixFloats.seconds(block.times(row: row), into: times.base + (origins.lowerBound * rows + row) * to.count)
        }
      }
    }
  }
}

/// See `odometer.h`.
@c @implementation
public func odometer_nearest(
  _ network: OpaquePointer, _ origins: UnsafePointer<odometer_places>, _ destinations: UnsafePointer<odometer_places>,
  _ maximumCount: Int64, _ within: Double, _ departure: Int64, _ found: UnsafeMutablePointer<Int64>,
  _ travelTimes: UnsafeMutablePointer<Double>, _ distances: UnsafeMutablePointer<Double>
) -> Int32 {
  Outcome.of {
    guard (1...Int64(Int32.max)).contains(maximumCount) else {
      throw .usage("count: got \(maximumCount), expected 1 to \(Int32.max) destinations")
    }
    guard within >= 0 else { throw .usage("within: got \(within), expected seconds from 0") }
    let network = OpenNetwork.at(network)
    let (from, to) = try (origins.pointee.coordinates("origins"), destinations.pointee.coordinates("destinations"))
    let count = Int(maximumCount)
    try network.directions.forEachNearest(
      from: from, to: to, count: min(count, max(1, to.count)), within: within.isFinite ? within : nil,
      at: network.time(departure)
    ) { origin, nearest in
      for place in 0..<count {
        let (index, trip) = (origin * count + place, place < nearest.count ? nearest[place] : nil)
        found[index] = trip.map { Int64($0.target) } ?? -1
        travelTimes[index] = trip?.weight.seconds ?? .nan
        distances[index] = trip?.weight.metres ?? .nan
      }
    }
  }
}
