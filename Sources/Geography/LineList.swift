/// Lines, stored consecutively in one array.
package struct LineList {
  private var points: [FixedCoordinate] = []
  /// The end of each line in `points`.
  private var ends: [Int] = []

  package init() {}

  package init(_ lines: [[FixedCoordinate]]) {
    for line in lines { append(line) }
  }

  package mutating func append(_ line: [FixedCoordinate]) { line.withUnsafeBufferPointer { append($0) } }

  package mutating func append(_ line: UnsafeBufferPointer<FixedCoordinate>) {
    points.append(contentsOf: line)
    ends.append(points.count)
  }

  var isEmpty: Bool { ends.isEmpty }

  func forEach(_ body: (ArraySlice<FixedCoordinate>) -> Void) {
    var start = 0
    for end in ends {
      body(points[start..<end])
      start = end
    }
  }

  /// The lines as separate arrays.
  var separate: [[FixedCoordinate]] {
    var lines: [[FixedCoordinate]] = []
    forEach { lines.append(Array($0)) }
    return lines
  }
}
