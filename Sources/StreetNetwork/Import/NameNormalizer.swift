import Foundation
import Geography
import Hierarchy

/// Unifies the spelling of names that differ only in case and spaces: RUA DO OURO and Rua do Ouro are one street.
///
/// Prefers mixed case, then more accents, then the more frequent spelling, then the first one in alphabetical order.
struct NameNormalizer {
  private var chosen: [String: String] = [:]

  init(names: some Sequence<String>) { self.init(names) { $0.uppercased().withSingleSpaces } }

  /// Unifies road numbers: A-4, A 4 and A4 are the same, but K 12-1 and K 121 are not.
  init(numbers: some Sequence<String>) { self.init(numbers) { $0.folded { $0 ? "-" : "" }.filter { $0 != " " } } }

  private init(_ names: some Sequence<String>, _ key: (String) -> String) {
    let counts = NameNormalizer.counts(names)
    for spellings in Dictionary(grouping: counts.keys, by: key).values where spellings.count > 1 {
      let best = NameNormalizer.best(of: spellings, counts)
      for text in spellings { chosen[text] = best }
    }
  }

  subscript(text: String) -> String { text.isEmpty ? text : chosen[text] ?? text }

  /// Returns the preferred spelling of a name.
  static func best(of names: some Sequence<String>) -> String? {
    let counts = counts(names)
    return best(of: counts.keys, counts)
  }

  private static func best(of spellings: some Sequence<String>, _ counts: [String: Int]) -> String? {
    spellings.max { a, b in
      if a.isMixed != b.isMixed { return b.isMixed }
      return (a.accentCount, counts[a]!, b) < (b.accentCount, counts[b]!, a)
    }
  }

  private static func counts(_ names: some Sequence<String>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for text in names where !text.isEmpty { counts[text, default: 0] += 1 }
    return counts
  }

  /// Returns groups of names that differ only in hyphens and accents. Haupt-Straße is grouped with Haupt Straße if that
  /// exists, otherwise with Hauptstraße.
  static func similar(_ names: Set<String>) -> [[String]] {
    let similar = Dictionary(grouping: names) { $0.folded { _ in " " } }.map { key, names in
      guard names.allSatisfy({ $0.unicodeScalars.contains(where: \.isHyphen) }) else { return (key, names) }
      return (names.map { $0.folded { _ in "" } }.min { ($0.count, $0) < ($1.count, $1) }!, names)
    }
    return Dictionary(similar, uniquingKeysWith: +).values.filter { $0.count > 1 }
  }
}

extension String {
  fileprivate var withSingleSpaces: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  fileprivate var isMixed: Bool { contains(where: \.isLowercase) && contains(where: \.isUppercase) }

  fileprivate var accentCount: Int {
    decomposedStringWithCanonicalMapping.unicodeScalars.count { String.accents.contains($0.value) }
  }

  /// Returns the text in upper case, without accents and with single spaces. `hyphen` returns the replacement of a
  /// hyphen, depending on whether it is between two digits.
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
    return folded.withSingleSpaces
  }

  /// Combining marks of Latin, Greek and Cyrillic letters. In other scripts, marks distinguish words.
  private static let accents: ClosedRange<UInt32> = 0x300...0x36F
}

extension Unicode.Scalar {
  fileprivate var isHyphen: Bool { properties.generalCategory == .dashPunctuation }
}

extension [OSMImport.Way] {
  /// Unifies the spelling of names and numbers on all ways.
  ///
  /// - Parameter nodes: The nodes of all ways, as indices of `points`; some points are missing.
  mutating func unifySpellings(nodes: [UInt32], points: [FixedCoordinate?], workers: Int) {
    let refs = lazy.map(\.rules.ref).filter { !$0.isEmpty } as [String]
    let (names, numbers) = inParallel(workers: workers) {
      NameNormalizer(names: lazy.map(\.rules.name))
    } _: {
      NameNormalizer(numbers: refs.lazy.flatMap { RoadNumbers(text: $0).numbers })
    }
    for index in indices {
      self[index].rules.name = names[self[index].rules.name]
      guard !self[index].rules.ref.isEmpty else { continue }
      self[index].rules.ref = RoadNumbers(RoadNumbers(text: self[index].rules.ref).numbers.map { numbers[$0] }).text
    }
    unifyNearbyNames(nodes, points)
  }

