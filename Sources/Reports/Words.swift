import Foundation
import Geography
import Results

// How a report writes texts and numbers: never with a locale.

/// A text as HTML has it, in elements and in attributes.
func escaped(_ text: String) -> String {
  var escaped = ""
  escaped.reserveCapacity(text.utf8.count)
  for character in text.unicodeScalars {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "'": escaped += "&#39;"
    // Control characters are no part of a page.
    case _ where character.value < 0x20 && character != "\n" && character != "\t": escaped += "\u{FFFD}"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}

/// A number with so many decimals, digits in threes from five digits on.
func decimal(_ value: Double, _ places: Int = 0) -> String {
  let scale = [1.0, 10, 100, 1000][places]
  guard value.isFinite, abs(value) * scale < 9e15 else { return "–" }
  let rounded = Int64((value * scale).rounded())
  var whole = String(rounded.magnitude / UInt64(scale))
  if whole.count > 4 {
    var grouped = ""
    for (place, digit) in whole.enumerated() {
      if place > 0 && (whole.count - place) % 3 == 0 { grouped += "\u{202F}" }
      grouped.append(digit)
    }
    whole = grouped
  }
  let decimals = String(rounded.magnitude % UInt64(scale))
  let fraction = places == 0 ? "" : "." + String(repeating: "0", count: places - decimals.count) + decimals
  return (rounded < 0 ? "−" : "") + whole + fraction
}

/// Per cent, with as many decimals as a small share needs.
func percent(_ share: Double) -> String {
  decimal(share * 100, share < 0.001 ? 3 : share < 0.01 ? 2 : 1) + " %"
}

/// Seconds as minutes: "12.5".
func minutes(_ seconds: Double) -> String {
  decimal(seconds / 60, seconds.truncatingRemainder(dividingBy: 60) == 0 ? 0 : 1)
}

/// Where a place is shown on OpenStreetMap's site.
func link(to point: FixedCoordinate) -> String {
  let place = "\(Double(point.latitude) / 1e7)/\(Double(point.longitude) / 1e7)"
  let mark = place.split(separator: "/")
  return "https://www.openstreetmap.org/?mlat=\(mark[0])&mlon=\(mark[1])#map=18/\(place)"
}

/// Why a row has no answer, as one sentence for a reader.
func reason(_ status: String, snapLimit: String) -> String {
  switch RowStatus(rawValue: status) {
  case .ok: "reached"
  case .directionsNotFound: "no way leads there"
  case .placemarkNotFound: "no street within \(snapLimit) m"
  case .outsideCoverage: "outside the coverage"
  case .beyondLimit: "farther than the limit"
  case .invalid, nil: status
  }
}

/// A measure as headings name it, with its unit, and how many times larger the unit is than that of the database.
extension Statistic.Measure {
  var heading: (title: String, unit: String, scale: Double, places: Int) {
    switch self {
    case .distance: ("Distance", "m", 1, 0)
    case .expectedTravelTime: ("Travel time", "min", 60, 1)
    case .stepCount: ("Steps of a route", "count", 1, 0)
    case .stepLength: ("Length of a step", "m", 1, 0)
    case .speed: ("Speed", "m/s", 1, 2)
    case .detour: ("Detour", "route / crow fly", 1, 2)
    case .area: ("Area", "km²", 1_000_000, 2)
    }
  }
}
