import Foundation
import Tables

/// A reader of a shard's journal, finished or not.
package struct ShardFile: Sendable {
  package let header: ShardHeader
  /// The sums of the shard's rows; nil if it is not finished.
  package private(set) var ending: [UInt8]?
  private let input: JournalInput
  /// The pieces of each list of places, in the header's order; `pieces` belong to a list that has not ended.
  private var lists: [[JournalFrame]] = []
  private var pieces: [JournalFrame] = []
  private(set) var chunks: [JournalFrame] = []
  /// The number of rows of the chunks.
  package private(set) var rows = 0
  /// The start of the next frame.
  private(set) var end: Int

  static let magic = Array("odometer shard 6\n".utf8)

  package var path: String { input.path }

  /// Opens the journal at `path`, up to its first damaged frame; nil if it is empty, or damaged before its first chunk.
  /// Reads the whole file to verify its checksums.
  package init?(path: String) throws {
    input = try JournalInput(path: path)
    guard let first = try ShardFile.header(of: input) else { return nil }
    (header, end) = first
    while lists.count < header.lists.count {
      guard let frame = try JournalFrame(at: end, of: input), frame.kind == .places,
        try JournalFrame.checksum(input.read(frame.payload)) == frame.crc32
      else { return nil }
      pieces.append(frame)
      end = frame.payload.upperBound
      if frame.payload.isEmpty {
        lists.append(pieces.dropLast())
        pieces = []
      }
    }
    while ending == nil, let frame = try JournalFrame(at: end, of: input) {
      switch frame.kind {
      case .header, .places: return
      case .chunk:
        guard try JournalFrame.checksum(input.read(frame.payload)) == frame.crc32 else { return }
        rows += try rows(of: frame)
        chunks.append(frame)
      case .ending:
        let bytes = try input.read(frame.payload)
        // Bytes after the ending are damage.
        guard JournalFrame.checksum(bytes) == frame.crc32, frame.payload.upperBound == input.count else { return }
        ending = bytes
      }
      end = frame.payload.upperBound
    }
  }

  /// Reads only the header of the journal at `path`; nil if it is damaged.
  static func header(at path: String) throws -> ShardHeader? { try header(of: JournalInput(path: path))?.header }

  private static func header(of input: JournalInput) throws -> (header: ShardHeader, end: Int)? {
    let magic = try input.read(0..<min(input.count, ShardFile.magic.count))
    guard ShardFile.magic.starts(with: magic) else {
      throw ResultsError(path: input.path, problem: "not a shard's journal of this version", cause: .input)
    }
    guard let first = try JournalFrame(at: ShardFile.magic.count, of: input), first.kind == .header,
      case let bytes = try input.read(first.payload), JournalFrame.checksum(bytes) == first.crc32
    else { return nil }
    var reader = JournalReader(bytes)
    do {
      return (try ShardHeader(from: &reader), first.payload.upperBound)
    } catch is JournalReader.Failure {
      throw ResultsError(path: input.path, problem: "not a shard's journal of this version", cause: .input)
    }
  }

  /// Opens the remains of a shard in a folder, finished or not; nil if there are none.
  ///
  /// - Parameter isEarly: Whether to compare only the part of the job known before the network is loaded.
  /// - Throws: `ResultsError` if the folder has a different shard or a shard of another job, or if the job or its input
  ///   has changed since.
  package init?(of shard: Shard, in folder: ResultsFolder, of job: JobRecord, early isEarly: Bool = false) throws {
    let part = folder.journal.unfinished
    let isFinished = FileManager.default.fileExists(atPath: folder.journal)
    guard isFinished || FileManager.default.fileExists(atPath: part) else { return nil }
    guard let file = try ShardFile(path: isFinished ? folder.journal : part) else {
      guard isFinished else { return nil }
      throw ResultsError(
        path: folder.journal, problem: "damaged near its beginning; run shard \(shard) again with --fresh",
        cause: .changed)
    }
    self = file
    guard header.shard == shard else {
      throw ResultsError(
        path: folder.path,
        problem:
          "shard \(header.shard) is in this folder, not \(shard); name another folder with --output, or discard it "
          + "with --fresh", cause: .output)
    }
    try PreviousRun.check(
      job, against: isEarly ? header.record.withKeys(of: job) : header.record, in: folder,
      remains: isFinished ? "finished shard" : "unfinished shard")
    guard !isFinished || ending != nil else { throw damaged(at: end) }
  }

  /// Returns the number of rows of a chunk, which is the first number in its frame.
  private func rows(of frame: JournalFrame) throws -> Int {
    var reader = JournalReader(
      try input.read(frame.payload.lowerBound..<min(frame.payload.upperBound, frame.payload.lowerBound + 10)))
    do {
      let rows: Int = try reader.take()
      guard (0...Int(Int32.max)).contains(rows) else { throw damaged(frame) }
      return rows
    } catch is JournalReader.Failure {
      throw damaged(frame)
    }
  }

  /// Reads a frame. *Throws*: `ResultsError` if it has changed, or cannot be decoded.
  private func read<Value>(_ frame: JournalFrame, _ body: (inout JournalReader) throws -> Value) throws -> Value {
    let bytes = try input.read(frame.payload)
    guard JournalFrame.checksum(bytes) == frame.crc32 else { throw damaged(frame) }
    var reader = JournalReader(bytes)
    do { return try body(&reader) } catch is JournalReader.Failure { throw damaged(frame) }
  }

  /// Calls `body` with the pieces of a list of places, one after another. *Throws*: `ResultsError` if they are damaged.
  func forEachPiece(ofPlaces list: String, _ body: (inout JournalReader) throws -> Void) throws {
    guard let index = header.lists.firstIndex(of: list) else { throw damaged(at: end) }
    for frame in lists[index] { try read(frame, body) }
  }

  /// Returns a chunk computed by a worker. *Throws*: `ResultsError` if it is damaged.
  package func chunk<Chunk: Journaled>(_ index: Int) throws -> Chunk {
    try read(chunks[index]) { reader in
      _ = try reader.take(Int.self)
      let chunk = try reader.take(Chunk.self)
      guard reader.isAtEnd else { throw JournalReader.Failure() }
      return chunk
    }
  }

  /// Returns the sums of the shard's rows, with the dimensions of `other`. *Throws*: `ResultsError` if they differ.
  func services(like other: ServiceSums) throws -> ServiceSums {
    var reader = JournalReader(ending ?? [])
    guard let found = try? reader.take(ServiceSums.self), found.matches(other) else {
      throw ResultsError(path: path, problem: "the sums of stations are missing or of another job", cause: .changed)
    }
    return found
  }

  /// The size of the longest chunk in bytes.
  var longestChunk: Int { chunks.lazy.map(\.payload.count).max() ?? 0 }
  package var size: Int { input.count }

  /// The error if places of the shard's rows are missing.
  var incompletePlaces: ResultsError { damaged(at: end) }

  private func damaged(_ frame: JournalFrame) -> ResultsError { damaged(at: frame.payload.lowerBound) }

  private func damaged(at offset: Int) -> ResultsError {
    ResultsError(
      path: path, problem: "damaged at byte \(offset); run shard \(header.shard) again with --fresh", cause: .changed)
  }
}

