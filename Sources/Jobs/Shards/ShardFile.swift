import Foundation
import Tables

/// A shard's journal, read: finished, or as far as an interrupted run came.
package struct ShardFile: Sendable {
  package let header: ShardHeader
  /// What the shard's rows add up to; nil of one that is not finished.
  package private(set) var ending: [UInt8]?
  private let input: JournalInput
  /// Of each list of places the pieces, in the header's order; those of one that has no end yet.
  private var lists: [[JournalFrame]] = []
  private var pieces: [JournalFrame] = []
  private(set) var chunks: [JournalFrame] = []
  /// Rows of the chunks.
  package private(set) var rows = 0
  /// Where the next frame begins.
  private(set) var end: Int

  static let magic = Array("odometer shard 4\n".utf8)

  package var path: String { input.path }

  /// The journal at `path`; nil where it is empty, or was cut off before its header ended.
  ///
  /// - Parameter isWhole: Whether it is to be finished: heads of frames alone are read, and what is behind them is an error.
  ///   Of any other what is damaged ends it.
  package init?(path: String, isWhole: Bool) throws {
    input = try JournalInput(path: path)
    let magic = try input.read(0..<min(input.count, ShardFile.magic.count))
    guard ShardFile.magic.starts(with: magic) else {
      throw ResultsError(path: path, problem: "not a shard's journal of this version", cause: .input)
    }
    guard let first = try JournalFrame(at: ShardFile.magic.count, of: input), first.kind == .header,
      case let bytes = try input.read(first.payload), JournalFrame.checksum(bytes) == first.crc32
    else { return nil }
    var reader = JournalReader(bytes)
    do {
      header = try ShardHeader(from: &reader)
    } catch is JournalReader.Failure {
      throw ResultsError(path: path, problem: "not a shard's journal of this version", cause: .input)
    }
    end = first.payload.upperBound
    while lists.count < header.lists.count {
      guard let frame = try JournalFrame(at: end, of: input), frame.kind == .places,
        try isWhole || JournalFrame.checksum(input.read(frame.payload)) == frame.crc32
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
        guard try isWhole || JournalFrame.checksum(input.read(frame.payload)) == frame.crc32 else { return }
        rows += try rows(of: frame)
        chunks.append(frame)
      case .ending:
        let bytes = try input.read(frame.payload)
        guard JournalFrame.checksum(bytes) == frame.crc32 else { return }
        ending = bytes
      }
      end = frame.payload.upperBound
    }
  }

  /// What an earlier run left of a shard in a folder, whether it is finished or not; nil for nothing.
  ///
  /// - Parameter isEarly: Whether only what is known of the job before there is a network is compared.
  /// - Throws: `ResultsError` where it is another shard, or one of another job, or something has changed since.
  package init?(of shard: Shard, in folder: ResultsFolder, of job: JobRecord, early isEarly: Bool = false) throws {
    let part = folder.journal.unfinished
    let isFinished = FileManager.default.fileExists(atPath: folder.journal)
    guard isFinished || FileManager.default.fileExists(atPath: part) else { return nil }
    // Checked to its end: whoever repeats a shard has it mended.
    guard let file = try ShardFile(path: isFinished ? folder.journal : part, isWhole: false) else {
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
      job, against: isEarly ? header.record.known(to: job) : header.record, in: folder,
      what: isFinished ? "finished shard" : "unfinished shard")
    guard !isFinished || ending != nil else { throw damaged(at: end) }
  }

  /// A chunk's rows are its first number.
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

  /// Hands out the pieces of a list of places, one after the other. *Throws*: `ResultsError` where they are damaged.
  func forEachPiece(ofPlaces list: String, _ body: ([UInt8]) throws -> Void) throws {
    guard let index = header.lists.firstIndex(of: list) else { throw damaged(at: end) }
    for frame in lists[index] {
      let bytes = try input.read(frame.payload)
      guard JournalFrame.checksum(bytes) == frame.crc32 else { throw damaged(frame) }
      do {
        try body(bytes)
      } catch is JournalReader.Failure {
        throw damaged(frame)
      }
    }
  }

  /// What a worker answered. *Throws*: `ResultsError` where it is damaged.
  package func chunk<Chunk: Journaled>(_ index: Int) throws -> Chunk {
    let frame = chunks[index]
    let bytes = try input.read(frame.payload)
    guard JournalFrame.checksum(bytes) == frame.crc32 else { throw damaged(frame) }
    var reader = JournalReader(bytes)
    do {
      _ = try reader.take(Int.self)
      let chunk = try reader.take(Chunk.self)
      guard reader.isAtEnd else { throw damaged(frame) }
      return chunk
    } catch is JournalReader.Failure {
      throw damaged(frame)
    }
  }

  /// What the shard's rows add up to, of a job of which it is like `other`. *Throws*: `ResultsError` where it is not.
  package func ending<Ending: ChunkEnding>(like other: Ending) throws -> Ending {
    var reader = JournalReader(ending ?? [])
    guard let found = try? reader.take(Ending.self), found.isLike(other) else {
      throw ResultsError(path: path, problem: "it does not say what stations serve", cause: .changed)
    }
    return found
  }

  /// The bytes of the longest chunk.
  var longestChunk: Int { chunks.lazy.map(\.payload.count).max() ?? 0 }
  package var size: Int { input.count }

  /// Where places of its rows are not there.
  var incompletePlaces: ResultsError { damaged(at: end) }

  private func damaged(_ frame: JournalFrame) -> ResultsError { damaged(at: frame.payload.lowerBound) }

  private func damaged(at offset: Int) -> ResultsError {
    ResultsError(
      path: path, problem: "damaged at byte \(offset); run shard \(header.shard) again with --fresh",
      cause: .changed)
  }
}
