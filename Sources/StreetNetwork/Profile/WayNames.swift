extension Profile {
  /// The name by which people know a way: of the first key that is tagged.
  func name(of tags: Tags) -> String {
    names.lazy.compactMap { tags[$0]?[...].trimmingSpaces }.first { !$0.isEmpty } ?? ""
  }
}
