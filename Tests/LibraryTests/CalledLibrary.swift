import COdometer
import Foundation
import Geography
import OdometerLibrary
import TestMaps

/// The library as called from C, on a drawn map.
final class CalledLibrary {
  private let pointer: OpaquePointer
  private let scratch: Scratch

  /// The error of a function that did not return 0.
  struct Failure: Error, Equatable {
    var code: Int32
    var message: String
  }

  /// Opens the library on a map.
  ///
  /// - Parameter feed: A timetable.
  init(_ map: TestMap, _ options: String..., feed: Data? = nil) throws {
    scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    var words = ["--map", scratch.path("map.opl")] + options
    if let feed {
      try feed.write(to: URL(fileURLWithPath: scratch.path("feed.zip")))
      words += ["--gtfs", scratch.path("feed.zip")]
    }
    pointer = try CalledLibrary.open(words)
  }

  deinit {
    odometer_close(pointer)
    scratch.remove()
  }

  static func open(_ words: [String]) throws -> OpaquePointer {
    var opened: OpaquePointer?
    let texts = words.map { UnsafePointer(strdup($0)) }
    defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
    try check(odometer_open(texts, Int32(texts.count), &opened))
    return opened!
  }

  private static func check(_ code: Int32) throws {
    guard code != 0 else { return }
    throw Failure(code: code, message: String(cString: odometer_message()))
  }

  /// Calls `body` with C arrays.
  private func with<R>(_ places: [Coordinate], _ body: (UnsafePointer<odometer_places>) throws -> R) rethrows -> R {
    try places.map(\.latitude).withUnsafeBufferPointer { latitudes in
      try places.map(\.longitude).withUnsafeBufferPointer { longitudes in
        var all = odometer_places(
          count: Int64(places.count), latitudes: latitudes.baseAddress, longitudes: longitudes.baseAddress)
        return try body(&all)
      }
    }
  }

  func etas(_ origins: [Coordinate], _ destinations: [Coordinate], at departures: [Int64]? = nil) throws
    -> [(seconds: Double, metres: Double, status: String)]
  {
    var (times, metres) = ([Double](repeating: -1, count: origins.count), [Double](repeating: -1, count: origins.count))
    var states = [odometer_status](repeating: 255, count: origins.count)
    let code = with(origins) { from in
      with(destinations) { odometer_etas(pointer, from, $0, departures, &times, &metres, &states) }
    }
    try CalledLibrary.check(code)
    return origins.indices.map { (times[$0], metres[$0], String(cString: odometer_status_name(states[$0])!)) }
  }

  /// Returns seconds and metres, row by row.
  func matrix(
    _ origins: [Coordinate], _ destinations: [Coordinate], at departure: Int64 = .min, stride: Int? = nil
  ) throws -> (seconds: [Float], metres: [Float]) {
    let count = origins.count * max(stride ?? 0, destinations.count)
    var (times, metres) = ([Float](repeating: -1, count: count), [Float](repeating: -1, count: count))
    let code = with(origins) { from in
      with(destinations) {
        odometer_matrix(pointer, from, $0, departure, Int64(stride ?? destinations.count), &times, &metres)
      }
    }
    try CalledLibrary.check(code)
    return (times, metres)
  }

  /// Returns seconds by public transport: one row per departure or percentile for each origin.
  func transit(
    _ origins: [Coordinate], _ destinations: [Coordinate], at departures: [Int64], areArrivals: Bool = false,
    percentiles: [Int32]? = nil
  ) throws -> [Float] {
    let rows = percentiles?.count ?? departures.count
    var times = [Float](repeating: -1, count: origins.count * rows * destinations.count)
    let code = with(origins) { from in
      with(destinations) {
        odometer_transit_matrix(
          pointer, from, $0, departures, Int64(departures.count), areArrivals ? 1 : 0, percentiles, Int64(rows), &times)
      }
    }
    try CalledLibrary.check(code)
    return times
  }

  func nearest(
    _ origins: [Coordinate], _ destinations: [Coordinate], count: Int, within: Double = .infinity, at: Int64 = .min
  ) throws -> (found: [Int64], seconds: [Double]) {
    let size = max(0, min(count, 100) * origins.count)
    var found = [Int64](repeating: -2, count: size)
    var (times, metres) = ([Double](repeating: -1, count: size), [Double](repeating: -1, count: size))
    let code = with(origins) { from in
      with(destinations) {
        odometer_nearest(pointer, from, $0, Int64(count), within, at, &found, &times, &metres)
      }
    }
    try CalledLibrary.check(code)
    return (found, times)
  }

  /// The rows of an answer, and the positions of its shapes.
  typealias Rows = (rows: [[String: Any]], positions: [Coordinate])

  func routes(_ origins: [Coordinate], _ destinations: [Coordinate], alternates: Bool = false) throws -> Rows {
    try rows { answer in
      with(origins) { from in
        with(destinations) { odometer_routes(pointer, from, $0, nil, alternates ? 1 : 0, answer) }
      }
    }
  }

  func isochrones(_ places: [Coordinate], _ limits: [Double], buffer: Double = 30, at: Int64 = .min) throws -> Rows {
    try rows { answer in
      with(places) { odometer_isochrones(pointer, $0, limits, Int64(limits.count), buffer, 0, at, answer) }
    }
  }

  func match(
    _ fixes: [Coordinate], _ times: [Double]?, _ accuracies: [Double]? = nil, speeds: [Double]? = nil,
    courses: [Double]? = nil, received: [Double]? = nil, ends: [Int64]
  ) throws -> Rows {
    try rows { answer in
      with(fixes) {
        odometer_match(
          pointer, $0, times, accuracies, speeds, courses, received, ends, Int64(ends.count), answer)
      }
    }
  }

  func reasons(_ origins: [Coordinate], _ destinations: [Coordinate]) throws -> [String] {
    try CalledLibrary.answer { answer in
      with(origins) { from in with(destinations) { odometer_reasons(pointer, from, $0, nil, answer) } }
    }.value as! [String]
  }

  var info: [String: Any] {
    get throws { try CalledLibrary.answer { odometer_info(pointer, $0) }.value as! [String: Any] }
  }

  static func install(_ path: String, in cache: String) throws -> String {
    try answer { odometer_install(path, cache, $0) }.value as! String
  }

  func cancel() { odometer_cancel(pointer) }

  private func rows(_ call: (UnsafeMutablePointer<odometer_answer>) -> Int32) throws -> Rows {
    let (value, positions) = try CalledLibrary.answer(call)
    // For each part, the index of its first position, and its rows.
    let rows = (value as! [[Any]]).flatMap { part in
      (part[1] as! [[String: Any]]).map { $0.merging(["first": part[0]]) { $1 } }
    }
    return (rows, positions)
  }

  private static func answer(
    _ call: (UnsafeMutablePointer<odometer_answer>) -> Int32
  ) throws -> (value: Any, positions: [Coordinate]) {
    let answer = UnsafeMutablePointer<odometer_answer>.allocate(capacity: 1)
    defer { answer.deallocate() }
    try CalledLibrary.check(call(answer))
    defer { odometer_free(answer) }
    let text = Data(bytes: answer.pointee.text, count: Int(answer.pointee.text_count))
    let positions = (0..<Int(answer.pointee.position_count)).map {
      Coordinate(latitude: answer.pointee.positions[2 * $0 + 1], longitude: answer.pointee.positions[2 * $0])
    }
    return (try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed), positions)
  }
}
