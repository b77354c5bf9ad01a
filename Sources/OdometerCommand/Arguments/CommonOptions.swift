import Jobs
import Routing
import StreetNetwork

/// Options shared by several commands.
enum CommonOptions {
  static let map = Option("map", "MAP", .file, help: "map: .osm.pbf, .osm, .osm.gz, .osm.bz2, or a .network file")
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
    "speeds", "FILE", .file, help: "speeds by hour and OpenStreetMap ids, like the key speeds of a job; needs a date")
  static let here = Option(
    "here", "LAT,LON", help: "source for a Maps link that has none or that starts at the current location")
  static let traffic = Option(
    "traffic", "FILE", .file,
    help: "slowness by road class and hour, like the key traffic of a job: a file, or porto; needs a date")
  static let avoid = Option(
    "avoid", "LIST", .choice(["tolls", "highways", "tolls,highways"]),
    help: "tolls, highways or both (tolls,highways); used only if there is no other route")
  static let language = Option(
    "language", "NAME", .choice(Language.names), help: "language of the instructions: en (default) or pt")
  static let quiet = Option("quiet", help: "print nothing if the run succeeds")
  static let progress = Option(
    "progress", "HOW", .choice(ProgressStyle.allCases.map(\.rawValue)),
    help: "on stderr: auto (default), always, never, or json: one object per line")
}
