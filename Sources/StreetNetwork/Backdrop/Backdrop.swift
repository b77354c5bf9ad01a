import Geography
import Hierarchy

/// What a map has to draw results upon, ready as text: made with the network, and cut by a job's box in microseconds.
///
/// Parts ascend by their zoom: whoever wants no more than some bytes takes the first ones.
package struct Backdrop: Sendable {
  /// A part's place among the bytes.
  struct Record: BitwiseCopyable, Sendable {
    var box: BoundingBox
    /// Where its text ends, in the bytes of all; it begins where the one before ends.
    var end: UInt32
    /// The index of its kind among `kinds`.
    var kind: UInt16
    var minZoom: UInt8
    var layer: BackdropLayer
  }

  /// Features of one kind in one part of the map, as a page takes them.
  package struct Part: Sendable {
    package var layer: BackdropLayer
    package var kind: String
    package var minZoom: Int
    /// Around all of them.
    package var box: BoundingBox
    /// `"name","geometry","name","geometry",…`: names and encoded polylines as JSON strings, with no "<" in them.
    package var features: String
  }

  let records: Column<Record>
  let text: Column<UInt8>
  /// All kinds, each on a line.
  private let kinds: [String]

  init(records: Column<Record>, text: Column<UInt8>, kinds: String) {
    (self.records, self.text) = (records, text)
    self.kinds = kinds.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The parts that meet a box, of no more than so many bytes of text in all; and the classes of streets that are left out.
  ///
  /// The features of one layer that are drawn from one zoom on are there as a whole or not at all: half a town's streets would
  /// look like a town. Of streets nothing follows what is left out.
  package func parts(meeting box: BoundingBox, atMost bytes: Int) -> (parts: [Part], leftOut: [String]) {
    var groups: [[(record: Record, text: Range<Int>)]] = []
    var start = 0
    for record in records.buffer {
      let range = start..<Int(record.end)
      start = range.upperBound
      guard record.box.meets(box) else { continue }
      if let last = groups.last?[0].record, last.minZoom == record.minZoom, last.layer == record.layer {
        groups[groups.count - 1].append((record, range))
      } else {
        groups.append([(record, range)])
      }
    }
    var (parts, leftOut): ([Part], [String]) = ([], [])
    var rest = bytes
    for group in groups {
      let size = group.reduce(0) { $0 + $1.text.count }
      let layer = group[0].record.layer
      guard size <= rest, layer != .street || leftOut.isEmpty else {
        for (record, _) in group where layer == .street && !leftOut.contains(kinds[Int(record.kind)]) {
          leftOut.append(kinds[Int(record.kind)])
        }
        continue
      }
      rest -= size
      parts += group.map { part($0.record, $0.text) }
    }
    return (parts, leftOut)
  }

  private func part(_ record: Record, _ range: Range<Int>) -> Part {
    Part(
      layer: record.layer, kind: kinds[Int(record.kind)], minZoom: Int(record.minZoom), box: record.box,
      features: String(decoding: text.buffer[range], as: UTF8.self))
  }
}
