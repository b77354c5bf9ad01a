import Hierarchy

/// One spelling for names that differ in capitals and spaces only: RUA DO OURO and Rua do Ouro are one street.
///
/// Of the spellings of a name, one in small and capital letters is taken before one in capitals or small letters
/// only, then the more frequent one, then the first in the alphabet.
struct Spellings {
  private var chosen: [String: String] = [:]

  init(_ texts: some Sequence<String>, ignoringSpaces: Bool = false) {
    var counts: [String: Int] = [:]
    for text in texts where !text.isEmpty { counts[text, default: 0] += 1 }
    var alike: [String: [String]] = [:]
    for text in counts.keys { alike[folded(text, ignoringSpaces), default: []].append(text) }
    for spellings in alike.values where spellings.count > 1 {
      let best = spellings.max { a, b in
        let (mixedA, mixedB) = (isMixed(a), isMixed(b))
        if mixedA != mixedB { return mixedB }
        return (counts[a]!, b) < (counts[b]!, a)
      }
      for text in spellings { chosen[text] = best }
    }
  }

  subscript(text: String) -> String { text.isEmpty ? text : chosen[text] ?? text }

  private func folded(_ text: String, _ ignoringSpaces: Bool) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: ignoringSpaces ? "" : " ")
  }

  private func isMixed(_ text: String) -> Bool {
    text.contains(where: \.isLowercase) && text.contains(where: \.isUppercase)
  }
}

extension [OSMImport.Way] {
  /// Spells names and numbers alike on all ways.
  mutating func unifySpellings(workers: Int) {
    let refs = lazy.map(\.rules.ref).filter { !$0.isEmpty } as [String]
    let (names, numbers) = sideBySide(workers: workers) {
      Spellings(lazy.map(\.rules.name))
    } _: {
      Spellings(refs.lazy.flatMap { RoadNumbers(text: $0).each }, ignoringSpaces: true)
    }
    for index in indices {
      self[index].rules.name = names[self[index].rules.name]
      guard !self[index].rules.ref.isEmpty else { continue }
      self[index].rules.ref = RoadNumbers(RoadNumbers(text: self[index].rules.ref).each.map { numbers[$0] }).text
    }
  }
}
