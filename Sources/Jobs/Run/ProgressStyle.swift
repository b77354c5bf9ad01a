/// How a run tells how far it is.
package enum ProgressStyle: String, CaseIterable, Sendable {
  /// A bar on a terminal, a line every ten seconds elsewhere; nothing where the run is quiet.
  case auto
  /// The bar, wherever stderr leads, and in quiet runs, too.
  case always
  case never
  /// An object of JSON per line, for programs.
  case json
}
