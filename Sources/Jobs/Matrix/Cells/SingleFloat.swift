import Tables

/// Numbers of the engine as files of 32-bit floats have them: seconds for milliseconds, metres for centimetres.
enum SingleFloat {
  /// A float as units of the engine: negative where it is not a number, or none that a cell can have.
  static func units(_ float: Float, per scale: Double) -> Int64 {
    let value = (Double(float) * scale).rounded()
    return value >= 0 && value < 1e15 ? Int64(value) : -1
  }

  /// What becomes of a number in such a file.
  static func rounded(_ units: Int64, per scale: Float) -> Int64 {
    units < 0 ? -1 : SingleFloat.units(Float(units) / scale, per: Double(scale))
  }
}
