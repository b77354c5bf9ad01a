/// `odometer network build MAP`.
enum NetworkBuildCommand: Command {
  static let name = "network build"
  static let summary = "Build the network of a map, unless it is built already"
  static let operands = [Operand.map]
  static let options = [CommonOptions.by, CommonOptions.profile, CommonOptions.cache, customizable]
  static let exitCodes = ExitCode.ofNetworks
  static let details = """
    The network file is kept next to the map, or under --cache; its name has a key of the content of map and
    profile. Every other command builds it by itself where it is missing. Prints the file's path.
    """

  private static let customizable = Option(
    "customizable", help: "take the hierarchy from an order of the map: built sooner, answers are the same")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    try console.print(
      arguments.network(of: arguments.operands[0], isCustomized: arguments.has(customizable), console).path)
    return .finished
  }
}
