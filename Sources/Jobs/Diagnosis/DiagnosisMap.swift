import Foundation
import Geography
import Routing
import StreetNetwork
import Tables

/// The map that results were computed on, read again to tell why their rows are as they are.
struct DiagnosisMap {
  let network: StreetNetwork
  /// Nil where there is a network file and no extract.
  let streets: MapStreets?
  let options: Directions.Options
  let reach: MainReach
  private let router: Router
  private let islands: StreetSearch

  /// - Parameter files: What of the map a person names because it is elsewhere now.
  /// - Throws: `ResultsError` where the map is gone or another one; what opening, or building, the network throws.
  init(
    of record: JobRecord, in path: String, at files: LocatedFiles, cache: String?, workers: Int,
    report: (NetworkEvent) -> Void
  ) throws {
    let identity = record.identity
    let networkFile = identity.text(.networkFile).map(record.located)
    let map = DiagnosisMap.extract(files.map, networkFile, identity.text(.map), record.located)
    let located = LocatedFiles(map: networkFile ?? map, profile: files.profile)
    let job = try Job(of: record, in: path, output: path.folder, at: located)
    if let map {
      let location = try StreetNetwork.location(map: map, profile: job.loadProfile(), cache: cache)
      guard location.mapDigest == identity[.mapSHA256] else {
        throw ResultsError(
          path: map, problem: "the map is not the one of the run: its content has changed; name that one with --map",
          cause: .input)
      }
      network = try StreetNetwork(at: location, workers: workers, report: report)
      streets = try MapStreets(.file(map), of: network)
      try [location.mapFile].compactMap(\.self).check(\.isSame)
    } else {
      network = try StreetNetwork(networkFile: job.map, cache: cache)
      streets = nil
    }
    guard network.fingerprints.map == identity[.mapSHA256], network.fingerprints.profile == identity[.profileSHA256]
    else {
      throw ResultsError(
        path: path, problem: "the map or the profile is not the one these results were computed with", cause: .input)
    }
    options = job.options
    reach = streets?.reach ?? MainReach(network)
    router = Router(network, options)
    islands = StreetSearch(network, among: network.islands)
  }

  /// The extract: as it is named, as it was, or that of a network file next to it.
  private static func extract(
    _ named: String?, _ networkFile: String?, _ map: String?, _ located: (String) -> String
  ) -> String? {
    if let named { return StreetNetwork.isNetworkFile(named) ? nil : named }
    guard let networkFile else { return map.map(located) }
    let folder = networkFile.folder
    let beside = map.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    return beside.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }

  func end(at point: FixedCoordinate) -> TripEnd? { router.end(at: point.coordinate) }

  /// The street within the snap limit that a place without any other has, on an island; nil where it has none.
  func island(at point: FixedCoordinate) -> PassedIsland? { router.passedIsland(at: point.coordinate, nil) }

  /// What a trip from one end to another takes where no time is given.
  func weight(from origin: TripEnd, to destination: TripEnd) -> (metres: Double, seconds: Double)? {
    router.weight(from: origin, to: destination).map {
      (Double($0.centimetres) / 100, Double($0.milliseconds) / 1000)
    }
  }

  /// Where a trip would start, or end, were all open.
  ///
  /// - Parameter isOnIsland: Whether the place was snapped past an island, and what is asked for is that.
  func spot(at point: FixedCoordinate, isOnIsland: Bool = false) -> MapStreets.Spot {
    let end = isOnIsland ? nil : end(at: point)
    let snap = end?.snap ?? islands.snap(point.coordinate, limit: options.snapLimit)
    return snap.map { .snap($0) } ?? .place(point)
  }
}
