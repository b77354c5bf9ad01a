/// A matrix in NumPy's own format (.npy, version 1.0), 32-bit floats row by row: `numpy.load(path, mmap_mode="r")`.
struct NumPyFile {
  private let file: OutputFile

  /// *Throws*: `ResultsError`.
  init(path: String, rows: Int, columns: Int) throws {
    file = try OutputFile(path: path)
    let about = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
    // What comes before the numbers is a multiple of 64 bytes and ends with a line's end.
    let start = 10
    let padding = (64 - (start + about.utf8.count + 1) % 64) % 64
    let length = about.utf8.count + padding + 1
    try file.write(
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(about.utf8)
        + Array(repeating: UInt8(ascii: " "), count: padding) + [UInt8(ascii: "\n")])
  }

  /// Appends rows.
  func append(_ numbers: [Float]) throws {
    try numbers.withUnsafeBytes { try file.write($0) }
  }

  func finish() throws { try file.synchronize() }
}
