import Foundation
import Hierarchy

/// One spelling for names that differ in case, hyphens, spaces and accents only: RUA DE SAO JOAO and Rua de São João are
/// one street, as are Karl-Marx-Straße and Karl Marx Strasse.
///
/// Of the spellings of a name, one in small and capital letters is taken before one in capitals or small letters
/// only, then the more frequent one, then the first in the alphabet.
struct Spellings {
  private var chosen: [String: String] = [:]

  init(names: some Sequence<String>) {
    let counts = Spellings.counts(names)
    let alike = Dictionary(grouping: counts.keys) { $0.folded { _ in " " } }
    // Haupt-Straße is Haupt Straße where the map has one, else Hauptstraße.
    let joined = alike.map { key, spellings in
      guard spellings.allSatisfy({ $0.unicodeScalars.contains(where: \.isHyphen) }) else { return (key, spellings) }
      return (spellings.map { $0.folded { _ in "" } }.min { ($0.count, $0) < ($1.count, $1) }!, spellings)
    }
    choose(among: Dictionary(joined, uniquingKeysWith: +).values, counts)
  }

  /// Of road numbers: K 12-1 is not K 121.
  init(numbers: some Sequence<String>) {
    let counts = Spellings.counts(numbers)
    let alike = Dictionary(grouping: counts.keys) { $0.folded { $0 ? "-" : "" }.filter { $0 != " " } }
    choose(among: alike.values, counts)
  }

  private static func counts(_ texts: some Sequence<String>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for text in texts where !text.isEmpty { counts[text, default: 0] += 1 }
    return counts
  }

  private mutating func choose(among groups: some Sequence<[String]>, _ counts: [String: Int]) {
    for spellings in groups where spellings.count > 1 {
      let best = spellings.max { a, b in
        let (mixedA, mixedB) = (isMixed(a), isMixed(b))
        if mixedA != mixedB { return mixedB }
        return (counts[a]!, b) < (counts[b]!, a)
      }
      for text in spellings { chosen[text] = best }
    }
  }

  subscript(text: String) -> String { text.isEmpty ? text : chosen[text] ?? text }

  private func isMixed(_ text: String) -> Bool {
    text.contains(where: \.isLowercase) && text.contains(where: \.isUppercase)
  }
}

extension String {
  /// The text in capitals, without accents and with single spaces. `hyphen`: what stands for one, which is between two
  /// digits or not.
  fileprivate func folded(_ hyphen: (_ isBetweenDigits: Bool) -> String) -> String {
    var folded = ""
    let scalars = Array(uppercased().decomposedStringWithCanonicalMapping.unicodeScalars)
    for (index, scalar) in scalars.enumerated() where !String.accents.contains(scalar.value) {
      if scalar.isHyphen {
        let neighbours = [index - 1, index + 1].filter(scalars.indices.contains)
        folded += hyphen(neighbours.count == 2 && neighbours.allSatisfy { scalars[$0].properties.numericType != nil })
      } else {
        folded.unicodeScalars.append(scalar)
      }
    }
    return folded.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The marks of Latin, Greek and Cyrillic letters. Those of other scripts tell words apart.
  private static let accents: ClosedRange<UInt32> = 0x300...0x36F
}

extension Unicode.Scalar {
  fileprivate var isHyphen: Bool { properties.generalCategory == .dashPunctuation }
}

extension [OSMImport.Way] {
  /// Spells names and numbers alike on all ways.
  mutating func unifySpellings(workers: Int) {
    let refs = lazy.map(\.rules.ref).filter { !$0.isEmpty } as [String]
    let (names, numbers) = sideBySide(workers: workers) {
      Spellings(names: lazy.map(\.rules.name))
    } _: {
      Spellings(numbers: refs.lazy.flatMap { RoadNumbers(text: $0).each })
    }
    for index in indices {
      self[index].rules.name = names[self[index].rules.name]
      guard !self[index].rules.ref.isEmpty else { continue }
      self[index].rules.ref = RoadNumbers(RoadNumbers(text: self[index].rules.ref).each.map { numbers[$0] }).text
    }
  }
}
