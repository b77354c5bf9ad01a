extension Profile {
  /// Returns the familiar name of a way: the value of the first key that has one.
  func name(of tags: Tags) -> String {
    names.lazy.compactMap { tags[$0]?[...].trimmingSpaces }.first { !$0.isEmpty } ?? ""
  }
}