/// The header of a shard's journal: the job, and the shard.
package struct ShardHeader: Sendable {
  package var shard: Shard
  /// The numbers of chunks, rows and rejected rows of the whole job.
  package var chunkCount: Int
  package var rowCount: Int
  package var rejectedCount: Int
  /// The job's identity, and when and where the shard began.
  package var record: JobRecord
  /// The text of the job file.
  var jobText: [UInt8]
  /// Whether routes get Maps links, an option of the command line.
  package var writesLinks: Bool
  /// The names of the lists of places that the shard has snapped.
  var lists: [String] = []

  /// The largest possible number of chunks or rows; a larger one means that the data is corrupt.
  private static let maximumCount = 1 << 40

  /// The job's chunks that the shard computes.
  package var chunks: Range<Int> { shard.range(of: chunkCount) }

  /// Returns whether another header has the same numbers of chunks, rows and rejected rows.
  func hasSameCounts(as other: ShardHeader) -> Bool {
    (chunkCount, rowCount, rejectedCount) == (other.chunkCount, other.rowCount, other.rejectedCount)
  }
}

extension ShardHeader: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(shard.index)
    journal.put(shard.count)
    journal.put(chunkCount)
    journal.put(rowCount)
    journal.put(rejectedCount)
    let entries = record.entries
    journal.put(entries.map(\.key))
    journal.put(entries.map(\.value))
    journal.put(bytes: jobText)
    journal.put(writesLinks)
    journal.put(lists)
  }

  package init(from journal: inout JournalReader) throws {
    guard let shard = Shard(index: try journal.take(), count: try journal.take()) else { throw JournalReader.Failure() }
    self.shard = shard
    (chunkCount, rowCount, rejectedCount) = (try journal.take(), try journal.take(), try journal.take())
    let (keys, values): ([String], [String]) = (try journal.take(), try journal.take())
    record = JobRecord(entries: Array(zip(keys, values)).map { (key: $0, value: $1) })
    jobText = Array(try journal.takeBytes())
    writesLinks = try journal.take()
    lists = try journal.take()
    guard [chunkCount, rowCount, rejectedCount].allSatisfy((0...ShardHeader.maximumCount).contains) else {
      throw JournalReader.Failure()
    }
  }
}

