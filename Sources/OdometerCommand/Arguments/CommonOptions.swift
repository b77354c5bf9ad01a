import Jobs
import Routing
import StreetNetwork

/// Options that several commands share.
enum CommonOptions {
  static let map = Option("map", "MAP", .file, help: "the map: .osm.pbf, .osm, .osm.gz, .osm.bz2, or a .network file")
  static let by = Option(
    "by", "TYPE", .choice(Profile.stockNames),
    help: "how to travel: walking (default; a network file knows it), or another stock profile")
  static let profile = Option("profile", "FILE", .file, help: "a profile of your own, whole or with a base")
  static let pace = Option("pace", "KMH", help: "how fast one walks on the flat, as a job's key pace")
  static let elevation = Option(
    "elevation", "FILE", .file, help: "heights of the ground, as a job's key elevation: a raster or a folder of tiles")
  static let cache = Option("cache", "DIR", .folder, help: "where network files are kept (default: next to the map)")
  static let workers = Option(
    "workers", "N",
    help:
      "threads (default: one per core that taskset, a container or a unit allows); results are the same for any number")
  static let snapLimit = Option(
    "snap-limit", "METRES", help: "how far a place may be from its street (default: 1000)")
  static let depart = Option(
    "depart", "DATE", help: "when the trip starts, e.g. 2026-11-21T08:30:00+01:00: what is open then counts")
  static let waitLimit = Option(
    "wait-limit", "MINUTES", help: "the longest wait for a closed street, as a job's key waitLimit (default: 60)")
  static let arrive = Option("arrive", "DATE", help: "when the trip ends, instead of --depart")
  static let speeds = Option(
    "speeds", "FILE", .file, help: "speeds at hours by ids of OpenStreetMap, as a job's key speeds; needs a date")
  static let here = Option(
    "here", "LAT,LON", help: "the source of a link of Maps that has none, and what it calls the current location")
  static let traffic = Option(
    "traffic", "FILE", .file,
    help: "slowness by road class and hours, as a job's key traffic: a file, or porto; needs a date")
  static let avoid = Option(
    "avoid", "LIST", .choice(["tolls", "highways", "tolls,highways"]),
    help: "tolls, highways or both (tolls,highways): used only where there is no other route")
  static let language = Option(
    "language", "NAME", .choice(Language.names), help: "of the instructions: en (default) or pt")
  static let quiet = Option("quiet", help: "print nothing of a run that succeeds")
  static let progress = Option(
    "progress", "HOW", .choice(ProgressStyle.allCases.map(\.rawValue)),
    help: "on stderr: auto (default), always, never, or json: an object per line")
}
