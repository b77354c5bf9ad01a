import StreetNetwork

/// `odometer network check MAP`.
enum NetworkCheckCommand: Command {
  static let name = "network check"
  static let summary = "Read a whole network file and compare it with its checksum"
  static let operands = [Operand.map]
  static let options = [CommonOptions.by, CommonOptions.profile, CommonOptions.cache]
  static let exitCodes: [ExitCode: String] = [
    .usage: "wrong usage, or the profile cannot be used",
    .input: "the network file is missing, corrupt, or of another version",
  ]
  static let details = """
    MAP is a network file, or an extract: then its network, which must be built. Other commands read a file of a megabyte
    or more once and note that it was right, until it changes (FILE.verified next to it: device, inode, size and times);
    this one always reads it, for disks do not always keep what they were given.
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let (map, cache) = (arguments.operands[0], arguments.text(CommonOptions.cache))
    let path =
      StreetNetwork.isNetworkFile(map)
      ? map : try StreetNetwork.path(map: map, profile: arguments.profile(of: map), cache: cache)
    let network = try StreetNetwork.check(networkFile: path, cache: path == map ? cache : nil)
    try console.print("\(path): intact: \(network.map) by \(network.profile.name), sha-256 \(network.digest)")
    return .finished
  }
}