/// A part of a job: whole chunks, whose division depends only on the job.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// The index of the shard, from 0.
  package let index: Int
  package let count: Int

  /// The maximum number of shards.
  package static let maximumCount = 100_000

  /// Nil for invalid numbers.
  package init?(index: Int, count: Int) {
    guard (1...Shard.maximumCount).contains(count), (0..<count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Parses text such as "2/8"; nil for other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(index: index, count: count)
  }

  package var description: String { "\(index)/\(count)" }

  /// Returns the shard's share of `chunks`; the sizes of shares differ by at most one.
  package func range(of chunks: Int) -> Range<Int> { index * chunks / count..<(index + 1) * chunks / count }

  /// The name of the shard's folder within the job's folder.
  package var folderName: String {
    func padded(_ number: Int) -> String {
      String(repeating: "0", count: 5 - min(5, String(number).count)) + String(number)
    }
    return "shard-\(padded(index))-of-\(padded(count))"
  }

  static func isFolderName(_ name: String) -> Bool { name.wholeMatch(of: /shard-\d{5,6}-of-\d{5,6}/) != nil }
}

/// The journal of a shard while it is being written: a header, the snapped places, the workers' results chunk by chunk,
/// and finally the sums of its rows. The file gets its final name only once it is complete. Belongs to one thread.
final class ShardJournal<Writer: ChunkWriter>: ChunkSink {
  private let folder: ResultsFolder
  private let file: OutputFile
  private(set) var chunks: Int
  private(set) var rows: Int
  let isResumed: Bool

  /// Opens the journal of a folder: resumes it after its last complete chunk if it belongs to the same shard, or else
  /// creates it.
  ///
  /// - Parameters:
  ///   - places: The snapped places: lists by name, each in pieces.
  ///   - previous: The remains of an earlier run; must not be complete.
  init(
    in folder: ResultsFolder, _ header: ShardHeader, places: [String: [[UInt8]]], after previous: ShardFile?
  ) throws {
    (self.folder, isResumed) = (folder, previous != nil)
    let path = folder.journal.unfinished
    (chunks, rows) = (previous?.chunks.count ?? 0, previous?.rows ?? 0)
    if let previous {
      file = try OutputFile(path: path, resumingAt: previous.end)
      return
    }
    file = try OutputFile(path: path)
    var header = header
    header.lists = places.keys.sorted()
    var bytes = JournalWriter()
    bytes.put(header)
    try file.write(ShardFile.magic)
    try write(.header, bytes.bytes)
    for list in header.lists {
      for piece in places[list]! { try write(.places, piece) }
      // An empty piece ends a list.
      try write(.places, [])
    }
    try file.synchronize()
  }

  private func write(_ kind: JournalFrame.Kind, _ payload: [UInt8]) throws {
    try file.write(JournalFrame.head(kind, of: payload))
    try file.write(payload)
  }

  var encode: @Sendable (Writer.Chunk) -> (rows: Int, head: [UInt8], bytes: [UInt8]) {
    { chunk in
      var journal = JournalWriter()
      journal.put(chunk.rows)
      journal.put(chunk)
      let bytes = journal.bytes
      return (chunk.rows, JournalFrame.head(.chunk, of: bytes), bytes)
    }
  }

  /// Appends chunks. They are durable when this method returns.
  func write(_ group: [(rows: Int, head: [UInt8], bytes: [UInt8])]) throws {
    for chunk in group {
      try file.write(chunk.head)
      try file.write(chunk.bytes)
      chunks += 1
      rows += chunk.rows
    }
    try file.synchronize()
  }

  func commit() {}
  func interrupt(_: JobRecord) {}

  /// Ends the journal with the sums of all its rows, and gives it its final name.
  func seal(_ services: ServiceSums?, _: JobRecord) throws {
    var bytes = JournalWriter()
    if let services { bytes.put(services) }
    try write(.ending, bytes.bytes)
    try file.synchronize()
    try folder.publishShard()
  }
}
