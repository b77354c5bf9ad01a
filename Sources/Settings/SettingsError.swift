/// What is wrong in a settings file, as one sentence for the person who edits it.
package struct SettingsError: Error, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var problem: String

  package init(file: String, line: Int? = nil, problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  package var description: String {
    line.map { "\(file):\($0): \(problem)" } ?? "\(file): \(problem)"
  }
}
