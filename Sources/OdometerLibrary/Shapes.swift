import Geography

/// The points of all lines of an answer, whose text refers to them by index.
struct Shapes {
  private(set) var points: [FixedCoordinate] = []

  /// Stores a line and writes `"shape":[first point, number of points]`.
  mutating func append(_ line: Polyline, to text: inout TextBuffer) {
    text.append("\"shape\":")
    append(points: line.points, to: &text)
  }

  /// Stores points and writes `[first point, number of points]`.
  mutating func append(points line: some Collection<FixedCoordinate>, to text: inout TextBuffer) {
    text.append(text: "[\(points.count),\(line.count)]")
    points += line
  }
}
