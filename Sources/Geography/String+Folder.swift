extension String {
  /// The folder of what is at this path: all before its last name; empty where there is none. (Of a path of one character
  /// `NSString.deletingLastPathComponent` traps: Swift 6.3.)
  package var folder: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
