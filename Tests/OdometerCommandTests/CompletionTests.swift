import Foundation
import OdometerCommand
import TestMaps
import Testing

struct CompletionTests {
  /// Returns the completions after `words`, the last of which is incomplete.
  private func lines(_ words: [String]) -> [String] {
    Printed(["__complete"] + words).output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    (["r"], ["run", "route", "report"]), (["-"], ["--help", "--version"]),
    (["network", ""], ["build", "info", "install", "check", "list", "clean"]), (["network", "b"], ["build"]),
    (["network", "-"], ["--help"]), (["help", "coverage", ""], ["check", "make"]), (["help", "nea"], ["nearest"]),
    (["help", "run", ""], []), (["run", "--me"], ["--metrics"]), (["network", "build", "--ca"], ["--cache"]),
    (["run", "--workers", ""], []), (["eta", "0,0", "0,0", "--by", "w"], ["walking", "wheelchair"]),
    (["eta", "--by=w"], ["walking", "wheelchair"]), (["eta", "--by", "=", "w"], ["walking", "wheelchair"]),
    (["eta", "-30.03,-51.23", ""], []), (["init", "m"], ["matrix"]), (["init", "matrix", ""], []),
    (["completions", ""], ["bash", "zsh", "fish"]), (["fly", ""], []),
  ])
  func completesCommandsOptionsAndValues(words: [String], expected: [String]) {
    let word = words.last?.split(separator: "=").last ?? ""
    let candidates = lines(words).compactMap { $0.split(separator: "\t").first }.filter { $0.hasPrefix(word) }
    #expect(candidates.map(String.init) == expected)
  }

  @Test func completesEveryFirstWord() {
    let names = Set(Program.commandNames.compactMap { $0.split(separator: " ").first }.map(String.init))
    #expect(
      Set(lines([""]).compactMap { $0.split(separator: "\t").first }.map(String.init))
        == names.union(["--help", "--version"]))
  }

  @Test(arguments: [
    (["run", "j"], ":files"), (["run", "--quiet", "j"], ":files"), (["run", "--workers", "2", "j"], ":files"),
    (["run", "--output", ""], ":folders"), (["run", "--output=re"], ":folders"),
    (["merge", "a", "b", ""], ":folders"), (["compare", "a", "b"], ":files"),
  ])
  func completesPaths(words: [String], expected: String) {
    #expect(lines(words) == [expected])
  }

  @Test func describesCommandsAndOptions() {
    #expect(lines([""]).contains("init\tWrite a commented job file with every key of a kind"))
    #expect(lines([""]).contains("network\tCommands about network"))
    #expect(lines(["coverage", ""]).allSatisfy { $0.contains("\t") })
    #expect(lines(["run", "--"]).contains("--quiet\tprint nothing if the run succeeds"))
  }

  @Test(
    .enabled(
      if: Project.hasBinary && FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash, make build"),
    arguments: [
      (["r"], ["report", "route", "run"]), (["network", "b"], ["build"]), (["run", "--me"], ["--metrics"]),
      (["run", "j"], ["job 2.json5", "job.json5"]), (["run", "--output", ""], ["results"]),
      (["run", "--output", "="], ["results"]), (["run", "--workers", ""], []),
      (["eta", "0,0", "0,0", "--by", "=", "w"], ["walking", "wheelchair"]),
    ])
  func bashOffersTheProgramsCandidates(words: [String], expected: [String]) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    for name in ["job.json5", "job 2.json5"] { try scratch.write("", to: name) }
    try FileManager.default.createDirectory(atPath: scratch.path("results"), withIntermediateDirectories: true)
    let script = """
      source <(odometer completions bash)
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _odometer; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let folder = URL(fileURLWithPath: Project.binary).deletingLastPathComponent().path
    let run = try Run(
      "/bin/bash", ["-c", script, "bash", "odometer"] + words, in: scratch.folder,
      environment: ["PATH": "\(folder):/usr/bin:/bin"])
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    #expect(run.output.split(separator: "\n").map(String.init).sorted() == expected)
  }

  /// Shells must be able to parse the scripts.
  @Test(arguments: [("bash", "/bin/bash"), ("zsh", "/usr/bin/zsh"), ("fish", "/usr/bin/fish")])
  func scriptsAreParsedByTheirShell(name: String, shell: String) throws {
    let text = Printed("completions", name).output
    #expect(text.contains("odometer __complete "))
    guard FileManager.default.isExecutableFile(atPath: shell) else { return }
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(text, to: "script")
    let run = try Run(shell, ["-n", "script"], in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
  }
}
