/// `odometer --help`, and `--help` of a family of commands.
enum Overview {
  static var text: String {
    """
    Odometer measures origin–destination pairs on an OpenStreetMap extract: distances, times and steps,
    by the million, on your own machine.

    Usage: odometer COMMAND [options]

    \(list(Program.commands))

    odometer COMMAND --help describes a command, odometer --version prints the version.

    Start with:
      odometer route 60.1660,24.9380 60.1770,24.9500 --map data/helsinki.osm.pbf
    """
  }

  /// "network": what its commands are.
  static func family(_ name: String) -> String {
    """
    Usage: odometer \(name) COMMAND [options]

    \(list(Program.commands.filter { $0.family == name }))

    odometer \(name) COMMAND --help describes a command.
    """
  }

  private static func list(_ commands: [any Command.Type]) -> String {
    HelpTable(
      commands.map { (([$0.name] + $0.operands.map(\.usage)).joined(separator: " "), $0.summary) }
    ).description
  }
}
