/// Completions for fish, from the table of commands.
enum FishCompletions {
  static var script: String {
    let start = "not __fish_seen_subcommand_from \(Program.firstWords.joined(separator: " "))"
    var lines = ["# Completions of odometer for fish.", "complete -c odometer -f"]
    lines += [
      "complete -c odometer -l help -d 'Print help'",
      "complete -c odometer -n '\(start)' -l version -d 'Print the version'",
    ]
    lines += Program.firstWords.map { word in
      let summary = Program.commands.first { $0.name == word }?.summary ?? "Commands about \(word)"
      return "complete -c odometer -n '\(start)' -a \(word) -d '\(escaped(summary))'"
    }
    for family in HelpTopics.families {
      let members = Program.commands.filter { $0.family == family }
      let names = members.map { String($0.name.dropFirst(family.count + 1)) }
      let seen =
        "__fish_seen_subcommand_from \(family); and not __fish_seen_subcommand_from \(names.joined(separator: " "))"
      lines += zip(names, members).map { "complete -c odometer -n '\(seen)' -a \($0) -d '\(escaped($1.summary))'" }
    }
    for command in Program.commands {
      let seen = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }.joined(
        separator: "; and ")
      for option in command.options {
        lines.append(
          "complete -c odometer -n '\(seen)' -l \(option.name)\(value(option)) -d '\(escaped(option.help))'")
      }
      if let operand = command.operands.first { lines += self.operand(operand.values, seen) }
    }
    return lines.joined(separator: "\n")
  }

  private static func value(_ option: Option) -> String {
    guard option.placeholder != nil else { return "" }
    return switch option.values {
    case .any: " -x"
    case .file, .folder: " -r -F"
    case .choice(let choices): " -x -a '\(escaped(choices.joined(separator: " ")))'"
    }
  }

  private static func operand(_ values: ArgumentValues, _ seen: String) -> [String] {
    switch values {
    case .any: []
    case .file, .folder: ["complete -c odometer -n '\(seen)' -F"]
    case .choice(let choices): ["complete -c odometer -n '\(seen)' -a '\(escaped(choices.joined(separator: " ")))'"]
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
