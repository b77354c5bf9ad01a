import Tables

/// Conversion between the engine's numbers and 32-bit floats in files: seconds for milliseconds, metres for
/// centimetres.
enum SingleFloat {
  /// Converts a float to the engine's units; negative if it is not a number, or out of the range of a cell.
  static func units(_ float: Float, per scale: Double) -> Int64 {
    let value = (Double(float) * scale).rounded()
    return value >= 0 && value < 1e15 ? Int64(value) : -1
  }

  /// Returns a number as it would be read back from such a file.
  static func rounded(_ units: Int64, per scale: Float) -> Int64 {
    units < 0 ? -1 : SingleFloat.units(Float(units) / scale, per: Double(scale))
  }
}
