import Foundation
import Geography
import Jobs
import Routing
import StreetNetwork
import Tables

/// An option of a command: `--name`, or `--name VALUE`.
struct Option: Hashable {
  var name: String
  /// The placeholder for the value in help; nil for a flag.
  var placeholder: String?
  var values: ArgumentValues
  var help: String

  init(_ name: String, _ placeholder: String? = nil, _ values: ArgumentValues = .any, help: String) {
    (self.name, self.placeholder, self.values, self.help) = (name, placeholder, values, help)
  }

  /// The option as shown in usage: "--workers N".
  var usage: String { "--\(name)\(placeholder.map { " \($0)" } ?? "")" }
}

/// A positional argument.
struct Operand: Hashable {
  var name: String
  var values: ArgumentValues
  var isOptional = false
  /// Whether the operand may be repeated; only for the last one.
  var isRepeated = false

  init(_ name: String, _ values: ArgumentValues = .any, isOptional: Bool = false, isRepeated: Bool = false) {
    (self.name, self.values, self.isOptional, self.isRepeated) = (name, values, isOptional, isRepeated)
  }

  var usage: String { isOptional ? "[\(name)]" : isRepeated ? "\(name)…" : name }
}

/// The possible values of an argument, for completion by a shell.
enum ArgumentValues: Hashable {
  case any
  case file
  case folder
  /// One of these words.
  case choice([String])
}

/// Options shared by several commands.
enum CommonOptions {
  static let map = Option("map", "MAP", .file, help: "map: .osm.pbf, .osm, .osm.gz, .osm.bz2, or a .network file")
  static let movedMap = Option(
    "map", "MAP", .file, help: "current path of the job's map (default: the original path)")
  static let by = Option(
    "by", "TYPE", .choice(Profile.stockNames), help: "stock profile (default: walking, or the network file's)")
  static let profile = Option("profile", "FILE", .file, help: "profile file, complete or with a base")
  static let pace = Option("pace", "KMH", help: "walking speed on level ground, like the key pace of a job")
  static let elevation = Option(
    "elevation", "FILE", .file, help: "DEM, like the key elevation of a job: a raster or a folder of tiles")
  static let cache = Option("cache", "DIR", .folder, help: "folder for network files (default: next to the map)")
  static let workers = Option(
    "workers", "N",
    help:
      "number of threads (default: one per available core); results do not depend on it")
  static let snapLimit = Option(
    "snap-limit", "METRES", help: "maximum distance of a place from its street (default: 1000)")
  static let depart = Option(
    "depart", "DATE", help: "departure time, e.g. 2026-11-21T08:30:00+01:00; applies opening hours and conditional tags"
  )
  static let waitLimit = Option(
    "wait-limit", "MINUTES", help: "longest wait for a closed street, like the key waitLimit of a job (default: 60)")
  static let arrive = Option("arrive", "DATE", help: "arrival time, instead of --depart")
  static let speeds = Option(
    "speeds", "FILE", .file,
    help: "speeds by hour and OpenStreetMap ids, like the key speeds of a job; needs --depart or --arrive")
  static let here = Option(
    "here", "LAT,LON", help: "source for a Maps link that has none or that starts at the current location")
  static let traffic = Option(
    "traffic", "FILE", .file,
    help: "slowness by road class and hour, like the key traffic of a job: a file, or porto; needs --depart or --arrive"
  )
  static let avoid = Option(
    "avoid", "LIST", .choice(["tolls", "highways", "tolls,highways"]),
    help: "roads to avoid: tolls, highways or both (tolls,highways); used only if there is no other route")
  static let language = Option(
    "language", "NAME", .choice(Language.names), help: "language of the instructions: en (default) or pt")
  static let format = Option(
    "format", "FORMAT", .choice(["text", "json", "geojson"]), help: "text (default), json or geojson")
  static let quiet = Option("quiet", help: "print nothing if the run succeeds")
  static let progress = Option(
    "progress", "HOW", .choice(ProgressStyle.allCases.map(\.rawValue)),
    help: "on stderr: auto (default), always, never, or json: one object per line")

  /// The options for the places of a single trip on a network, and for its times.
  static let ofPlaces = [map, by, profile, pace, elevation, snapLimit, here]
  static let ofTimes = [depart, arrive, waitLimit, speeds, traffic, avoid]
}

extension ResultsFolder {
  /// Creates the results folder that contains a database.
  init(ofDatabase path: String) {
    let parent = path.folder
    self.init(path: parent.isEmpty ? "." : parent)
  }

  /// Returns the database named by an operand RESULTS: the file itself, or the one in a folder. *Throws*:
  /// `ResultsError`.
  static func database(named path: String) throws -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ResultsError(path: path, problem: "no such file; expected a results.sqlite or its folder", cause: .input)
    }
    guard isFolder.boolValue else { return path }
    let database = ResultsFolder(path: path).database
    guard FileManager.default.fileExists(atPath: database) else {
      throw ResultsError(
        path: path, problem: "this folder has no results.sqlite: no job has finished there", cause: .input)
    }
    return database
  }
}

extension Operand {
  static let map = Operand("MAP", .file)
  static let results = Operand("RESULTS", .file)
  static let networks = Operand("FOLDER", .folder, isOptional: true)
  static let places = [Operand("FROM"), Operand("TO", isOptional: true)]
}
