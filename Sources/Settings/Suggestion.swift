/// Suggestions for mistyped words.
package enum Suggestion {
  /// Returns the word in `words` most similar to `word`; nil if none is similar enough.
  ///
  /// Up to a third of the letters may differ, ignoring case: "snaplimit" suggests "snapLimit", "ruote" suggests
  /// "route".
  package static func nearest(to word: String, of words: some Sequence<String>) -> String? {
    let (lower, count) = (word.lowercased(), word.count)
    var best: (word: String, distance: Int)?
    for candidate in words {
      let limit = min(max(count, candidate.count) / 3, count - 1)
      guard abs(count - candidate.count) <= limit else { continue }
      let distance = distance(lower, candidate.lowercased())
      guard distance <= limit else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    let suggestion = best?.word ?? completion(of: lower, in: words)
    guard suggestion == nil, let word = synonyms[lower] else { return suggestion }
    return words.contains(word) ? word : nil
  }

  /// Names of transport modes in other programs.
  private static let synonyms = [
    "car": "automobile", "auto": "automobile", "driving": "automobile", "drive": "automobile", "bike": "cycling",
    "bicycle": "cycling", "foot": "walking", "pedestrian": "walking", "lorry": "truck", "hgv": "truck",
  ]

  /// Returns the only word that begins with `start`, if `start` has at least three letters: "auto" gives "automobile".
  private static func completion(of start: String, in words: some Sequence<String>) -> String? {
    let completions = start.count < 3 ? [] : words.filter { $0.lowercased().hasPrefix(start) }
    return completions.count == 1 ? completions[0] : nil
  }

  /// Returns a question such as "; did you mean run?"; empty if there is no suggestion.
  package static func question(_ word: String, of words: some Sequence<String>) -> String {
    nearest(to: word, of: words).map { "; did you mean \($0)?" } ?? ""
  }

  /// Returns the optimal string alignment distance: the number of letters to insert, delete, replace or swap with the
  /// next one to turn `a` into `b`.
  package static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var (beforeLast, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var minimum = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { minimum = min(minimum, beforeLast[j - 1] + 1) }
        row.append(minimum)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
