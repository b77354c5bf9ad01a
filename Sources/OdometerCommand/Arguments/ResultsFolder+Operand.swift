import Foundation
import Geography
import Jobs
import Tables

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
  static let places = [Operand("FROM"), Operand("TO", isOptional: true)]
}
