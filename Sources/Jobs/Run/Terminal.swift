import Foundation

/// The width and colours of a terminal.
package enum Terminal {
  /// Returns the terminal's width in columns; nil if the descriptor is not a terminal or is narrower than 20 columns.
  package static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Returns whether to write in colours. `choice` is auto, always or never; auto means on terminals, unless NO_COLOR
  /// or CLICOLOR_FORCE in the environment says otherwise.
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

/// The process's stderr. Write errors are ignored: a run does not fail because stderr is closed.
package enum StandardError {
  package static func write(_ text: String) {
    var rest = Data(text.utf8)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 || (count < 0 && errno == EINTR) else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
