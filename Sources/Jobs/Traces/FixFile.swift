import Geography
import Tables

/// `fixes.csv.gz`: what view `fix` has, as text.
enum FixFile {
  static let columns =
    "trace_id,n,date,latitude,longitude,accuracy,kept,reason,part,street_fid,is_reversed,offset,snap_distance,"
    + "matched_latitude,matched_longitude,along"
}

extension TextBuffer {
  /// Appends a fix as a line of `fixes.csv.gz`. `trace` is its trace's id as a field.
  package mutating func append(_ row: FixRow, trace: String, secondsFromGMT: Int) {
    append(text: trace)
    append(",")
    append(integer: row.n)
    append(",")
    if let milliseconds = row.milliseconds {
      append(Moment(milliseconds: milliseconds, secondsFromGMT: secondsFromGMT))
    }
    append(field: row.point?.latitude, places: 7)
    append(field: row.point?.longitude, places: 7)
    append(field: row.accuracyCentimetres, places: 2)
    append(text: row.isKept ? ",1," : ",0,")
    if let reason = row.reason { append(text: reason) }
    let place = row.place
    append(field: place?.part, places: 0)
    append(field: place?.street.fid, places: 0)
    append(field: place.map { $0.street.isReversed ? 1 : 0 }, places: 0)
    append(field: place?.offset, places: 2)
    append(field: place?.snapDistance, places: 2)
    append(field: place?.point.latitude, places: 7)
    append(field: place?.point.longitude, places: 7)
    append(field: place?.along, places: 2)
    append("\n")
  }

  /// A comma, and a number where there is one.
  private mutating func append(field number: (some BinaryInteger)?, places: Int) {
    append(",")
    if let number { append(decimal: Int64(number), places: places) }
  }
}
