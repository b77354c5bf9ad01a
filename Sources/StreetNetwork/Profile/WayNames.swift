extension Profile {
  /// The familiar name of a way: of the first tagged key.
  func name(of tags: Tags) -> String {
    names.lazy.compactMap { tags[$0]?[...].trimmingSpaces }.first { !$0.isEmpty } ?? ""
  }
}
