import Foundation
import Geography
import Routing
import StreetNetwork
import Tables

extension JobRun {
  /// Returns a forecast of input, output, time and memory, as lines of text, and the number of rejected rows of the
  /// input; without `problems`, nothing is built or written. The input is read and prepared as for a run, if the
  /// network exists.
  ///
  /// - Parameter problems: The file for problem points of the input, which require building the network; nil for none.
  package func dryRun(problems: String? = nil) throws -> (plan: String, rejected: Int) {
    try job.checkHours()
    let output = ResultsFolder(path: job.output)
    try job.checkInputs(output)
    if options.shard == nil { try output.checkLength() }
    try output.checkWritable()
    try output.checkNames()
    try checkForeign(output)
    let location = try StreetNetwork.location(map: job.map, profile: job.loadProfile(), cache: options.cache)
    if let repeated = options.repeated {
      try JobRecord(of: job, by: job.loadProfile(), map: location.mapDigest, version: options.version)
        .check(early: repeated)
    }
    let network = try problems == nil ? StreetNetwork(opening: location) : options.network(of: job)
    let build = try network == nil ? BuildForecast(of: .file(job.map), profile: job.loadProfile()) : nil
    let spent = ProcessUse.Stopwatch()
    if network == nil, let coverage = job.coverage { _ = try Coverage(path: coverage) }
    let resolved = try network.map { network in
      JobRun(try job.resolved(on: network, now: start(in: output)), options)
    }
    let context = try network.flatMap { try resolved?.context(on: $0, spent) }
    let input = try read(in: context)
    if let sentinels = job.sentinels {
      _ = try Sentinel.all(in: sentinels, area: network?.box ?? .earth, transportType: job.transportType)
    }
    let read = job.inputs.compactMap { file in
      FileManager.size(of: FeatureTable.file(of: file)).map {
        "\((file as NSString).lastPathComponent) \(MemoryLimit.text($0))"
      }
    }
    let prepared = try context.flatMap { context in try resolved.map { ($0, try input.prepare(context), context) } }
    let plan = """
      \(job.kind.rawValue) on \(job.map) by \(job.transportName)
      reads: \(read.joined(separator: ", "))
      network: \(try build.map { try text($0) } ?? "already built"), \(location.path)
      \(([input.summary] + (prepared?.1.stops?.summary ?? [])).joined(separator: "\n"))
      \(try prepared.map { try $0.forecast($1, in: $2) } ?? "time, memory, disk: forecast once the network is built (odometer network build)")
      results: \(job.output)\(try content(of: ResultsFolder(path: job.output), record(network, resolved, location)))
      """
    let found = try prepared.flatMap { run, prepared, context in
      try problems.map {
        try run.write(prepared.problems(rejected: input.rejected, on: context.network, run.job), to: $0)
      }
    }
    return (plan + (found ?? ""), input.rejected.count)
  }

  /// Describes what happens to an earlier day's unfinished run before today's begins.
  package func resumption() throws -> String {
    let location = try StreetNetwork.location(map: job.map, profile: job.loadProfile(), cache: options.cache)
    let started = start(in: ResultsFolder(path: job.output))
    let network = try StreetNetwork(opening: location)
    let resolved = try network.map { JobRun(try job.resolved(on: $0, now: started), options) }
    return try
      "first: \(job.output)\(content(of: ResultsFolder(path: job.output), record(network, resolved, location)))"
  }

  /// Returns the record of the run; without a network, the part that is known before it is loaded.
  private func record(
    _ network: StreetNetwork?, _ resolved: JobRun?, _ location: NetworkLocation
  ) throws -> JobRecord {
    guard let network, let resolved else {
      return try JobRecord(of: job, by: job.loadProfile(), map: location.mapDigest, version: options.version)
    }
    return try JobRecord(of: resolved.job, on: network, version: options.version)
  }

