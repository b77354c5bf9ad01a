import Foundation
import Jobs
import Reports
import Tables

/// A run's metrics in Prometheus's text format, for the textfile collector of node_exporter.
struct MetricsFile {
  private let file: WrittenFile
  private let job: String
  private let started = Date()

  /// - Parameters:
  ///   - job: The job file, or another name for the job.
  ///   - shard: The value of the option `--shard`.
  init(path: String, displayPath: String? = nil, job: String, shard: String?) {
    file = WrittenFile(path, .metrics, displayPath: displayPath)
    let name = job == "-" ? Job.standardInputName : (job as NSString).lastPathComponent
    let label = MetricsFile.label("job", (name as NSString).deletingPathExtension)
    self.job = label + (shard.map { "," + MetricsFile.label("shard", $0) } ?? "")
  }

  /// Finds the metrics file named in an invalid command line; nil if there is none.
  init?(of words: [String]) {
    let name = "--\(RunCommand.metrics.name)"
    guard let index = words.firstIndex(where: { $0 == name || $0.hasPrefix(name + "=") }) else { return nil }
    let path = words[index] == name ? words.dropFirst(index + 1).first : String(words[index].dropFirst(name.count + 1))
    guard let path, !path.isEmpty, !path.hasPrefix("--") else { return nil }
    // A word after an option that takes a value is the value, not the job.
    let options = Set(
      (RunCommand.options + MergeCommand.options).filter { $0.placeholder != nil }.map { "--\($0.name)" })
    let job = words.indices.first { !words[$0].hasPrefix("--") && ($0 == 0 || !options.contains(words[$0 - 1])) }
    self.init(path: path, job: job.map { words[$0] } ?? "", shard: nil)
  }

  /// Checks that `write` would not replace a file of another kind. *Throws*: `ResultsError`.
  func check() throws { try file.check() }

  /// Writes the metrics of a run that ended with `code`, atomically. Only warns if the file cannot be written, since
  /// the run has already ended.
  func write(_ code: ExitCode, _ outcome: JobOutcome?, _ console: Console) {
    do {
      // node_exporter must never read a partial file.
      try file.write(Array(text(code, outcome).utf8))
    } catch {
      console.warn("\(error)")
    }
  }

  private func text(_ code: ExitCode, _ outcome: JobOutcome?) throws -> String {
    var lines: [String] = []
    func head(_ name: String, _ help: String) {
      lines += ["# HELP odometer_\(name) \(help)", "# TYPE odometer_\(name) gauge"]
    }
    func add(_ name: String, _ help: String, _ value: Double) {
      head(name, help)
      let number = value == value.rounded() ? String(Int64(value)) : String((value * 1000).rounded() / 1000)
      lines.append("odometer_\(name){\(job)} \(number)")
    }
    add("job_exit_code", "Exit code of the last run.", Double(code.rawValue))
    add("job_success", "Whether the last run finished.", code == .finished ? 1 : 0)
    add("job_end_timestamp_seconds", "End of the last run, in Unix time.", Date().timeIntervalSince1970.rounded())
    add("job_duration_seconds", "Duration of the last run, in seconds.", Date().timeIntervalSince(started))
    add("job_peak_memory_bytes", "Peak memory of the last run.", Double(JobOutcome.peakMemoryBytes))
    if let outcome {
      add("job_rows", "Processed rows of the input; for a matrix, its origins.", Double(outcome.rows))
      add("job_rows_rejected", "Rejected rows.", Double(outcome.rejected))
      for figure in RunPhases.Use.figures where !outcome.phases.isEmpty {
        head("job_phase_\(figure.name)", figure.meaning)
        for (phase, use) in outcome.phases {
          let seconds = (figure.value(use) * 1000).rounded() / 1000
          let label = MetricsFile.label("phase", phase.rawValue)
          lines.append("odometer_job_phase_\(figure.name){\(job),\(label)} \(seconds)")
        }
      }
      if let verification = outcome.verification {
        add(
          "job_\(outcome.items)_verified", "\(outcome.items.capitalized) recomputed with plain Dijkstra.",
          Double(verification.rows))
        add("job_differences", "Differences found by verification.", Double(verification.differences.count))
      }
      if outcome.isFinished && outcome.shard == nil {
        let database = try ResultsDatabase(path: outcome.folder.database)
        let counts = try database.statusCounts()
        if outcome.items == "cells" { add("job_cells", "Cells of the matrix, across all hours.", Double(counts.total)) }
        head("job_\(outcome.items)_by_status", "\(outcome.items.capitalized) in the results, by status.")
        for count in counts {
          let status = MetricsFile.label("status", count.status.rawValue)
          lines.append("odometer_job_\(outcome.items)_by_status{\(job),\(status)} \(count.count)")
        }
        if let waits = database.record.figures.integer(.longWaits) {
          add(
            "job_\(outcome.items)_long_waits",
            "\(outcome.items.capitalized) whose trips include a wait longer than \(LongWait.seconds / 60) minutes.",
            Double(waits)
          )
        }
        let feeds = try database.feeds()
        if !feeds.isEmpty {
          add(
            "transit_stops_unsnapped", "Stops with service but without a street nearby, in all feeds.",
            Double(feeds.reduce(0) { $0 + $1.stopsOffMap }))
          add(
            "transit_trips_running", "Feed trips that run on the job's date.",
            Double(feeds.reduce(0) { $0 + $1.tripsThatRun }))
        }
        if let folder = outcome.indexedFolder, let night = try RunHistory(of: folder).night(in: outcome.folder) {
          add(
            "drift", "Whether the run's main figure is outside the range expected from previous runs.",
            night.drifts ? 1 : 0)
        }
        head("job_info", "Program version and inputs of the results.")
        let labels = IdentityKey.provenance.map { MetricsFile.label($0.rawValue, database.record.identity[$0] ?? "") }
        lines.append("odometer_job_info{\(([job] + labels).joined(separator: ","))} 1")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func label(_ name: String, _ value: String) -> String {
    let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\(name)=\"\(escaped)\""
  }
}
