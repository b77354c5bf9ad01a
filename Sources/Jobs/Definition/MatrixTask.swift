import Results
import Settings
import StreetNetwork

/// What a job of kind `matrix` asks for beside what all jobs do.
package struct MatrixTask: Sendable {
  /// A list of places.
  package var origins: String
  /// Another one; the origins themselves if nil.
  package var destinations: String?
  /// Whether cells have distances as well as times.
  package var distances: Bool
  /// In what the cells are written, in the order of `Format`; empty where only a summary is wanted.
  package var formats: [MatrixWriter.Format]
  package var summary: SummaryTask?

  init(_ root: SettingsObject) throws {
    origins = try root.string("origins")
    destinations = try root.optionalString("destinations")
    distances = try root.optionalBool("distances") ?? true
    summary = try root.has("summary") ? SummaryTask(root) : nil
    let names = root.has("format") ? try root.strings("format") : summary == nil ? ["sqlite"] : []
    let allowed = MatrixWriter.Format.allCases
    if let unknown = names.first(where: { MatrixWriter.Format(rawValue: $0) == nil }) {
      let list = allowed.map(\.rawValue).joined(separator: ", ")
      throw root.error("format", "found \"\(unknown)\", allowed: a list of \(list)")
    }
    formats = allowed.filter { names.contains($0.rawValue) }
    guard !formats.isEmpty || summary != nil else {
      throw root.error("format", "an empty list, and no summary: nothing would be written")
    }
  }
}

/// What is kept of each origin's row: `["nearest", "within:600,900", "mean"]`.
package struct SummaryTask: Sendable, CustomStringConvertible {
  package var nearest = false
  package var mean = false
  /// Seconds, ascending.
  package var within: [Int] = []

  private static let allowed =
    "a list of \"nearest\", \"mean\" and \"within:\" with seconds, as \"within:600,900,1800\""

  init(_ root: SettingsObject) throws {
    for word in try root.strings("summary") {
      switch word {
      case "nearest": nearest = true
      case "mean": mean = true
      case _ where word.hasPrefix("within:"):
        let numbers = word.dropFirst(7).split(separator: ",", omittingEmptySubsequences: false).map { text in
          Int(text.filter { $0 != " " }) ?? 0
        }
        guard numbers.allSatisfy({ (1...1_000_000).contains($0) }) else { fallthrough }
        within = Set(within + numbers).sorted()
      default: throw root.error("summary", "found \"\(word)\", allowed: \(SummaryTask.allowed)")
      }
    }
    guard nearest || mean || !within.isEmpty else {
      throw root.error("summary", "found an empty list, allowed: \(SummaryTask.allowed)")
    }
  }

  package var description: String {
    let thresholds = within.map(String.init).joined(separator: ",")
    return [nearest ? "nearest" : nil, within.isEmpty ? nil : "within:\(thresholds)", mean ? "mean" : nil]
      .compactMap(\.self).joined(separator: " ")
  }
}
