extension String {
  /// The parent folder of this path; empty if there is none. (`NSString.deletingLastPathComponent` traps for a path of
  /// one character: Swift 6.3.)
  package var folder: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
