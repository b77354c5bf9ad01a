import Foundation
import OdometerCommand
import TestMaps
import Testing

struct CompletionTests {
  /// What a shell offers after `words`, the last of which is being written.
  private func offered(_ words: [String], in scratch: Scratch) throws -> [String] {
    try scratch.write(Printed("completions", "bash").output, to: "odometer.bash")
    let script = """
      source odometer.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _odometer; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try Run("/bin/bash", ["-c", script, "bash", "odometer"] + words, in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    return run.output.split(separator: "\n").map(String.init).sorted()
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash"),
    arguments: [
      (["r"], ["report", "route", "run"]), (["network", ""], ["build", "check", "clean", "info", "install", "list"]),
      (["network", "b"], ["build"]),
      (["run", "--me"], ["--metrics"]), (["network", "build", "--ca"], ["--cache"]),
      (["run", "j"], ["job.json5"]), (["run", "--output", ""], ["results"]), (["run", "--workers", ""], []),
      (["eta", "0,0", "0,0", "--by", "w"], ["walking", "wheelchair"]), (["init", "m"], ["matrix"]),
      (["help", "nea"], ["nearest"]), (["completions", ""], ["bash", "fish", "zsh"]),
    ])
  func bashCompletesCommandsOptionsAndValues(words: [String], expected: [String]) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("", to: "job.json5")
    try FileManager.default.createDirectory(atPath: scratch.path("results"), withIntermediateDirectories: true)
    #expect(try offered(words, in: scratch) == expected)
  }

  /// Scripts that a shell cannot parse are of no use to it.
  @Test(arguments: [("bash", "/bin/bash"), ("zsh", "/usr/bin/zsh"), ("fish", "/usr/bin/fish")])
  func scriptsAreParsedByTheirShell(name: String, shell: String) throws {
    let text = Printed("completions", name).output
    for command in Program.commandNames.flatMap({ $0.split(separator: " ") }) { #expect(text.contains(command)) }
    #expect(text.contains("fail-over") && text.contains("make-points"))
    guard FileManager.default.isExecutableFile(atPath: shell) else { return }
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(text, to: "script")
    let run = try Run(shell, ["-n", "script"], in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
  }
}
