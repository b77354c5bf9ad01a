/// Completions for zsh, from the table of commands.
enum ZshCompletions {
  static var script: String {
    let families = HelpTopics.families.map { family in
      let members = Program.commands.filter { $0.family == family }
      return """
            \(family))
              if (( CURRENT == 3 )); then
                commands=(\(members.map { described(String($0.name.dropFirst(family.count + 1)), $0.summary) }.joined(separator: " ")))
                _describe command commands
                return
              fi
              command="\(family) $words[3]"; skip=2 ;;
        """
    }
    let first = Program.firstWords.map { word in
      described(word, Program.commands.first { $0.name == word }?.summary ?? "Commands about \(word)")
    }
    let commands = Program.commands.map { command in
      let options = command.options.map { option in
        let value = option.placeholder.map { ":\($0):\(action(option.values))" } ?? ""
        return "'--\(option.name)[\(escaped(option.help))]\(value)'"
      }
      let operands = command.operands.enumerated().map { index, operand in
        "'\(index + 1):\(operand.name):\(action(operand.values))'"
      }
      return
        "    \"\(command.name)\") _arguments \((options + operands + ["'--help[print help]'"]).joined(separator: " ")) ;;"
    }
    return """
      #compdef odometer
      # Completions of odometer for zsh.
      _odometer() {
        local -a commands
        local command="$words[2]" skip=1
        if (( CURRENT == 2 )); then
          commands=(\(first.joined(separator: " ")))
          _describe command commands
          return
        fi
        case "$command" in
      \(families.joined(separator: "\n"))
        esac
        shift $skip words
        (( CURRENT -= skip ))
        case "$command" in
      \(commands.joined(separator: "\n"))
        esac
      }
      if [ "$funcstack[1]" = "_odometer" ]; then _odometer "$@"; else compdef _odometer odometer; fi
      """
  }

  private static func described(_ word: String, _ summary: String) -> String { "'\(word):\(escaped(summary))'" }

  /// In single quotes, inside brackets, where a colon ends a field.
  private static func escaped(_ text: String) -> String {
    text.replacing("'", with: "'\\''").replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
  }

  private static func action(_ values: ArgumentValues) -> String {
    switch values {
    case .any: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .choice(let choices): "(\(choices.map { $0.replacing(" ", with: "\\ ") }.joined(separator: " ")))"
    }
  }
}
