import Hierarchy
import Tables

/// Converts the cells of a matrix to 32-bit floats, NaN without a route.
package enum MatrixFloats {
  /// Converts milliseconds to seconds.
  package static func seconds(_ times: UnsafeBufferPointer<UInt32>, into floats: UnsafeMutablePointer<Float>) {
    convert(times, times, per: 1000, into: floats)
  }

  /// Converts centimetres to metres.
  package static func metres(
    _ lengths: UnsafeBufferPointer<UInt32>, _ times: UnsafeBufferPointer<UInt32>,
    into floats: UnsafeMutablePointer<Float>
  ) { convert(lengths, times, per: 100, into: floats) }

  /// Overwrites `floats` with the seconds of all rows of a block, and reuses its memory if the size is the same.
  static func seconds(of block: MatrixBlock, into floats: inout [Float]) {
    fill(&floats, of: block) { row, floats in seconds(block.times(row: row), into: floats) }
  }

  /// Overwrites `floats` with the metres of all rows of a block, and reuses its memory if the size is the same.
  static func metres(of block: MatrixBlock, into floats: inout [Float]) {
    fill(&floats, of: block) { row, floats in metres(block.lengths(row: row), block.times(row: row), into: floats) }
  }

  private static func fill(
    _ floats: inout [Float], of block: MatrixBlock, _ write: (Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    let count = block.rows.count * block.columns
    func fill(_ buffer: UnsafeMutableBufferPointer<Float>) {
      guard let base = buffer.baseAddress else { return }
      for row in 0..<block.rows.count { write(row, base + row * block.columns) }
    }
    if floats.count == count {
      floats.withUnsafeMutableBufferPointer { fill($0) }
    } else {
      floats = [Float](unsafeUninitializedCapacity: count) { buffer, written in
        fill(buffer)
        written = count
      }
    }
  }

  /// Divides instead of multiplying by the inverse, since division gives the float nearest to the decimal number.
  private static func convert(
    _ values: UnsafeBufferPointer<UInt32>, _ times: UnsafeBufferPointer<UInt32>, per scale: Float,
    into floats: UnsafeMutablePointer<Float>
  ) {
    let count = times.count
    guard let values = values.baseAddress, let times = times.baseAddress else { return }
    let unreachable = MatrixBlock.unreachable
    // Computes both branches so that the loop is vectorized; a comparison of SIMD8<UInt32> would not be.
    for index in 0..<count {
      let value = Float(values[index]) / scale
      floats[index] = times[index] < unreachable ? value : .nan
    }
  }
}
