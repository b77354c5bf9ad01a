import Foundation
import Geography

/// How far the points of a window spread that moves along a track, at a constant cost per step: what spreads farther
/// than two radii need not be looked at.
struct StopWindow {
  private let track: [StopPoint]
  /// The points that may become the least or the greatest of each axis, by their indices in the track.
  private var extremes: [[Int]] = [[], [], [], []]
  private var heads = [0, 0, 0, 0]
  private var next = 0
  /// The first point that may be in a window.
  private(set) var start = 0

  init(_ track: [StopPoint]) { self.track = track }

  mutating func restart(at index: Int) {
    extremes = [[], [], [], []]
    heads = [0, 0, 0, 0]
    (start, next) = (index, index)
  }

  /// Metres along the longer side, a little less rather than more. Windows must move forward.
  mutating func span(of window: Range<Int>) -> Double {
    while next < window.upperBound {
      for kind in 0..<4 {
        while extremes[kind].count > heads[kind], value(kind, extremes[kind].last!) <= value(kind, next) {
          extremes[kind].removeLast()
        }
        extremes[kind].append(next)
      }
      next += 1
    }
    for kind in 0..<4 {
      while extremes[kind][heads[kind]] < window.lowerBound { heads[kind] += 1 }
    }
    let greatest = (0..<4).map { value($0, extremes[$0][heads[$0]]) }
    let (north, south) = (greatest[0], -greatest[1])
    let least = cos(min(90, max(abs(north), abs(south))) * .pi / 180)
    let (height, width) = (north - south, (greatest[2] + greatest[3]) * least)
    return max(height, width) * Coordinate.metresPerDegree * 0.999
  }

  /// What is greatest at the extreme.
  private func value(_ kind: Int, _ index: Int) -> Double {
    switch kind {
    case 0: track[index].latitude
    case 1: -track[index].latitude
    case 2: track[index].longitude
    default: -track[index].longitude
    }
  }
}
