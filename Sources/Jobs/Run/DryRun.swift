import Foundation
import Results
import Routing
import StreetNetwork

/// What a run would do.
package struct DryRun: Sendable {
  /// In lines for a person.
  package let plan: String
  /// Rows of the input that cannot be used.
  package let rejected: Int
}

extension JobRun {
  /// What the job would read and write, and take, in lines for a person; nothing is built or written. The input is read
  /// and prepared as for a run, where the network is built already.
  package func dryRun() throws -> DryRun {
    try job.checkHours()
    let location = try StreetNetwork.location(map: job.map, profile: job.loadProfile(), cache: options.cache)
    let network = try StreetNetwork(opening: location)
    let build = try network == nil ? BuildForecast(of: .file(job.map), profile: job.loadProfile()) : nil
    if network == nil, let coverage = job.coverage { _ = try Coverage(path: coverage) }
    let input = try job.task.read(for: job, area: network?.box ?? .earth)
    if let sentinels = job.sentinels {
      _ = try SentinelTable(path: sentinels, area: network?.box ?? .earth, transportType: job.transportType)
    }
    let read = ([job.map, job.profile, job.coverage, job.sentinels] + job.task.files + job.speeds.files).compactMap(
      \.self
    ).compactMap { file in
      FileManager.size(of: FeatureTable.file(of: file)).map {
        "\((file as NSString).lastPathComponent) \(MemoryLimit.text($0))"
      }
    }
    let plan = """
      \(job.kind.rawValue) on \(job.map) by \(job.transportType.rawValue)
      reads: \(read.joined(separator: ", "))
      network: \(build.map { "to be built in about \(Int($0.seconds.rounded(.up))) s with \(MemoryLimit.text($0.memory)) of memory" } ?? "already built"), \(location.path)
      \(input.summary)
      \(try network.map { try JobRun(job.resolved(on: $0), options).forecast(input, on: $0) } ?? "time, memory, disk: forecast once the network is built (odometer network build)")
      results: \(job.output)\(JobRun.content(of: ResultsFolder(path: job.output)))
      """
    return DryRun(plan: plan, rejected: input.rejected.count)
  }

  /// What a run would find in its folder.
  private static func content(of folder: ResultsFolder) -> String {
    if folder.isUnfinished { return " (has an unfinished run, which the same job resumes)" }
    return FileManager.default.fileExists(atPath: folder.database) ? " (has finished results, which are replaced)" : ""
  }

  private func forecast(_ input: any JobInput, on network: StreetNetwork) throws -> String {
    let prepared = try input.prepare(
      in: JobContext(
        job, on: network, workers: options.workers, options.shard.map { .shard($0, SnapJournal()) } ?? .whole,
        buildsNetworks: false))
    if let explanation = prepared.explanation { options.explain?(explanation) }
    let limit = MemoryLimit(job.memory)
    let forecast = Forecast(try prepared.cost(), on: network, workers: options.workers)
    let part = options.shard.map { shard in
      "shard \(shard): \(prepared.rows(ofChunks: shard.range(of: prepared.chunkCount))) of \(prepared.rows) rows\n"
    }
    return """
      \(part ?? "")\(forecast.description(workers: options.workers))
      available: \(MemoryLimit.text(limit.bytes)) memory\(limit.isChosen ? " (limit set by the key memory)" : ""), \
      \(MemoryLimit.text(ResultsFolder(path: job.output).freeBytes)) disk
      """
  }
}
