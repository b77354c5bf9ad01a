import Foundation
import Settings

/// Who is faster or slower than others, and where that and slopes matter.
extension Profile {
  /// The same profile with another pace on the flat, in km/h.
  ///
  /// - Throws: `SettingsError` where it knows no pace.
  package func paced(_ pace: Double) throws -> Profile {
    try Profile(name: "profile \(name)", text: Data("{ pace: \(pace) }".utf8) + [0] + text, avoiding: avoids)
  }

  /// What a way's speed is multiplied by in a direction: by the pace, and by its slope where that is tagged.
  func effort(_ tags: Tags, _ direction: Direction) -> Double {
    guard paceFactor != 1 || hills != nil, carried?.matches(tags) != true else { return 1 }
    guard let hills, level?.matches(tags) != true, let slope = tags["incline"].flatMap(slopeOfIncline) else {
      return paceFactor
    }
    return paceFactor * hills.factor(onSlope: direction == .forward ? slope : -slope)
  }
}

/// `10%`, `-5 %`, `5.7°`, `1:12`, in metres per metre; nil for `up`, `down` and what is no number.
func slopeOfIncline(_ text: String) -> Double? {
  let text = text.replacing(",", with: ".").filter { !$0.isWhitespace }
  let parts = text.split(separator: ":")
  let slope: Double? =
    if parts.count == 2, let rise = Double(parts[0]), let run = Double(parts[1]) {
      rise / run
    } else if text.hasSuffix("%") {
      Double(text.dropLast()).map { $0 / 100 }
    } else if text.hasSuffix("°") {
      Double(text.dropLast()).map { tan($0 * .pi / 180) }
    } else {
      Double(text).map { $0 / 100 }
    }
  // Nobody walks up a wall: what is steeper was not meant.
  return slope.flatMap { abs($0) <= 1 ? $0 : nil }
}
