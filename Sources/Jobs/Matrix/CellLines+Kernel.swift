import Tables

// A matrix's CSV lines, for hundreds of millions of cells: the parts common to a row's lines and the column names are
// copied in 16-byte blocks, and the next write overwrites any excess; numbers come from the lookup tables in
// `CellText`.

/// An encoder of a matrix's CSV lines, with the names of its columns as CSV fields.
struct CellLines: Sendable {
  private let cells: CellText
  /// The names, concatenated, each with a comma; padded so that copying may read beyond the last one.
  private let labels: [UInt8]
  /// The end of each name.
  private let ends: [Int]

  /// The number of bytes copied at a time.
  private static let copyWidth = 16
  /// The maximum number of bytes stored for a number: ten digits, the decimals, and the overrun of 8-byte stores.
  private static let numberCapacity = 24

  /// - Parameter fields: The columns' names, quoted if necessary.
  package init(_ cells: CellText, fields: [String]) {
    self.cells = cells
    var labels: [UInt8] = []
    ends = fields.map { field in
      labels += Array(field.utf8) + [UInt8(ascii: ",")]
      return labels.count
    }
    self.labels = labels + Array(repeating: 0, count: CellLines.copyWidth)
  }

  /// Appends `origin,destination,hour,12.5,17` for each cell of a row: its seconds and, with lengths, its metres,
  /// without trailing zeros; fields are empty without a route.
  ///
  /// - Parameters:
  ///   - origin: The row's name as a field.
  ///   - hour: The hour's name as a field; nil without hours.
  ///   - times: Milliseconds.
  ///   - lengths: Centimetres; nil for times only.
  ///   - missing: Times of this value and above mean no route.
  package func append(
    from origin: String, at hour: String?, times: UnsafeBufferPointer<UInt32>, lengths: UnsafeBufferPointer<UInt32>?,
    missing: UInt32, to text: TextBytes
  ) {
    precondition(times.count == ends.count && lengths?.count ?? times.count == times.count, "rows of different lengths")
    let padding = [UInt8](repeating: 0, count: CellLines.copyWidth)
    let (prefix, infix) = (Array((origin + ",").utf8), hour.map { Array(($0 + ",").utf8) } ?? [])
    let line = prefix.count + infix.count + 2 * CellLines.numberCapacity + 2
    text.buffer.reserve(times.count * line + labels.count + CellLines.copyWidth)
    var at = UnsafeMutableRawPointer(text.buffer.base + text.count)
    withPointers(prefix + padding, infix + padding) { origin, hour, labels, wholes, thousandths, hundredths in
      var start = 0
      for index in 0..<times.count {
        CellLines.copy(origin, prefix.count, to: &at)
        CellLines.copy(labels + start, ends[index] - start, to: &at)
        start = ends[index]
        CellLines.copy(hour, infix.count, to: &at)
        let time = times[index]
        if time < missing { CellLines.write(time, per: 1000, wholes, thousandths, to: &at) }
        if let lengths {
          CellLines.write(UInt8(ascii: ","), to: &at)
          if time < missing { CellLines.write(lengths[index], per: 100, wholes, hundredths, to: &at) }
        }
        CellLines.write(UInt8(ascii: "\n"), to: &at)
      }
    }
    text.buffer.count = at - UnsafeMutableRawPointer(text.buffer.base)
  }

  private func withPointers(
    _ prefix: [UInt8], _ infix: [UInt8],
    _ body: (
      _ prefix: UnsafePointer<UInt8>, _ infix: UnsafePointer<UInt8>, _ labels: UnsafePointer<UInt8>,
      _ wholes: UnsafeBufferPointer<UInt64>, _ thousandths: UnsafeBufferPointer<UInt64>,
      _ hundredths: UnsafeBufferPointer<UInt64>
    ) -> Void
  ) {
    cells.wholes.withUnsafeBufferPointer { wholes in
      cells.shortThousandths.withUnsafeBufferPointer { thousandths in
        cells.shortHundredths.withUnsafeBufferPointer { body(prefix, infix, labels, wholes, thousandths, $0) }
      }
    }
  }

  @inline(__always)
  private static func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int, to at: inout UnsafeMutableRawPointer) {
    var done = 0
    while done < count {
      let block = (UnsafeRawPointer(bytes) + done).loadUnaligned(as: SIMD16<UInt8>.self)
      (at + done).storeBytes(of: block, as: SIMD16<UInt8>.self)
      done &+= copyWidth
    }
    at += count
  }

  @inline(__always)
  private static func write(_ byte: UInt8, to at: inout UnsafeMutableRawPointer) {
    at.storeBytes(of: byte, as: UInt8.self)
    at += 1
  }

  @inline(__always)
  private static func write(
    _ value: UInt32, per scale: UInt32, _ wholes: UnsafeBufferPointer<UInt64>, _ fractions: UnsafeBufferPointer<UInt64>,
    to at: inout UnsafeMutableRawPointer
  ) {
    at += CellText.write(whole: Int(value / scale), wholes, at: at)
    let fraction = fractions[Int(value % scale)]
    at.storeBytes(of: fraction, as: UInt64.self)
    at += Int(fraction >> 56)
  }
}
