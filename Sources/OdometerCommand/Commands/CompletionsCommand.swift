/// `odometer completions SHELL`.
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