  /// Unifies names of nearby streets that differ only in hyphens and accents. Streets in two villages may differ in
  /// nothing else (Rua da Quinta, Rua da Quintã), so their names are kept.
  private mutating func unifyNearbyNames(_ nodes: [UInt32], _ points: [FixedCoordinate?]) {
    let similar = NameNormalizer.similar(Set(lazy.map(\.rules.name)))
    let groups = Dictionary(
      uniqueKeysWithValues: similar.enumerated().flatMap { group, names in names.map { ($0, group) } })
    var ways = [[Int]](repeating: [], count: similar.count)
    for index in indices {
      if let group = groups[self[index].rules.name] { ways[group].append(index) }
    }
    for group in ways {
      let cells = group.map { way in
        Set(
          nodes[self[way].nodes].compactMap { node in
            // About half a kilometre wide, or less toward the poles.
            points[Int(node)].map { SIMD2($0.longitude / 50_000, $0.latitude / 50_000) }
          })
      }
      for near in neighbourhoods(cells) {
        let best = NameNormalizer.best(of: near.map { self[group[$0]].rules.name })!
        for index in near { self[group[index]].rules.name = best }
      }
    }
  }
}

/// Groups sets that share a cell or have adjacent cells; returns their indices.
private func neighbourhoods(_ sets: [Set<SIMD2<Int32>>]) -> [[Int]] {
  let surroundings = (-1...1).flatMap { x in (-1...1).map { y in SIMD2<Int32>(x, y) } }
  var unvisited: [SIMD2<Int32>: [Int]] = [:]
  for (index, cells) in sets.enumerated() {
    for cell in cells { unvisited[cell, default: []].append(index) }
  }
  var groups: [[Int]] = []
  var isKnown = [Bool](repeating: false, count: sets.count)
  for first in sets.indices where !isKnown[first] {
    isKnown[first] = true
    var group = [first]
    var next = 0
    while next < group.count {
      for cell in sets[group[next]].flatMap({ cell in surroundings.map { cell &+ $0 } }) {
        for index in unvisited.removeValue(forKey: cell) ?? [] where !isKnown[index] {
          isKnown[index] = true
          group.append(index)
        }
      }
      next += 1
    }
    groups.append(group)
  }
  return groups
}

extension String {
  /// The texts of a list on signs (`destination=Porto;Braga`), except `none`.
  var signs: [String] {
    split(separator: ";").map(\.trimmingSpaces).filter { !["", "none"].contains($0.lowercased()) }
  }
}

/// The numbers of a road; several if roads share a section: "A 3, A 28".
struct RoadNumbers {
  let numbers: [String]

  /// Creates a list of these numbers, without duplicates.
  init(_ numbers: [String]) {
    self.numbers = numbers.enumerated().filter { !numbers[..<$0.offset].contains($0.element) }.map(\.element)
  }

  /// Parses the numbers of a tag: `ref=A 3;A 28`.
  init(tag: String?) { self.init(tag?.signs ?? []) }

  /// Parses the `text` of a list.
  init(text: String) { numbers = text.isEmpty ? [] : text.split(separator: RoadNumbers.separator).map(String.init) }

  var text: String { numbers.count == 1 ? numbers[0] : numbers.joined(separator: RoadNumbers.separator) }

  /// Returns whether the roads have a number in common.
  private func overlaps(_ other: RoadNumbers) -> Bool { numbers.contains(where: other.numbers.contains) }

  /// Returns whether two lists, as `text`, have a number in common; most contain only one number.
  static func overlap(_ a: String, _ b: String) -> Bool {
    let comma = UInt8(ascii: ",")
    guard a.utf8.contains(comma) || b.utf8.contains(comma) else { return a == b }
    return RoadNumbers(text: a).overlaps(RoadNumbers(text: b))
  }

  private static let separator = ", "
}
