import Foundation
import Routing
import StreetNetwork

/// From the extract to a usable network: CPU seconds and peak memory.
func buildScenario(_ odometer: String, map: String, by type: String, scratch: String) throws {
  var runs: [Child] = []
  for number in 0..<5 {
    runs.append(try Child(odometer, ["network", "build", map, "--by", type, "--cache", "\(scratch)/build\(number)"]))
  }
  row("extract to queryable, CPU seconds", fixed(median(runs.map(\.cpuSeconds)), 2), "median of 5")
  row("  peak memory, MB", fixed(runs.map(\.peakMegabytes).max()!, 0))
  let opened = try (0..<5).map { _ in
    try Child(odometer, ["network", "build", map, "--by", type, "--cache", "\(scratch)/build0"])
  }
  row("  opened again, CPU seconds", fixed(median(opened.map(\.cpuSeconds)), 3), "median of 5, whole program")
}

/// Requests through the library, including snapping.
func queryScenario(map: String, pairs: String, by type: String, scratch: String) throws {
  let network = try StreetNetwork(map: map, profile: .stock(type), cache: "\(scratch)/build0")
  let directions = Directions(network: network)
  let requests = try readPairs(pairs)
  var checks: Set<Int> = []
  for (name, isWhole) in [("ETA queries per second", false), ("route queries per second", true)] {
    var rates: [Double] = []
    for _ in 0..<3 {
      var centimetres = 0
      let start = ContinuousClock.now
      for request in requests {
        let distance =
          isWhole
          ? (try? directions.calculateAndWait(request))?.first?.distance
          : (try? directions.calculateETAAndWait(request))?.distance
        centimetres += Int(((distance ?? 0) * 100).rounded())
      }
      rates.append(Double(requests.count) / ((ContinuousClock.now - start) / .seconds(1)))
      checks.insert(centimetres)
    }
    row(name, fixed(median(rates), 0), isWhole ? "shape, steps and instructions; median of 3" : "median of 3")
  }
  row("  sum of all distances agrees", checks.count == 1 ? "yes" : "NO", "\(checks.min()! / 100) m")
}

/// Whole jobs: everything is read, computed and written.
func jobScenario(_ odometer: String, map: String, pairs: String, by type: String, scratch: String) throws {
  let count = try readPairs(pairs).count
  for kind in ["routes", "etas"] {
    let job = "\(scratch)/\(kind).json5"
    try Data(
      """
      { kind: "\(kind)", map: "\(map)", transportType: "\(type)", pairs: "\(pairs)", output: "\(scratch)/\(kind)" }
      """.utf8
    ).write(to: URL(fileURLWithPath: job))
    let runs = try (0..<3).map { _ in
      try Child(odometer, ["run", job, "--workers", "1", "--quiet", "--cache", "\(scratch)/build0"])
    }
    let wall = median(runs.map(\.wallSeconds))
    row("whole job \(kind), rows per second", fixed(Double(count) / wall, 0), "\(count) rows, median of 3, one worker")
    row("  CPU microseconds per row", fixed(median(runs.map(\.cpuSeconds)) / Double(count) * 1e6, 0))
    row("  peak memory, MB", fixed(runs.map(\.peakMegabytes).max()!, 0))
  }
}

/// The four nearest of a thousand stations for each of a million places about a hundred metres from the pairs' origins,
/// through the library, including snapping; then areas of 15 minutes as a job.
func accessScenario(_ odometer: String, map: String, pairs: String, by type: String, scratch: String) throws {
  let requests = try readPairs(pairs)
  var state: UInt64 = 1
  func random() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 33) / Double(1 << 31)
  }
  let origins = (0..<1_000_000).map { number -> Place in
    let near = requests[number % requests.count].source.coordinate
    return Place(
      latitude: near.latitude + (random() - 0.5) * 0.002, longitude: near.longitude + (random() - 0.5) * 0.002)
  }
  let stations = (0..<1000).map { requests[$0 * 7919 % requests.count].destination }
  let directions = Directions(network: try StreetNetwork(map: map, profile: .stock(type), cache: "\(scratch)/build0"))
  var seconds: [Double] = []
  for _ in 0..<3 {
    let start = ContinuousClock.now
    let found = try directions.calculateNearestAndWait(
      NearestRequest(sources: origins, destinations: stations, count: 4))
    seconds.append((ContinuousClock.now - start) / .seconds(1))
    if seconds.count == 1 { row("  origins with four stations", String(found.count { $0.count == 4 })) }
  }
  row("nearest 4 of 1,000 for a million, seconds", fixed(median(seconds), 2), "snapping included; median of 3")

  let count = 200
  let places = (0..<count).map {
    "\(requests[$0].source.coordinate.longitude),\(requests[$0].source.coordinate.latitude)"
  }
  try Data(("lon,lat\n" + places.joined(separator: "\n")).utf8).write(to: URL(fileURLWithPath: "\(scratch)/places.csv"))
  try Data(
    """
    { kind: "isochrones", map: "\(map)", transportType: "\(type)", origins: "\(scratch)/places.csv",
      thresholds: [15], output: "\(scratch)/isochrones" }
    """.utf8
  ).write(to: URL(fileURLWithPath: "\(scratch)/isochrones.json5"))
  let runs = try (0..<3).map { _ in
    try Child(
      odometer, ["run", "\(scratch)/isochrones.json5", "--workers", "1", "--quiet", "--cache", "\(scratch)/build0"])
  }
  row("areas of 15 minutes, CPU milliseconds each", fixed(median(runs.map(\.cpuSeconds)) / Double(count) * 1000, 1))
}

/// Requests from a CSV with the columns origin_lon, origin_lat, destination_lon, destination_lat.
func readPairs(_ path: String) throws -> [DirectionsRequest] {
  let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
  let header = lines[0].split(separator: ",").map(String.init)
  let columns = ["origin_lat", "origin_lon", "destination_lat", "destination_lon"].map { header.firstIndex(of: $0)! }
  return lines.dropFirst().map { line in
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = columns.map { Double(fields[$0])! }
    return DirectionsRequest(
      source: Place(latitude: numbers[0], longitude: numbers[1]),
      destination: Place(latitude: numbers[2], longitude: numbers[3]))
  }
}
