import Foundation

/// What a terminal is like.
package enum Terminal {
  /// How many letters its lines have; nil where it is none.
  package static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Whether to write in colours: as `choice` says (auto, always, never); of itself on terminals alone, and as the
  /// environment wants it (NO_COLOR, CLICOLOR_FORCE).
  package static func isColored(
    _ choice: String, _ environment: [String: String], isTerminal: Bool
  ) -> Bool {
    switch choice {
    case "always": return true
    case "never": return false
    default:
      if environment["NO_COLOR"].map({ !$0.isEmpty }) == true { return false }
      if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
      return isTerminal && environment["TERM"] != "dumb"
    }
  }
}
