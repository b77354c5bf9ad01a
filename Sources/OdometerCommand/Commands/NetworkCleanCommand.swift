import StreetNetwork

/// `odometer network clean FOLDER`.
enum NetworkCleanCommand: Command {
  static let name = "network clean"
  static let summary = "Remove the network files in a folder that nothing opens any more"
  static let operands = [Operand.networks]
  static let options = [dryRun]
  static let exitCodes: [ExitCode: String] = [
    .input: "the folder cannot be read", .output: "a file cannot be removed, or standard output cannot be written",
  ]
  static let details = """
    FOLDER is as in network list, which says why each file is kept. Removed are networks in formats of earlier versions,
    networks of a map that lies next to them and is another by now, speeds of networks that are gone, and what stopped
    processes left a day ago or earlier. All of it can be built again. Files that you named yourself, and files that
    this version does not know, are never touched.
    """

  private static let dryRun = Option("dry-run", help: "print what would be removed, remove nothing")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let folder = try NetworkFolder(arguments.operands.first ?? ".")
    let useless = folder.useless
    for line in NetworkListCommand.lines(of: useless) { try console.print(line) }
    if !arguments.has(dryRun) { try folder.clean() }
    try console.print("\(NetworkListCommand.sum(useless)), \(arguments.has(dryRun) ? "would be removed" : "removed")")
    return .finished
  }
}
