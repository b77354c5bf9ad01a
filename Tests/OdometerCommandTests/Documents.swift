import Foundation
import Jobs
import OdometerCommand
import Tables
import TestMaps

/// The parts of docs/ that are generated from the program's tables, as Markdown.
enum Documents {
  /// The parts by marker: `<!-- exit-codes -->` … `<!-- /exit-codes -->`.
  static var parts: [String: String] {
    [
      "exit-codes": exitCodes, "commands": commands, "keys": keys, "tables": tables, "peers": peers,
      "peer-ratios": peerRatios,
    ]
  }

  private static var exitCodes: String {
    table(["code", "meaning"], ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })
  }

  /// The commands, from the first two lines of each command's help.
  private static var commands: String {
    table(
      ["command", "purpose"],
      Program.commandNames.map { name in
        let help = Printed("help", name).output.split(separator: "\n")
        let usage = help[1].replacing("Usage: odometer ", with: "").replacing(" [options]", with: "")
        return ["`\(usage)`", String(help[0].dropLast())]
      })
  }

  /// The keys, each listed once: those for all kinds, for several kinds, and for one kind, with an example for each
  /// kind.
  private static var keys: String {
    let several = Job.keys.filter { (2..<JobKind.allCases.count).contains($0.kinds.count) }
      .sorted { $0.name < $1.name }
    let shared = table(
      ["key", "kinds", "meaning", "expected", "default"],
      several.map { key in
        let row = cells(of: key)
        return [row[0], kinds(of: key)] + row.dropFirst()
      })
    return "### Every kind\n\n\(table(KeyHelp.shared))\n\n### Several kinds\n\n\(shared)\n\n"
      + JobKind.allCases.map(section).joined(separator: "\n\n")
  }

  private static func kinds(of key: JobKeyDescription) -> String {
    let missing = JobKind.allCases.filter { !key.kinds.contains($0) }
    return missing.count == 1 ? "all but \(missing[0].rawValue)" : key.kinds.map(\.rawValue).joined(separator: ", ")
  }

  private static func section(of kind: JobKind) -> String {
    let keys = KeyHelp.own(of: kind)
    let own = keys.filter { $0.kinds == [kind] }
    let shared = keys.filter { $0.kinds != [kind] }.map { "`\($0.name)`" }
    return [
      "### Kind `\(kind.rawValue)`", "\(sentence(kind.summary)).", "```json5\n\(example(of: kind))\n```",
      own.isEmpty ? nil : table(own), shared.isEmpty ? nil : "Shared: \(shared.joined(separator: ", ")).",
    ].compactMap(\.self).joined(separator: "\n\n")
  }

  /// Returns the job of the kind in `jobs`.
  private static func example(of kind: JobKind) -> String {
    let name = kind == .routes ? "walks" : kind.rawValue
    let text = FileManager.default.contents(atPath: Project.path("jobs/helsinki-\(name).json5")) ?? Data()
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  private static var tables: String {
    TableHelp.all.map { description, kinds in
      let columns = description.columns.map { ["`\($0.name)`", $0.type, $0.note] }
      return """
        ### `\(description.name)`

        \(sentence(KeyHelp.kinds(kinds))): one row per \(description.summary).

        \(table(["column", "type", "meaning"], columns))
        """
    }.joined(separator: "\n\n")
  }

  // MARK: Peers

  /// All scenes of the latest comparison.
  private static var peers: String {
    table(
      [
        "per second", "by", "Odometer", "slowest to fastest", "peer", "its rate", "slowest to fastest", "ratio",
        "times within 1 %", "distances",
      ],
      PeerFigure.newest.map {
        [
          $0.scene, $0.travel, PeerFigure.text($0.ours, digits: 3), $0.oursSpread, $0.peer,
          PeerFigure.text($0.theirs, digits: 3), $0.theirSpread, "**\(PeerFigure.text($0.ratio, digits: 3))**",
          $0.times, $0.distances,
        ]
      })
  }

  /// One line per scene, for the README.
  private static var peerRatios: String {
    let figures = PeerFigure.newest.filter { !$0.scene.contains("000 with distances") }
    let scenes = figures.map(\.scene).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return table(
      ["", "on foot", "by car", "compared with"],
      scenes.map { scene in
        let rows = figures.filter { $0.scene == scene }
        func ratio(_ travel: String) -> String {
          rows.first { $0.travel == travel }.map { PeerFigure.text($0.ratio, digits: 2) + "x" } ?? "–"
        }
        return [rows[0].rate, ratio("foot"), ratio("car"), rows[0].peer]
      })
  }

  private static func table(_ keys: [JobKeyDescription]) -> String {
    table(["key", "meaning", "expected", "default"], keys.map(cells))
  }

  private static func cells(of key: JobKeyDescription) -> [String] {
    let text = key.setting.defaultText ?? "required"
    let isValue = if case .value = key.setting.absence { true } else { false }
    return ["`\(key.name)`", key.setting.summary, key.setting.expected, isValue ? "`\(text)`" : text]
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { cells in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

/// A row of the measurements by `make peers`.
private struct PeerFigure {
  /// The work and its unit: "matrix 1000x1000, cells".
  let scene: String
  let travel: String
  let ours: Double
  let peer: String
  let theirs: Double
  /// The rates of the slowest and the fastest run.
  let oursSpread: String
  let theirSpread: String
  /// The share of pairs with equal results.
  let times: String
  let distances: String

  var ratio: Double { ours / theirs }

  /// The work with its unit, "matrix 1000x1000 (cells per second)"; without the unit if the scene contains it: "routes
  /// written to files".
  var rate: String {
    guard let comma = scene.range(of: ", ", options: .backwards) else { return scene }
    let (work, unit) = (scene[..<comma.lowerBound], scene[comma.upperBound...])
    return work.contains(unit.dropLast()) ? String(work) : "\(work) (\(unit) per second)"
  }

  /// The rows of the latest results folder that has them, by scene.
  static let newest: [PeerFigure] = {
    let folder = Project.path("Benchmarks/results")
    let days = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    guard let day = days.last(where: { FileManager.default.fileExists(atPath: "\(folder)/\($0)/peers-walking.md") })
    else { return [] }
    let all = [("foot", "walking"), ("car", "automobile")].flatMap { travel, file in
      let text = try? String(contentsOfFile: "\(folder)/\(day)/peers-\(file).md", encoding: .utf8)
      return rows(of: text ?? "", travel)
    }
    let scenes = all.map(\.scene).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return scenes.flatMap { scene in all.filter { $0.scene == scene } }
  }()

  private static func rows(of text: String, _ travel: String) -> [PeerFigure] {
    text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      func number(_ text: String) -> Double? { Double(text.filter { $0 != "," }) }
      guard cells.count >= 9, cells[0].hasSuffix("/s"), let ours = number(cells[1]), let theirs = number(cells[3])
      else { return nil }
      let spreads = cells[5...6].map { cell in
        cell.components(separatedBy: " to ").compactMap(number).map { PeerFigure.text($0, digits: 3) }
          .joined(separator: " to ")
      }
      return PeerFigure(
        scene: String(cells[0].dropLast(2)), travel: travel, ours: ours, peer: cells[2], theirs: theirs,
        oursSpread: spreads[0], theirSpread: spreads[1], times: cells[7], distances: cells[8])
    }
  }

  /// Returns a number with a fixed number of digits: "39.8", "1,470", "58.5 M".
  static func text(_ number: Double, digits: Int) -> String {
    let unit = pow(10, log10(number).rounded(.down) - Double(digits - 1))
    let rounded = (number / unit).rounded() * unit
    let (shown, suffix) = rounded >= 1e6 ? (rounded / 1e6, " M") : (rounded, "")
    let decimals = max(0, digits - 1 - Int(log10(shown * (1 + 1e-9)).rounded(.down)))
    let text = String(format: "%.\(decimals)f", shown)
    let grouped = text.count > 3 && decimals == 0 ? "\(text.dropLast(3)),\(text.suffix(3))" : text
    return grouped + suffix
  }
}
