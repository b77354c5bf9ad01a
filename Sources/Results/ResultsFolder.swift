import Foundation

/// Where a job's results lie. While they are being written they have other names: what looks whole is whole.
package struct ResultsFolder: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  package var database: String { "\(path)/results.sqlite" }
  package var routes: String { "\(path)/routes.geojson.gz" }
  package var travelTimes: String { "\(path)/travel_times.npy" }
  package var distances: String { "\(path)/distances.npy" }
  package var matrix: String { "\(path)/matrix.csv.gz" }
  package var access: String { "\(path)/access.geojson.gz" }
  package var isochrones: String { "\(path)/isochrones.geojson.gz" }
  package var streets: String { "\(path)/reached-streets.geojson.gz" }
  package var report: String { "\(path)/report.html" }

  static func unfinished(_ path: String) -> String { path + ".part" }

  /// Makes the folder and checks that files can be written there. *Throws*: `ResultsError`.
  func create() throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch let error as NSError {
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      throw ResultsError(
        path: path,
        problem: exists && !isDirectory.boolValue
          ? "the output folder cannot be made: a file of that name is there"
          : "the output folder cannot be made: \((error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error).localizedDescription)"
      )
    }
    guard Foundation.access(path, W_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw ResultsError(path: path, problem: "the output folder cannot be written: \(reason)")
    }
  }

  /// Removes what an earlier job of another form has left here: it would look like a part of these results.
  package func removeAll(but files: [String]) {
    for file in [routes, travelTimes, distances, matrix, access, isochrones, streets, report]
    where !files.contains(file) { unlink(file) }
  }

  /// Gives a finished file its name.
  static func finish(_ path: String) throws {
    guard rename(unfinished(path), path) == 0 else {
      throw ResultsError(path: path, problem: String(cString: strerror(errno)))
    }
  }
}
