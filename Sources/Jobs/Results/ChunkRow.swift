import Tables

/// A row of table `chunk`: rows of the input that were written together.
struct ChunkRow {
  var id: Int
  var firstRow: Int
  var rows: Int

  static let table = Table<ChunkRow>(
    "chunk", "group of rows that were written together",
    [
      .key("chunk_id", "from 0") { $0.id },
      .integer("first_row", "the input's row it starts with, from 0") { $0.firstRow },
      .integer("rows", "how many rows") { $0.rows },
      .text("state", "`written`") { _ in "written" },
    ])
}

/// A row of table `chunk_file`: how far a file had come with a chunk.
struct ChunkFileRow {
  var chunk: Int
  /// The file's name.
  var file: String
  var checkpoint: Checkpoint

  static let table = Table<ChunkFileRow>(
    "chunk_file", "chunk and file next to the database", key: ["chunk_id", "file"],
    [
      .integer("chunk_id", "the chunk") { $0.chunk },
      .text("file", "the file's name") { $0.file },
      .integer("end", "bytes of the file when the chunk was written") { $0.checkpoint.end },
      .integer("length", "bytes of its text, before compression") { $0.checkpoint.length },
      .lineBreak,
      .integer("crc32", "checksum of that text") { Int($0.checkpoint.crc32) },
    ])
}
