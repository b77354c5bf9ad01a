enum CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Print a shell script that completes commands, options and values"
  static let operands = [Operand("SHELL", .choice(Shell.allCases.map(\.rawValue)))]
  static let details = """
    SHELL is bash, zsh or fish:

        odometer completions bash >> ~/.bash_completion
        odometer completions zsh > ~/.zfunc/_odometer                # ~/.zfunc must be in fpath
        odometer completions fish > ~/.config/fish/completions/odometer.fish
    """

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let shell: Shell = try arguments.choice(0, of: self)
    return try console.finish(shell.script)
  }

  private enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The script, which offers the completions that `odometer __complete` prints for the words typed so far.
    var script: String {
      switch self {
      case .bash:
        #"""
        # Completions of odometer for bash.
        _odometer() {
          local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} offers
          [ "$word" != = ] || word=
          offers=$(odometer __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$word" 2>/dev/null | cut -f 1)
          case $offers in :*) compopt -o filenames 2>/dev/null ;; esac
          case $offers in
            :files) COMPREPLY=($(compgen -f -- "$word")) ;;
            :folders) COMPREPLY=($(compgen -d -- "$word")) ;;
            *) COMPREPLY=($(compgen -W "$offers" -- "$word")) ;;
          esac
        }
        complete -F _odometer odometer
        """#
      case .zsh:
        #"""
        #compdef odometer
        _odometer() {
          local -a offers
          offers=(${(f)"$(odometer __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
          compset -P 1 '--*='
          case $offers in
            :files) _files ;;
            :folders) _files -/ ;;
            *) offers=(${offers/$'\t'/:}); _describe odometer offers ;;
          esac
        }
        if [ "$funcstack[1]" = _odometer ]; then _odometer "$@"; else compdef _odometer odometer; fi
        """#
      case .fish:
        #"""
        # Completions of odometer for fish.
        function __odometer
          set -l words (commandline -opc)
          set -l word (commandline -ct)
          set -l option (string match -r -- '^--[^=]+=' "$word")
          set -l offers (odometer __complete $words[2..] "$word" 2>/dev/null)
          switch "$offers[1]"
            case :files
              set offers (__fish_complete_path (string replace -- "$option" '' "$word"))
            case :folders
              set offers (__fish_complete_directories (string replace -- "$option" '' "$word"))
          end
          string join \n -- "$option"$offers
        end
        complete -c odometer -f -a '(__odometer)'
        """#
      }
    }
  }
}

/// `odometer __complete WORD…`, which shell scripts call to get completions. Not listed in help.
enum Completions {
  static let name = "__complete"
  private static let help = "--help\tPrint help"

  /// Returns lines of `candidate<TAB>description`, or `:files` or `:folders` where a path is expected.
  ///
  /// - Parameter line: The words after "odometer"; the last one is the word to complete.
  static func lines(_ line: [String]) -> [String] {
    let words = line.flatMap(separated)
    let given = Array(words.dropLast())
    guard let first = given.first else { return firstWords }
    let command = Program.command(given)
    let options = command?.options ?? []
    func option(_ word: String) -> Option? { options.first { "--\($0.name)" == word && $0.placeholder != nil } }
    if let option = given.last.flatMap(option) { return lines(of: option.values) }
    if words.last?.hasPrefix("-") == true { return options.map { "--\($0.name)\t\($0.help)" } + [help] }
    // "network", or "help network".
    let family = first == HelpCommand.name ? Array(given.dropFirst()) : given
    let members = Program.commands.filter { [$0.family] == family }
    guard let command, members.isEmpty else { return members.map { "\($0.words[1])\t\($0.summary)" } }
    let rest = given.dropFirst(command.words.count)
    let index = zip([first] + rest, rest).count { !Arguments.isOption($1) && option($0) == nil }
    let operand = command.operands.dropFirst(index).first ?? command.operands.last { $0.isRepeated }
    return operand.map { lines(of: $0.values) } ?? []
  }

  private static var firstWords: [String] {
    Program.firstWords.map { name in
      "\(name)\t\(Program.command([name])?.summary ?? "Commands about \(name)")"
    } + [help, "--version\tPrint the version"]
  }

  /// Splits "--by=walking" into two words. Bash has already split it, with "=" as a separate word.
  private static func separated(_ word: String) -> [String] {
    guard word.hasPrefix("--") else { return word == "=" ? [] : [word] }
    return word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }

  private static func lines(of values: ArgumentValues) -> [String] {
    switch values {
    case .any: []
    case .file: [":files"]
    case .folder: [":folders"]
    case .choice(let choices): choices
    }
  }
}
