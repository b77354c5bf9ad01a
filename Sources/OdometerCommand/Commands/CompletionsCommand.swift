/// `odometer completions SHELL`.
enum CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Print what a shell needs to complete commands, options and values"
  static let operands = [Operand("SHELL", .choice(Shell.allCases.map(\.rawValue)))]
  static let details = """
    SHELL is bash, zsh or fish:

        odometer completions bash >> ~/.bash_completion
        odometer completions zsh > ~/.zfunc/_odometer                (with ~/.zfunc in fpath)
        odometer completions fish > ~/.config/fish/completions/odometer.fish
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let shell: Shell = try arguments.choice(0, of: self)
    switch shell {
    case .bash: try console.print(BashCompletions.script)
    case .zsh: try console.print(ZshCompletions.script)
    case .fish: try console.print(FishCompletions.script)
    }
    return .finished
  }

  private enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }
}