  /// Describes the existing files in a run's folder and what happens to them.
  private func content(of folder: ResultsFolder, _ record: @autoclosure () throws -> JobRecord) throws -> String {
    let previous = options.shard.map { "shard \($0)" } ?? "an unfinished run"
    let hasPrevious = options.shard == nil ? folder.isUnfinished : folder.hasShard
    guard hasPrevious || folder.isFinished || folder.hasShard else { return "" }
    let finished = folder.isFinished && options.shard == nil ? " (has finished results, which are replaced)" : ""
    let record = try record()
    do {
      // Throws if another run is writing to the folder.
      _ = try FolderLock(folder.path)
      if let shard = options.shard {
        guard !options.isFresh else { return hasPrevious ? " (has a shard, which is discarded)" : "" }
        let file = try ShardFile(of: shard, in: folder, of: record, early: true)
        return file.map { " (has \(previous), \($0.ending == nil ? "which is resumed" : "finished"))" } ?? ""
      }
      guard !folder.hasShard else { return " (has a shard: the run will be refused with exit code 4)" }
      guard !options.isFresh else { return (hasPrevious ? " (has \(previous), which is discarded)" : "") + finished }
      try folder.checkFinished(of: record)
      try PreviousRun.check(early: record, in: folder)
      let action = PreviousRun.hasBegun(in: folder) ? "is resumed" : "has no results yet and restarts"
      return (hasPrevious ? " (has \(previous), which \(action))" : "") + finished
    } catch let error as ResultsError where options.onlyResumes || error.cause == .changed && options.restartsChanged {
      return
        " (has \(previous), which is \(options.onlyResumes ? "kept" : "discarded"): \(error.reasonNotToResume))"
    } catch let error as ResultsError {
      return refusal(error.cause, error.problem)
    }
  }

  /// Writes the problem points, and returns a sentence with their number.
  private func write(_ problems: ProblemFile, to path: String) throws -> String {
    try job.checkInputs(replacing: path)
    try problems.write(to: path)
    return problems.count == 0
      ? "\nproblems: none; \(path) is an empty collection"
      : "\nproblems: \(problems.count.counted("point")) in \(path) (\(problems.summary))"
  }

  private func context(on network: StreetNetwork, _ spent: ProcessUse.Stopwatch) throws -> JobContext {
    try JobContext(
      job, on: network, workers: options.workers, options.shard.map { .shard($0, SnapJournal()) } ?? .whole,
      buildsNetworks: false, since: spent, cache: options.cache, note: options.note)
  }

  private func text(_ build: BuildForecast) throws -> String {
    let refusal = try refusal { try build.check(MemoryLimit(job.memory), map: job.map) }
    let (seconds, memory) = (Int(build.seconds.rounded(.up)), MemoryLimit.text(build.memory))
    return "to be built in about \(seconds) s with \(memory) of memory\(refusal)"
  }

  private func forecast(_ prepared: any PreparedJob, in context: JobContext) throws -> String {
    options.explain(engineOf: prepared)
    let limit = MemoryLimit(job.memory, workers: options.workers)
    let forecast = Forecast(try prepared.cost(), in: context)
    let part = options.shard.map { shard in
      "shard \(shard): \(prepared.rows(ofChunks: shard.range(of: prepared.chunkCount))) of \(prepared.rows) rows\n"
    }
    let folder = ResultsFolder(path: job.output)
    let refusal = try refusal { try forecast.checkFit(limit, free: folder.bytesForResults, in: folder.path) }
    return """
      \(part ?? "")\(forecast.description(workers: options.workers))
      available: \(MemoryLimit.text(limit.bytes)) memory\(limit.origin.map { " (limit set by \($0))" } ?? ""), \
      \(MemoryLimit.text(folder.freeBytes)) disk\(refusal)
      """
  }

  /// Describes the refusal of a job that does not fit; empty if it fits.
  private func refusal(_ check: () throws -> Void) throws -> String {
    do {
      try check()
      return ""
    } catch let error as OdometerError {
      return refusal(error.cause, error.description)
    }
  }

  private func refusal(_ cause: ErrorCause, _ problem: String) -> String {
    " (the run will be refused with exit code \(cause == .output ? 4 : 3): \(problem))"
  }
}
