import Foundation

/// bench ODOMETER MAP PAIRS TYPE [GRAPH]: runs every scenario, and prints a table of figures.
@main
enum Main {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count >= 5 else {
      print("bench ODOMETER MAP PAIRS TYPE [GRAPH]")
      exit(2)
    }
    let odometer = words[1]
    let scratch = NSTemporaryDirectory() + "odometer-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    print("\((words[2] as NSString).lastPathComponent) by \(words[4]), \(Machine.description)\n")
    try buildScenario(odometer, map: words[2], by: words[4], scratch: scratch)
    try queryScenario(map: words[2], pairs: words[3], by: words[4], scratch: scratch)
    try jobScenario(odometer, map: words[2], pairs: words[3], by: words[4], scratch: scratch)
    try accessScenario(odometer, map: words[2], pairs: words[3], by: words[4], scratch: scratch)
    if words.count > 5 && !words[5].isEmpty { try graphScenario(prefix: words[5]) }
  }
}

/// One line of the table.
func row(_ scenario: String, _ value: String, _ note: String = "") {
  let columns = scenario.padding(toLength: 44, withPad: " ", startingAt: 0)
  print("\(columns)\(String(repeating: " ", count: max(0, 12 - value.count)))\(value)  \(note)")
}

func fixed(_ value: Double, _ places: Int) -> String {
  let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
  let text = String((value * scale).rounded() / scale)
  return places == 0 ? String(Int(value.rounded())) : text
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

enum Machine {
  static var description: String {
    let cpu =
      (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
      .first { $0.hasPrefix("model name") }?.split(separator: ":").last.map { $0.drop { $0 == " " } }
      ?? "unknown processor"
    return "\(cpu), one core, \(Date().formatted(.iso8601.year().month().day()))"
  }
}
