/// Completions for bash, from the table of commands.
enum BashCompletions {
  static var script: String {
    let families = HelpTopics.families.map { family in
      let members = Program.commands.filter { $0.family == family }.map { String($0.name.dropFirst(family.count + 1)) }
      return """
            \(family))
              if [ "$COMP_CWORD" -eq 2 ]; then _odometer_words "\(members.joined(separator: " "))"; return; fi
              command="\(family) ${COMP_WORDS[2]}" ;;
        """
    }
    let members = HelpTopics.families.map { family in
      let names = Program.commands.filter { $0.family == family }.map { $0.name.dropFirst(family.count + 1) }
      return "      3:\(family)) _odometer_words \"\(names.joined(separator: " "))\" ;;"
    }
    let values = Program.commands.flatMap { command in
      command.options.compactMap { option in
        option.placeholder == nil ? nil : "    \"\(command.name):--\(option.name)\") \(reply(option.values)); return ;;"
      }
    }
    let words = Program.commands.map { command in
      let options = command.options.map { "--\($0.name)" } + ["--help"]
      let operands = command.operands.first.map { reply($0.values) } ?? ":"
      return """
            "\(command.name)") if $is_option; then _odometer_words "\(options.joined(separator: " "))"; else \(operands); fi ;;
        """
    }
    return """
      # Completions of odometer for bash.
      _odometer_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
      _odometer_files() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); }
      _odometer_folders() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")); }
      _odometer() {
        local IFS=$' \\t\\n' word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local command="${COMP_WORDS[1]}" is_option=false
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          _odometer_words "\((Program.firstWords + ["--help", "--version"]).joined(separator: " "))"
          return
        fi
        case "$command" in
      \(families.joined(separator: "\n"))
        esac
        if [ "$command" = help ] && [ "$COMP_CWORD" -gt 2 ]; then
          case "$COMP_CWORD:$previous" in
      \(members.joined(separator: "\n"))
          esac
          return
        fi
        case "$command:$previous" in
      \(values.joined(separator: "\n"))
        esac
        case "$word" in -*) is_option=true ;; esac
        case "$command" in
      \(words.joined(separator: "\n"))
        esac
      }
      complete -F _odometer odometer
      """
  }

  private static func reply(_ values: ArgumentValues) -> String {
    switch values {
    case .any: ":"
    case .file: "_odometer_files"
    case .folder: "_odometer_folders"
    case .choice(let choices): "_odometer_words \"\(choices.joined(separator: " "))\""
    }
  }
}
