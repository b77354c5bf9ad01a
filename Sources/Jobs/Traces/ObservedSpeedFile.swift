import Geography
import Tables

/// A piece of one way between two junctions, or where a street's ways meet, in a direction of travel.
package struct WayPiece: Sendable {
  /// Ids of OpenStreetMap; 0 for a line that is not a way.
  package var way: Int
  var fromNode: Int
  var toNode: Int
  /// Whether it is travelled as the way is drawn.
  package var isForward: Bool

  package init(way: Int, fromNode: Int, toNode: Int, isForward: Bool) {
    (self.way, self.fromNode, self.toNode, self.isForward) = (way, fromNode, toNode, isForward)
  }
}

/// `observed_speeds.csv.gz`: observed speeds for other programs, by ids of OpenStreetMap.
final class ObservedSpeedFile {
  static let columns = "way_id,from_node,to_node,forward,weekday,from,to,kmh,passes,slowness,street_key"

  private let file: CSVFile
  private let deflater = Deflater()
  private var text = TextBuffer(capacity: 1 << 16)

  init(_ file: CSVFile) { self.file = file }

  /// Adds a line per piece of the street.
  func append(_ row: ObservedSpeedRow, _ pieces: [WayPiece], key: Int) throws {
    for piece in pieces {
      for number in [piece.way, piece.fromNode, piece.toNode, piece.isForward ? 1 : 0] {
        text.append(integer: number)
        text.append(",")
      }
      text.append(text: row.period.weekday)
      text.append(",")
      text.append(text: SpeedPeriod.clock(row.period.hour))
      text.append(",")
      text.append(text: SpeedPeriod.clock(row.period.hour + 1))
      text.append(",")
      text.append(decimal: Int64((row.speed * 36).rounded()), places: 1)
      text.append(",")
      text.append(integer: row.passes)
      text.append(",")
      text.append(decimal: Int64((row.slowness * 1000).rounded()), places: 3)
      text.append(",")
      text.append(integer: key)
      text.append("\n")
    }
    if text.count > 1 << 16 { try flush() }
  }

  private func flush() throws {
    deflater.append(text)
    text.removeAll()
    try file.append(deflater.finishBlock())
  }

  func finish() throws { if text.count > 0 { try flush() } }
}
