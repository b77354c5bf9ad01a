import StreetNetwork

/// `odometer network install FILE`.
enum NetworkInstallCommand: Command {
  static let name = "network install"
  static let summary = "Copy a network file into a folder of this machine, checked, once"
  static let operands = [Operand("FILE", .file)]
  static let options = [cache]
  static let exitCodes: [ExitCode: String] = [
    .input: "the network file cannot be used: missing, corrupt, or of another version",
    .output: "the copy cannot be written, or standard output",
  ]
  static let details = """
    For many processes per machine that share one network: each runs this first, and opens what it prints.

        map=$(odometer network install /mnt/maps/porto.network --cache /var/cache/odometer)

    However many do so at once, one copy is written, checked against its checksum, made read-only and given its name
    at last; the others wait for it. What is there already is not copied again. The name has the key of map and
    profile, so that the extract itself with --cache finds it, too.
    """

  private static let cache = Option("cache", "DIR", .folder, help: "the folder for the copy, on a disk of this machine")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    try console.print(StreetNetwork.install(arguments.operands[0], in: arguments.required(cache)))
    return .finished
  }
}
