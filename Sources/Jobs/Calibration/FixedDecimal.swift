/// A number with as many decimals as it is to have, in no locale: columns stay in line.
struct FixedDecimal: CustomStringConvertible {
  let description: String

  init(_ value: Double, _ places: Int) {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    guard value.isFinite, abs(value) * scale < 9e15 else {
      description = "-"
      return
    }
    let rounded = Int64((value * scale).rounded())
    let digits = String(rounded.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let text = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
    description = rounded < 0 ? "-" + text : text
  }
}
